package memmgr

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// clock goes on by step whenever it is asked.
type clock struct {
	now  time.Time
	step time.Duration
}

func (c *clock) tick() time.Time {
	c.now = c.now.Add(c.step)
	return c.now
}

func ticking(step time.Duration) *clock { return &clock{time.Unix(0, 0), step} }

// regionIn is the region in which a place is.
func regionIn(m *Manager, at spot.At) (region arena.RegionInfo) {
	for r := range m.arena.Regions() {
		if at.Slot-at.Slot%arena.SlotsPerRegion == r.First {
			region = r
		}
	}
	return region
}

// A chunk that can't be moved keeps its region from being emptied: pinned chunks, spares, annexes
// and stripes.
func TestMovable(t *testing.T) {
	for name, c := range map[string]struct {
		change func(m *Manager, s *Sequence)
		want   bool
	}{
		"a chunk": {func(m *Manager, s *Sequence) {}, true},
		"a moved one": {func(m *Manager, s *Sequence) {
			if ok, err := m.Move(s.chunks[0]); !ok || err != nil {
				t.Fatal(ok, err)
			}
			safePoints(t, m, 2)
		}, true},
		"none any more":      {func(m *Manager, s *Sequence) { s.Drop(); safePoints(t, m, 2) }, true},
		"a pinned one":       {func(m *Manager, s *Sequence) { m.pin(s.chunks[0]) }, false},
		"a spare":            {func(m *Manager, s *Sequence) { fillRows(t, s, s.Capacity()); s.DropTail(s.Capacity()) }, false},
		"a block":            {func(m *Manager, s *Sequence) { fillRows(t, sequence(t, m, "small", 8), 1) }, true},
		"a pinned block":     {func(m *Manager, s *Sequence) { q := sequence(t, m, "small", 8); fillRows(t, q, 1); m.pin(q.chunks[0]) }, false},
		"an annex":           {func(m *Manager, s *Sequence) { _, err := m.Annex(s.chunks[0], 1); fatal(t, err) }, false},
		"stripes are others": {func(m *Manager, s *Sequence) { fillRows(t, s, (stripeFrom+2)*s.Capacity()); safePoints(t, m, 4) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			m := open(t, Options{Arena: arena.Options{Backend: arena.Heap}})
			m.pacing.clock = stopped
			s := sequence(t, m, "s", 8, 8000)
			fillRows(t, s, s.Capacity())
			at := m.table.at(s.chunks[0]).spot
			c.change(m, s)
			if got := m.movable(regionIn(m, at), 1<<20); got != c.want {
				t.Errorf("movable: %v", got)
			}
			for id := range m.pinned() {
				m.unpin(id)
			}
		})
	}
}

