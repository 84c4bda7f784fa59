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

// cell is a slot: one of used and spare has a chunk, and one of blocks has several that share it.
type cell struct {
	state  state
	chunks []*profile.Placed
}

// heat is that of the hottest chunk.
func (c cell) heat() (n uint64) {
	for _, p := range c.chunks {
		n = max(n, p.Heat)
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

// blocksColour is the colour of blocks, of which the pattern that fills their cell is made.
const blocksColour = "#4a6a8a"

// look is how a state is drawn, and called in legends.
type look struct {
	glyph        byte
	name         string
	fill, stroke string
	width        int // pixels of its legend
}

func (s state) look() look {
	return [...]look{
		free:        {'.', "untouched", "#fff", "#ddd", 90},
		dirty:       {'-', "free", "#ddd", "#bbb", 60},
		quarantined: {'~', "in quarantine", "url(#stripes)", "#aaa", 110},
		used:        {glyph: 'x'},
		spare:       {'+', "spare", "#fff", "#333", 65},
		other:       {'?', "in use, not stated", "#777", "#555", 140},
		blocks:      {':', "shared", "url(#blocks)", blocksColour, 70},
		others:      {'_', "not shown", "#f0f0f0", "#d8d8d8", 70},
	}[s]
}

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

// rows sorts chunks into regions.
func rows(m profile.Map) []row {
	rs := make([]row, len(m.Regions))
	for i, r := range m.Regions {
		rs[i].Region = r
		for s := range rs[i].cells {
			rs[i].cells[s].state = stateOf(r, 1<<s)
		}
	}
	for i := range m.Chunks {
		c := &m.Chunks[i]
		at := &rs[c.Region].cells[c.Slot]
		at.chunks = append(at.chunks, c)
		switch {
		case at.state == blocks:
		case c.Order < 0:
			at.state = spare
		default:
			at.state = used
		}
	}
	for i := range rs {
		rs[i].sum(func(c cell) bool { return c.state >= used })
	}
	return rs
}

// stateOf is the state of a slot apart from chunks.
func stateOf(r profile.Region, bit uint32) state {
	switch {
	case r.Quarantined&bit != 0:
		return quarantined
	case r.Free&r.Dirty&bit != 0:
		return dirty
	case r.Free&bit != 0:
		return free
	case r.Blocks&bit != 0:
		return blocks
	}
	return other
}

// sum counts the slots in use and the bytes of rows.
func (r *row) sum(uses func(cell) bool) {
	r.inUse, r.bytes = 0, 0
	for _, c := range r.cells {
		if uses(c) {
			r.inUse++
		}
		for _, p := range c.chunks {
			r.bytes += p.Bytes
		}
	}
}

// full is how much of the slots in use is rows, in percent.
func full(bytes uint64, slots int) float64 {
	if slots == 0 {
		return 0
	}
	return 100 * float64(bytes) / (float64(slots) * arena.SlotBytes)
}

// group is the sum of a group's chunks, or of those of several.
type group struct {
	name          string
	chunks, spare int
	slots         int // in which they lie
	rows, bytes   uint64
}

func (g *group) add(o group) {
	g.chunks += o.chunks
	g.spare += o.spare
	g.slots += o.slots
	g.rows += o.rows
	g.bytes += o.bytes
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

// groups sums up by group, those with the most chunks first. Groups with chunks in blocks are one, by the
// name "", and listed by their names: a map of many would have more lines for them than for the rest.
func groups(m profile.Map) (own []group, shared group, names []string) {
	type place struct{ region, slot int }
	at, seen, slots := map[string]int{}, map[string]bool{}, map[place]bool{}
	for _, c := range m.Chunks {
		one := group{name: c.Group, chunks: 1, slots: 1, rows: c.Rows, bytes: c.Bytes}
		if c.Region < len(m.Regions) && m.Regions[c.Region].Blocks>>c.Slot&1 == 1 {
			shared.add(one)
			if slots[place{c.Region, c.Slot}] = true; !seen[c.Group] {
				names = append(names, brief(c.Group))
			}
			seen[c.Group] = true
			continue
		}
		if c.Order < 0 {
			one.spare = 1
		}
		if i, known := at[c.Group]; known {
			own[i].add(one)
		} else {
			at[c.Group] = len(own)
			own = append(own, one)
		}
	}
	shared.slots = len(slots)
	slices.SortStableFunc(own, func(a, b group) int { return b.chunks - a.chunks })
	return own, shared, names
}

// firstOf lists the first names, and says how many more there are.
func firstOf(names []string, shown int) string {
	list := strings.Join(names[:min(len(names), shown)], ", ")
	if n := len(names) - shown; n > 0 {
		list += fmt.Sprintf(" and %d more", n)
	}
	return list
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

// brief is a legible name. A long one loses its middle, because names of tables that share components begin alike.
func brief(name string) string {
	runes := []rune(legible(name))
	if len(runes) <= briefRunes {
		return string(runes)
	}
	const end = briefRunes / 2
	return string(runes[:briefRunes-end-1]) + "…" + string(runes[len(runes)-end:])
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
