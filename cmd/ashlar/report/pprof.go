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
// In files of memory the label chunk identifies chunks: body:3 is the fourth of the group body. Files hold
// no addresses and no chunk numbers, so files of different runs can be merged and
// subtracted. Totals equal the facts' and the map's to the byte, up to the limit of
// the format (2⁶³-1).

// PprofAccess returns the reads and writes of each system and column, summed over the
// recorded frames. Labels: world, system, group, component, mode (read or write) and
// pattern (sequence, scattered, or handle: one value at a time).
func PprofAccess(p profile.Profile) *pprofile.Profile {
	b := newBuilder("bytes", "rows/count", "chunks/count", "bytes/bytes")
	for _, run := range p.Runs() {
		b.access(run)
	}
	return b.profile
}

// access adds the reads and writes of one world's systems.
func (b *builder) access(p profile.Profile) {
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
			b.add(stack, []string{"world", p.World, "system", s.Name, "group", a.Group, "component", a.Component, "mode", mode, "pattern", pattern}, a.Rows, a.Chunks, a.Bytes)
		}
	}
	for _, l := range p.Lookups {
		stack := stackOf("column", l.Component, "system", l.System, "world", p.World)
		hi, bytes := bits.Mul64(l.Reads, p.Size(l.Component))
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
		dirty, chunk := uint64(0), ""
		if c.Order >= 0 {
			chunk = fmt.Sprintf("%s:%d", c.Group, c.Order)
		}
		if r.Dirty&bit != 0 && taken[c.Region]&bit == 0 {
			dirty = slotBytes
		}
		taken[c.Region] |= bit
		b.add([]string{"group:" + c.Group, "range:" + r.Range}, []string{"group", c.Group, "range", r.Range, "chunk", chunk}, slotBytes, c.Bytes, dirty)
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

const slotBytes = 64 << 10

func ones(mask uint32) uint64 { return uint64(bits.OnesCount32(mask)) }

// sampleValue converts a number to the type of the format.
func sampleValue(n uint64) int64 { return int64(min(n, math.MaxInt64)) }