func fatal(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The chunks of a region that they are to leave go behind the one before them, or into the
// fullest region, and new ones go elsewhere until Stay.
func TestLeave(t *testing.T) {
	m := open(t, Options{Arena: arena.Options{Backend: arena.Heap}})
	m.pacing.clock = stopped
	fill := func(name string, chunks int) (all []*Sequence) {
		for i := range chunks {
			s := sequence(t, m, fmt.Sprint(name, i), 8, 8000)
			fillRows(t, s, s.Capacity())
			all = append(all, s)
		}
		return all
	}
	first := fill("first ", 20)   // region 0
	gone := fill("gone ", 12)     // the rest of it
	second := fill("second ", 24) // region 1
	last := fill("last ", 8)
	fillRows(t, first[19], first[19].Capacity()) // region 2
	fillRows(t, second[0], 1)
	for _, s := range slices.Concat(gone, last) {
		s.Drop()
	}
	safePoints(t, m, 2)
	behind, other := m.table.at(first[19].chunks[1]), m.table.at(second[0].chunks[1])
	r := regionIn(m, behind.spot)
	if regionIn(m, other.spot) != r || !m.movable(r, 1<<20) {
		t.Fatal("they are not in one region")
	}
	m.leave(r, nil)
	if at, err := m.book.Take(first[19].shape, spot.Whole, arena.Normal); err != nil || regionIn(m, at).First == r.First {
		t.Errorf("a new chunk would go to the region: %v", err)
	} else {
		m.book.Free(nil, at)
	}
	safePoints(t, m, 3)
	if want := m.table.at(first[19].chunks[0]).spot.Slot + 1; behind.spot.Slot != want {
		t.Errorf("it is in slot %d, want %d, behind the one before it", behind.spot.Slot, want)
	}
	if want := regionIn(m, m.table.at(second[5].chunks[0]).spot).First; regionIn(m, other.spot).First != want {
		t.Errorf("it is in region %d, want %d, which is the fullest", regionIn(m, other.spot).First, want)
	}
	if st := m.moved(); st.Moves != 2 || st.Waiting != 0 || st.Refused != 0 {
		t.Errorf("%+v", st)
	}
	if m.stay(r); m.arena.Held(r.Range, r.Number) {
		t.Error("it is still held")
	}
}

// A budget bounds safe points one by one, and all of a frame together.
func TestBudgetOfAFrame(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 8000)
	fillRows(t, s, stripeFrom*s.Capacity())
	m.setBudget(Budget{Time: 20}, 30, ticking(10).tick) // a move takes 10
	m.keep([]string{"s"}, nil)
	for turn, want := range []uint64{2, 3, 4} {
		if safePoints(t, m, 1); m.moved().Moves != want {
			t.Errorf("%d moves after %d safe points, want %d", m.moved().Moves, turn+1, want)
		}
	}
	if left, err := m.nextFrame(); left != 0 || err != nil {
		t.Errorf("%v is left of the frame, %v", left, err)
	}
	safePoints(t, m, 1)
	if d := m.moved(); d.Moves != 6 || d.OverBudget != 4 || d.Longest != 20 || d.Time != 60 || d.Waiting != stripeFrom-6 {
		t.Errorf("%+v", d)
	}
	if left, _ := m.nextFrame(); left != 10 {
		t.Errorf("%v is left of the frame", left)
	}
	if m.setBudget(Budget{}, 0, nil); m.left() != budgetTime || m.pacing.budget.Bytes != budgetBytes || m.moved().Moves != 0 || m.now().IsZero() {
		t.Errorf("%+v", m.pacing)
	}
}

// The chunks that leave a region are brought by sequence, in the order in which sequences are walked,
// and in the order in which they are there.
func TestLeaveInOrder(t *testing.T) {
	for _, order := range [][]string{nil, {"nobody", "a", "b"}, {"b", "a"}, {"b"}, {"a"}, {"b", "a", "b"}} {
		m := open(t, Options{Arena: arena.Options{Backend: arena.Heap}})
		m.pacing.clock = stopped
		var fill []*Sequence
		for i := range 54 { // region 0 and most of region 1
			s := sequence(t, m, fmt.Sprint("fill ", i), 8, 8000)
			fillRows(t, s, s.Capacity())
			fill = append(fill, s)
		}
		a, b := sequence(t, m, "a", 8, 8000), sequence(t, m, "b", 8, 8000)
		for range 5 {
			for _, s := range []*Sequence{b, a} {
				fillRows(t, s, s.Capacity())
			}
		}
		for _, s := range fill[12:] {
			s.Drop()
		}
		safePoints(t, m, 4)
		m.leave(regionIn(m, m.table.at(a.chunks[0]).spot), order)
		safePoints(t, m, 4)
		list := []*Sequence{a, b}
		if len(order) > 0 && order[0] == "b" {
			list = []*Sequence{b, a}
		}
		want := m.table.at(list[0].chunks[0]).spot.Slot
		for _, s := range list {
			for i, id := range s.chunks {
				if got := m.table.at(id).spot.Slot; got != want || got >= arena.SlotsPerRegion {
					t.Errorf("order %q: chunk %d of %q is in slot %d, want %d", order, i, s.name, got, want)
				}
				want++
			}
		}
	}
}

