package report

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
)

// By chooses the content of a chunk's cell.
type By string

const (
	ByGroup By = "group" // the group of the chunk
	ByHeat  By = "heat"  // how many bytes of it systems asked for
)

// cell is the state of a slot.
type cell struct {
	state  state
	chunk  *profile.Placed   // of used and spare
	shared []*profile.Placed // of blocks
}

// heat is that of the hottest chunk.
func (c cell) heat() (n uint64) {
	if c.chunk != nil {
		return c.chunk.Heat
	}
	for _, s := range c.shared {
		n = max(n, s.Heat)
	}
	return n
}

type state uint8

const (
	free        state = iota
	dirty             // free, with pages
	quarantined       // moved away from
	used              // a chunk with rows
	spare             // a chunk kept for the next rows
	other             // in use, and the map states no use
	blocks            // cut into blocks, which chunks share
	others            // of groups that are not shown
)

// row is a region and its cells.
type row struct {
	profile.Region
	cells [arena.SlotsPerRegion]cell
	inUse int
	bytes uint64 // of rows
}

// unnamed tells whether the map states no use of a slot.
func (r row) unnamed() bool {
	return slices.ContainsFunc(r.cells[:], func(c cell) bool { return c.state == other })
}

// rows sorts chunks into regions. Chunks that lie nowhere are left out.
func rows(m profile.Map) []row {
	rs := make([]row, len(m.Regions))
	for i, r := range m.Regions {
		rs[i].Region = r
		for s := range rs[i].cells {
			c, bit := &rs[i].cells[s], uint32(1)<<s
			switch {
			case r.Quarantined&bit != 0:
				c.state = quarantined
			case r.Free&r.Dirty&bit != 0:
				c.state = dirty
			case r.Free&bit == 0:
				c.state = other
				if r.Blocks&bit != 0 {
					c.state = blocks
				}
				rs[i].inUse++
			}
		}
	}
	for i := range m.Chunks {
		c := &m.Chunks[i]
		if c.Region < 0 || c.Region >= len(rs) || c.Slot < 0 || c.Slot >= arena.SlotsPerRegion {
			continue
		}
		r := &rs[c.Region]
		r.bytes += c.Bytes
		switch at := &r.cells[c.Slot]; {
		case at.state == blocks:
			at.shared = append(at.shared, c)
		case c.Order < 0:
			*at = cell{state: spare, chunk: c}
		default:
			*at = cell{state: used, chunk: c}
		}
	}
	return rs
}

// full is how much of the slots in use is rows, in percent.
func full(bytes uint64, slots int) float64 {
	if slots == 0 {
		return 0
	}
	return 100 * float64(bytes) / (float64(slots) * arena.SlotBytes)
}

// group is the sum of a group's chunks.
type group struct {
	name          string
	chunks, spare int
	slots         int // in which they lie
	rows, bytes   uint64
}

