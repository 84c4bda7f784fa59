package report

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/ashlar-go/ashlar/profile"
	pprofile "github.com/google/pprof/profile"
)

// The two files for pprof. Frames of a stack, leaf first, and values:
//
//	access   column:position ← group:body ← system:move ← world:level     rows, chunks, bytes
//	memory   group:body ← range:huge, or state:free ← …     live, payload, dirty
//
// Only worlds that have a name are in a stack. A kind precedes each name, because a system and a component may have the same name.
// The label chunk identifies chunks: body:3 is the fourth of the group body. Files hold
// no addresses and no chunk numbers, so files of different runs can be merged and
// subtracted. Totals equal the facts' and the map's to the byte, up to the limit of
// the format (2⁶³-1).

// PprofAccess returns the reads and writes of each system and column, summed over the
// recorded frames. Labels: world, system, group, component, mode (read or write) and
// pattern (sequence, scattered, or handle: one value at a time). If the map has chunks of a group, the label chunk
// splits the group's figures over them: rows and bytes by the rows that they hold, and
// visits evenly. The parts are an estimate; their sums are the facts.
func PprofAccess(p profile.Profile, m profile.Map) *pprofile.Profile {
	b := newBuilder("bytes", "rows/count", "chunks/count", "bytes/bytes")
	runs := p.Runs()
	for _, run := range runs {
		groups := filled(m)
		if len(runs) > 1 && run.World != m.World {
			groups = nil
		}
		b.access(run, groups)
	}
	return b.profile
}

// access adds the reads and writes of one world's systems.
func (b *builder) access(p profile.Profile, groups map[string]holding) {
	b.comment(profile.InWorld(p.World, fmt.Sprintf("ashlar access of %d frames", p.Frames)))
	for _, s := range p.Systems {
		for _, a := range s.Access {
			mode, pattern := "read", "sequence"
			if a.Write {
				mode = "write"
			}
			if a.Scattered {
				pattern = "scattered"
			}
			stack := stackOf("column", a.Component, "group", a.Group, "system", s.Name, "world", p.World)
			for _, part := range splitAccess(a, groups[a.Group]) {
				b.add(stack, []string{"world", p.World, "system", s.Name, "group", a.Group, "component", a.Component, "mode", mode, "pattern", pattern, "chunk", chunkLabel(a.Group, part.order)}, part.Rows, part.Chunks, part.Bytes)
			}
		}
	}
	sizes := make(map[string]uint64)
	for _, c := range p.Components {
		sizes[c.Name] = uint64(c.Size)
	}
	for _, l := range p.Lookups {
		stack := stackOf("column", l.Component, "system", l.System, "world", p.World)
		hi, bytes := bits.Mul64(l.Reads, sizes[l.Component])
		if hi > 0 {
			bytes = math.MaxUint64
		}
		b.add(stack, []string{"world", p.World, "system", l.System, "component", l.Component, "mode", "read", "pattern", "handle"}, l.Reads, 0, bytes)
	}
}

// stackOf returns frames, leaf first, of names with their kinds. Empty names are left out.
func stackOf(kindsAndNames ...string) (stack []string) {
	for pair := range slices.Chunk(kindsAndNames, 2) {
		if pair[1] != "" {
			stack = append(stack, pair[0]+":"+pair[1])
		}
	}
	return stack
}

// PprofMemory returns the memory of the slots of a map. Live bytes are the bytes of slots in
// use, payload is of rows, and dirty bytes may be resident. Slots without a chunk
// have a state instead of a group: free, quarantined, or other (in use, and the map states no use).
// Labels: group, chunk (absent for spares) and range.
func PprofMemory(m profile.Map) *pprofile.Profile {
	b := newBuilder("live", "live/bytes", "payload/bytes", "dirty/bytes")
	b.comment(profile.InWorld(m.World, fmt.Sprintf("ashlar memory at frame %d", m.Frame)))
	taken := make([]uint32, len(m.Regions))
	for _, c := range m.Chunks {
		r, bit := &m.Regions[c.Region], uint32(1)<<c.Slot
		dirty := uint64(0)
		if r.Dirty&bit != 0 && taken[c.Region]&bit == 0 {
			dirty = slotBytes
		}
		taken[c.Region] |= bit
		b.add([]string{"group:" + c.Group, "range:" + r.Range}, []string{"group", c.Group, "range", r.Range, "chunk", chunkLabel(c.Group, c.Order)}, slotBytes, c.Bytes, dirty)
	}
	for i, r := range m.Regions {
		quarantined := r.Quarantined &^ taken[i]
		free := r.Free &^ taken[i] &^ quarantined
		other := ^(taken[i] | quarantined | free)
		for _, of := range []struct {
			state string
			mask  uint32
		}{{"free", free}, {"quarantined", quarantined}, {"other", other}} {
			live := uint64(0)
			if of.state == "other" {
				live = slotBytes * ones(of.mask)
			}
			b.add([]string{"state:" + of.state, "range:" + r.Range}, []string{"range", r.Range}, live, 0, slotBytes*ones(of.mask&r.Dirty))
		}
	}
	return b.profile
}

const (
	slotBytes = 64 << 10
	noChunk   = -1 // an order; spares have it too
)

// chunkLabel names a chunk by its group and its order there. It is "" for noChunk.
func chunkLabel(group string, order int) string {
	if order < 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", group, order)
}

func ones(mask uint32) uint64 { return uint64(bits.OnesCount32(mask)) }

// shareOf returns total × part / whole, rounded down. part is at most whole.
func shareOf(total, part, whole uint64) uint64 {
	hi, lo := bits.Mul64(total, part)
	q, _ := bits.Div64(hi, lo, whole)
	return q
}

// sampleValue converts a number to the type of the format.
func sampleValue(n uint64) int64 { return int64(min(n, math.MaxInt64)) }