// A chunk that leaves a region goes behind the last one of the sequence that is walked before, if that
// slot is free, and into the fullest region otherwise.
func TestLeaveBehindTheOneBefore(t *testing.T) {
	m := open(t, Options{Arena: arena.Options{Backend: arena.Heap}})
	m.pacing.clock = stopped
	var all []*Sequence
	for i := range 3*arena.SlotsPerRegion + 4 {
		s := sequence(t, m, fmt.Sprint(i), 8, 8000)
		fillRows(t, s, s.Capacity())
		all = append(all, s)
	}
	for _, i := range []int{20, 21, 22, 40, 41, 42, 70} { // three free in regions 0 and 1, and one in 2, the fullest
		all[i].Drop()
	}
	safePoints(t, m, 2)
	order := []string{"19", "nobody", "97", "96", "98", "39", "99"}
	slot := func(i int) arena.Slot { return m.table.at(all[i].chunks[0]).spot.Slot }
	first, second, full := slot(19), slot(39), slot(69)+1
	m.leave(regionIn(m, m.table.at(all[96].chunks[0]).spot), order)
	safePoints(t, m, 3)
	for i, want := range map[int]arena.Slot{97: first + 1, 96: first + 2, 98: first + 3, 99: second + 1} {
		if got := slot(i); got != want {
			t.Errorf("the chunk of %d is in slot %d, want %d", i, got, want)
		}
	}
	m.leave(regionIn(m, m.table.at(all[39].chunks[0]).spot), order) // behind 98 another chunk is
	safePoints(t, m, 3)
	if got := slot(39); got != full {
		t.Errorf("the chunk of 39 is in slot %d, want %d, which the fullest region has", got, full)
	}
}

// The sequence before another one is the nearest that is walked before, and ends in a slot of its own.
func TestNearest(t *testing.T) {
	many := make([]string, candidatesMost+2)
	for i := range many {
		many[i] = fmt.Sprint("nobody ", i)
	}
	many[0], many[1], many[candidatesMost+1] = "a", "b", "c"
	for _, c := range []struct {
		order []string
		of    map[string]string // "" is none
	}{
		{nil, map[string]string{"a": "", "b": "a", "c": "b", "small": "c", "empty": "c", "z": "c"}},
		{[]string{"c", "a"}, map[string]string{"c": "", "a": "c", "b": "a", "z": "b", "small": "b"}},
		{[]string{"nobody", "z", "empty", "gone", "small", "c", "z"}, map[string]string{"z": "", "c": "z", "a": "c", "b": "a", "empty": "z"}},
		{[]string{"small", "b"}, map[string]string{"b": "", "small": "", "a": "b", "c": "a", "z": "c"}},
		{many, map[string]string{"b": "a", "c": "b", "z": "c"}},
		{many[1:], map[string]string{"b": "", "c": "b", "a": "c"}},
		{slices.Insert(slices.Clone(many), 2, "nobody"), map[string]string{"c": "", "z": "c", "b": "a"}},
	} {
		m := open(t, Options{})
		m.walk = walkOf(c.order)
		seqs := make(map[string]*Sequence)
		for _, name := range []string{"a", "b", "gone", "c", "small", "empty", "z"} {
			s := sequence(t, m, name, 8, 8000)
			seqs[name] = s
			switch name {
			case "small":
				s.Drop()
				s = sequence(t, m, name, 8)
				fillRows(t, s, 1)
				seqs[name] = s
			case "empty":
			default:
				fillRows(t, s, s.Capacity())
			}
		}
		seqs["gone"].Drop()
		for name, want := range c.of {
			got := ""
			if s := m.nearest(seqs[name]); s != nil {
				got = s.name
			}
			if got != want {
				t.Errorf("order %q: before %q comes %q, want %q", c.order, name, got, want)
			}
		}
	}
}
