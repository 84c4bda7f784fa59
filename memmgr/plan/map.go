package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/profile"
)

// A map is what a run wrote down of a placement:
//
//	profile.Map ─┬─ regions, chunks ──→ Placement
//	             └─ bytes, rows ──→ figures ──→ Group: row

// Misfit is a statement of a map or a profile that no placement can be made of.
type Misfit struct {
	About string // the words that the statement begins with
	Text  string // what is wrong and what to do
}

func (m *Misfit) Error() string { return "plan: " + m.About + ": " + m.Text }

func misfit(about, format string, args ...any) error {
	return &Misfit{about, fmt.Sprintf(format, args...)}
}

// regionsMax is how many regions of a range there can be: as many as chunks have
// numbers for.
const regionsMax = 1 << 23 / arena.SlotsPerRegion

// FromMap returns the placement that a map shows of a program that a profile is
// about, as [Plan] wants it. Groups are those of the map and of the profile, by name.
// A group of which a chunk lies in a slot that is cut into blocks, or in a striped
// region, has no chunks in the placement: they can't be moved. Their slots are used, and
// a striped region is used as a whole. Slots in quarantine and of spares count as free,
// since a manager drops these before it plans.
//
// A map does not say all that a manager knows, so nothing is cooling.
//
// The error is that of m.Check, or a *[Misfit] for what is in no manager's map:
// another range, a chunk without the ones before it, figures that contradict each other.
func FromMap(p profile.Profile, m profile.Map) (Placement, error) {
	in := Placement{Frame: m.Frame, Whole: m.Whole}
	err := m.Check()
	if err != nil {
		return Placement{}, err
	}
	if in.Regions, err = regionsOf(m); err != nil {
		return Placement{}, err
	}

	byGroup := map[string][]profile.Placed{}
	for _, c := range m.Chunks {
		if c.Order >= 0 {
			byGroup[c.Group] = append(byGroup[c.Group], c)
		}
	}
	for _, name := range names(&p, byGroup) {
		placed := byGroup[name]
		slices.SortFunc(placed, func(a, b profile.Placed) int { return cmp.Compare(a.Order, b.Order) })
		g, err := groupOf(name, placed)
		if err != nil {
			return Placement{}, err
		}
		if !slices.ContainsFunc(placed, func(c profile.Placed) bool { return !ownSlot(m, c) }) {
			for i, c := range placed {
				r := m.Regions[c.Region]
				kind, _ := rangeOf(r.Range)
				in.Chunks = append(in.Chunks, Chunk{
					Group: len(in.Groups), Order: i, At: Place{kind, r.Number*arena.SlotsPerRegion + uint32(c.Slot)},
					Rows: uint32(c.Rows), Pins: uint32(c.Pins),
				})
			}
		}
		in.Groups = append(in.Groups, g)
	}
	return in, nil
}

// ownSlot tells whether a chunk has a slot of its own.
func ownSlot(m profile.Map, c profile.Placed) bool {
	r := m.Regions[c.Region]
	return !r.Striped && r.Blocks>>c.Slot&1 == 0
}

// names lists the groups of a profile and of a map, in order.
func names(p *profile.Profile, byGroup map[string][]profile.Placed) []string {
	list := slices.Collect(maps.Keys(byGroup))
	for i := range p.Groups {
		list = append(list, p.Groups[i].Name)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// regionsOf returns a map's regions, those left out in between as free and clean.
func regionsOf(m profile.Map) (out []Region, err error) {
	for _, r := range m.Regions {
		about := fmt.Sprintf("region %s %d", quote(r.Range), r.Number)
		kind, ok := rangeOf(r.Range)
		switch {
		case !ok:
			return nil, misfit(about, "%q is no range: normal, huge and cold are", r.Range)
		case r.Number >= regionsMax:
			return nil, misfit(about, "a range has regions 0 to %d: number them from 0", regionsMax-1)
		}
		used := ^r.Free &^ r.Quarantined
		if r.Striped {
			used = ^uint32(0) // no slots for others
		}
		out = append(out, Region{Range: kind, Number: r.Number, Used: used, Dirty: r.Dirty})
	}
	for _, c := range m.Chunks {
		if c.Order < 0 && c.Pins == 0 && ownSlot(m, c) {
			out[c.Region].Used &^= 1 << c.Slot
			out[c.Region].Dirty |= 1 << c.Slot
		}
	}
	slices.SortFunc(out, func(a, b Region) int { return cmp.Or(cmp.Compare(a.Range, b.Range), cmp.Compare(a.Number, b.Number)) })
	return withoutGaps(out), nil
}

// withoutGaps puts regions in that nobody uses, so that each is at its number.
func withoutGaps(regions []Region) (out []Region) {
	next := uint32(0)
	for i, r := range regions {
		if i > 0 && regions[i-1].Range != r.Range {
			next = 0
		}
		for ; next < r.Number; next++ {
			out = append(out, Region{Range: r.Range, Number: next})
		}
		out, next = append(out, r), r.Number+1
	}
	return out
}

func rangeOf(name string) (arena.Range, bool) {
	for r := range arena.Range(RangeCount) {
		if r.String() == name {
			return r, true
		}
	}
	return 0, false
}

// quote makes a name one word of a statement, as the text forms have it.
func quote(name string) string {
	if strings.ContainsAny(name, " \t#\",") {
		return strconv.Quote(name)
	}
	return name
}