// count is how many chunks there are, and how many of them wait for rows. Views have slots.
func (g group) count() string {
	if views, annex := strings.HasPrefix(g.name, "views/"), strings.HasPrefix(g.name, memmgr.AnnexPrefix); views || annex {
		return plural(g.slots, "slot")
	}
	s := plural(g.chunks, "chunk")
	if g.spare > 0 {
		s += fmt.Sprintf(" (%d spare)", g.spare)
	}
	if g.slots < g.chunks {
		s += " in " + plural(g.slots, "slot")
	}
	return s
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// inBlock tells whether a chunk lies in a block of a slot.
func inBlock(m profile.Map, c profile.Placed) bool {
	return c.Region >= 0 && c.Region < len(m.Regions) && c.Slot >= 0 && m.Regions[c.Region].Blocks>>c.Slot&1 == 1
}

// namesShown is how many groups that share slots are named.
const namesShown = 3

// sharing sums up all groups with chunks in blocks, and lists the first ones by
// name: a map of many would have more lines for them than for the rest. ok is false if
// there are none.
func (s *scene) sharing() (all group, list string, ok bool) {
	var names []string
	seen := map[string]bool{}
	for _, c := range s.m.Chunks {
		if inBlock(s.m, c) {
			if !seen[c.Group] {
				names = append(names, brief(c.Group))
			}
			seen[c.Group] = true
			all.chunks++
			all.rows += c.Rows
			all.bytes += c.Bytes
		}
	}
	for _, r := range s.rs {
		for _, c := range r.cells {
			if c.state == blocks {
				all.slots++
			}
		}
	}
	all.name = plural(len(names), "group") + " of few rows"
	shown := namesShown
	switch {
	case s.Group == nil: // they were not asked for by name
	case s.Top == 0:
		shown = len(names)
	default:
		shown = max(shown, s.Top-len(s.listed))
	}
	return all, firstOf(names, shown), all.slots > 0
}

// firstOf lists the first names, and says how many more there are.
func firstOf(names []string, shown int) string {
	list := strings.Join(names[:min(len(names), shown)], ", ")
	if n := len(names) - shown; n > 0 {
		list += fmt.Sprintf(" and %d more", n)
	}
	return list
}

// groups sums up by group, in the order of the map; chunks in blocks are left out.
func groups(m profile.Map) (gs []group) {
	at := map[string]int{}
	for _, c := range m.Chunks {
		if inBlock(m, c) {
			continue
		}
		i, ok := at[c.Group]
		if !ok {
			i = len(gs)
			at[c.Group] = i
			gs = append(gs, group{name: c.Group})
		}
		g := &gs[i]
		g.slots++
		if g.chunks++; c.Order < 0 {
			g.spare++
		}
		g.rows += c.Rows
		g.bytes += c.Bytes
	}
	return gs
}

// sum is the sum of groups.
func sum(gs []group) (all group) {
	for _, g := range gs {
		all.chunks += g.chunks
		all.spare += g.spare
		all.slots += g.slots
		all.rows += g.rows
		all.bytes += g.bytes
	}
	return all
}

// levels is how many shades of heat there are, none not counted.
const levels = 9

// scale tells hot chunks from cold ones: each level is twice as hot as the one below.
type scale struct{ top int } // bits of the hottest

func scaleOf(m profile.Map) scale {
	hottest := uint64(0)
	for _, c := range m.Chunks {
		hottest = max(hottest, c.Heat)
	}
	return scale{bits.Len64(hottest)}
}

// level is 0 for chunks without use, and levels for the hottest.
func (s scale) level(heat uint64) int {
	if heat == 0 {
		return 0
	}
	return max(1, levels-(s.top-bits.Len64(heat)))
}

// least is the heat at which a level begins; the lowest one takes all that is colder.
func (s scale) least(level int) uint64 {
	if shift := s.top - 1 - (levels - level); level > 1 && shift >= 0 {
		return 1 << shift
	}
	return 1
}

// legible is a name without characters that would disturb a terminal or a picture.
func legible(name string) string {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}

// briefRunes is how much of a name is shown where a line has to stay short.
const briefRunes = 32

// brief is a legible name, cut if it is long.
func brief(name string) string {
	runes := []rune(legible(name))
	if len(runes) <= briefRunes {
		return string(runes)
	}
	return string(runes[:briefRunes-1]) + "…"
}

// size is bytes for people.
func size(n uint64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}

// MapHeadline is the summary of a map.
func MapHeadline(m profile.Map) string {
	slots, pinned := 0, 0
	var bytes, moves, copied uint64
	for _, r := range rows(m) {
		slots += r.inUse
		bytes += r.bytes
	}
	for _, c := range m.Chunks {
		if c.Pins > 0 {
			pinned++
		}
		moves += c.Moves
		copied += c.Copied
	}
	s := fmt.Sprintf("frame %d: %d regions, %d slots in use, %s of rows and views (%.0f %% full)", m.Frame, len(m.Regions), slots, size(bytes), full(bytes, slots))
	if pinned > 0 {
		s += fmt.Sprintf(", %d pinned", pinned)
	}
	if moves > 0 {
		s += fmt.Sprintf(", moves: %d (%s)", moves, size(copied))
	}
	return profile.InWorld(m.World, s)
}

// sorted is the groups with the most chunks first.
func sorted(gs []group) []group {
	gs = slices.Clone(gs)
	slices.SortStableFunc(gs, func(a, b group) int { return b.chunks - a.chunks })
	return gs
}
