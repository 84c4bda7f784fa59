// Package placement draws maps of where chunks lie: a row a region, a cell a slot.
//
//	range  number  slots 0 to 31
//	normal region    0  ABBC--~.........................  4 in use, 71 % full
//	                    │    │ ││
//	                    │    │ │└ free, and no page of it was touched
//	                    │    │ └ in quarantine until the next safe point
//	                    │    └ free, its pages are there still
//	                    └ a chunk: a letter for its group, or a digit for its heat
//
// The same as SVG has colours, how full each chunk is, and names and figures where
// the pointer is. A picture is a function of the map: nothing is measured here.
package placement

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/profile"
)

// By is what a chunk's cell shows.
type By string

const (
	Group By = "group" // whose chunk it is
	Heat  By = "heat"  // how many bytes of it systems asked for
)

// cell is what a slot has.
type cell struct {
	state state
	chunk *profile.Placed // of used and spare
}

type state uint8

const (
	free        state = iota
	dirty             // free, with pages
	quarantined       // moved away from
	used              // a chunk with rows
	spare             // a chunk kept for the next rows
	other             // in use, and no chunk's
)

// row is a region and its cells.
type row struct {
	profile.Region
	cells [arena.SlotsPerRegion]cell
	inUse int
	bytes uint64 // of rows
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
		r.cells[c.Slot] = cell{used, c}
		if c.Order < 0 {
			r.cells[c.Slot].state = spare
		}
		r.bytes += c.Bytes
	}
	return rs
}

// full is how much of the slots in use is rows, in percent.
func full(bytes uint64, slots int) float64 {
	if slots == 0 {
		return 0
	}
	return 100 * float64(bytes) / float64(slots*arena.SlotBytes)
}

// group is the sum of a group's chunks.
type group struct {
	name          string
	chunks, spare int
	rows, bytes   uint64
}

// count is how many chunks there are, and how many of them wait for rows.
func (g group) count() string {
	s := fmt.Sprintf("%d chunks", g.chunks)
	if g.chunks == 1 {
		s = "1 chunk"
	}
	if g.spare > 0 {
		s += fmt.Sprintf(" (%d spare)", g.spare)
	}
	return s
}

// groups sums up by group, in the order of the map.
func groups(m profile.Map) (gs []group) {
	at := map[string]int{}
	for _, c := range m.Chunks {
		i, ok := at[c.Group]
		if !ok {
			i = len(gs)
			at[c.Group] = i
			gs = append(gs, group{name: c.Group})
		}
		g := &gs[i]
		if g.chunks++; c.Order < 0 {
			g.spare++
		}
		g.rows += c.Rows
		g.bytes += c.Bytes
	}
	return gs
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

// level is 0 for what nobody asked for, and levels for the hottest.
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

// legible is a name without what would disturb a terminal or a picture.
func legible(name string) string {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
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

// Headline is what a map sums up to.
func Headline(m profile.Map) string {
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
	s := fmt.Sprintf("frame %d: %d regions, %d slots in use, %s of rows (%.0f %% full)", m.Frame, len(m.Regions), slots, size(bytes), full(bytes, slots))
	if pinned > 0 {
		s += fmt.Sprintf(", %d pinned", pinned)
	}
	if moves > 0 {
		s += fmt.Sprintf(", moves: %d (%s)", moves, size(copied))
	}
	return s
}

// sorted is the groups with the most chunks first.
func sorted(gs []group) []group {
	gs = slices.Clone(gs)
	slices.SortStableFunc(gs, func(a, b group) int { return b.chunks - a.chunks })
	return gs
}
