package advice

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/internal/text"
)

const blockBytes = 64 << 10

// unused finds groups that no system touched, neither by walking nor by entity, and
// without reads by handle.
func unused(x in) (lines []Line) {
	for _, r := range x.resting() {
		handles := "Reads by handle were not counted."
		if x.p.Sampled > 0 {
			handles = fmt.Sprintf("Nothing was read by handle in %d frames in which that was counted.", x.p.Sampled)
		}
		lines = append(lines, Line{
			Rule: "unused", Group: r.Name, Bytes: r.bytes,
			Why:  fmt.Sprintf("No system touched %s: %d rows in %d chunks. %s", text.Quote(r.Name), r.Last, r.chunks, handles),
			Code: fmt.Sprintf("If nothing reads them by handle, keep them out of the world. Otherwise, in a layout: cold %s", text.Quote(r.Name)),
		})
	}
	return lines
}

// rest is a group with memory that may not be used.
type rest struct {
	profile.Group
	bytes  uint64
	chunks int
	used   bool // by a system
}

// resting lists groups of some size that no system touches, nor a handle.
func (x in) resting() (list []rest) {
	if x.p.Frames == 0 || len(x.p.Systems) == 0 {
		return nil
	}
	groups := make(map[string]*rest)
	for _, g := range x.p.Groups {
		groups[g.Name] = &rest{Group: g}
	}
	for _, c := range x.m.Chunks {
		if r := groups[c.Group]; r != nil {
			r.bytes, r.chunks = r.bytes+c.Bytes, r.chunks+1
		}
	}
	for _, w := range x.walks {
		for _, a := range w.Access {
			if r := groups[a.Group]; r != nil {
				r.used = true
			}
		}
	}
	for _, g := range x.p.Groups {
		if r := groups[g.Name]; r.bytes >= bytesLeast && !r.used && !lookedUp(x.p, g) {
			list = append(list, *r)
		}
	}
	return list
}

// unread finds components that nobody reads, beside components that are walked. A system that only writes a
// component reads it, too.
func unread(x in) (lines []Line) {
	if x.p.Frames == 0 || len(x.p.Systems) == 0 || x.p.Sampled == 0 {
		return nil
	}
	read, walked := make(map[string]bool), make(map[string]bool)
	for _, s := range x.p.Systems {
		for _, a := range s.Access {
			read[a.Component], walked[a.Group] = true, true
		}
	}
	for _, l := range x.p.Lookups {
		read[l.Component] = true
	}
	for _, c := range x.p.Components {
		rows := uint64(0)
		for _, g := range x.p.Groups {
			if walked[g.Name] && slices.Contains(g.Owns, c.Name) {
				rows += min(g.Last, sumMax)
			}
		}
		if bytes := times(rows, uint64(c.Size)); bytes >= bytesLeast && !read[c.Name] {
			lines = append(lines, Line{
				Rule: "unread", Group: c.Name, Bytes: bytes,
				Why:  fmt.Sprintf("No system and no query asked for %s, and nothing of it was read by handle in %d frames in which that was counted: %d rows have it.", text.Quote(c.Name), x.p.Sampled, rows),
				Code: fmt.Sprintf("If no filter names it, leave component %q out, or keep its values outside of the world", c.Name),
			})
		}
	}
	return lines
}

// idle finds memory that was free and resident at the end.
func idle(x in) []Line {
	blocks := 0
	for _, r := range x.m.Regions {
		if !x.m.Whole || r.Free == ^uint32(0) {
			blocks += bits.OnesCount32(r.Free & r.Dirty)
		}
	}
	n := uint64(blocks) * blockBytes
	if n < bytesLeast {
		return nil
	}
	return []Line{{
		Rule: "idle", Bytes: n,
		Why:  fmt.Sprintf("In frame %d, %d blocks of 64 KiB were free and resident. They are purged as they age.", x.m.Frame, blocks),
		Code: "w.Purge() // at the end of a level: purges them at once",
	}}
}

// lookedUp reports whether a component of the group was read by handle. A group in which no
// system walks is not rarely used if it was.
func lookedUp(p profile.Profile, g profile.Group) bool {
	return slices.ContainsFunc(p.Lookups, func(l profile.Lookup) bool { return l.Reads+l.Contracts > 0 && slices.Contains(g.Owns, l.Component) })
}
