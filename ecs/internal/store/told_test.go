package store

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Whatever moves rows has to tell three things: that something has moved (Shift), for those
// who hold addresses; that a chunk has other rows (the stamp of its entities), for those who
// keep what they found out about rows; and the changes that the row's chunk had noted (carried,
// begun, got), for queries. Forgetting one is wrong without a word. Here a model's commands are
// carried out one by one, and the calls of observers are compared with the changes.

// snapshot is the content of a store between two commands.
type snapshot struct {
	tick, shifts uint64
	rows         map[chunk.ID][]Entity
	bits         map[chunk.ID][]uint64 // presence bits of each chunk, component by component
	locs         map[Entity][]memmgr.Loc
	noted        map[Entity][][2]uint64 // when the chunks of watched components were changed, and added to
}

func (x *model) snapshot() *snapshot {
	y := &snapshot{tick: x.m.Advance() + 1, shifts: x.m.Shifts(), rows: map[chunk.ID][]Entity{}, bits: map[chunk.ID][]uint64{}, locs: map[Entity][]memmgr.Loc{}, noted: map[Entity][][2]uint64{}}
	for t := range x.s.Tables() {
		i := 0
		for id, n := range t.Seq.Chunks() {
			y.rows[id] = slices.Clone(x.s.Entities(id, n))
			for _, o := range t.opts {
				y.bits[id] = append(y.bits[id], o.Bits[i*t.stride:][:t.stride]...)
			}
			i++
		}
	}
	for e := range x.s.All() {
		for _, c := range x.comps {
			l, has := c.Loc(e)
			if !has {
				l = 0
			}
			y.locs[e] = append(y.locs[e], l)
			at := [2]uint64{}
			if has && c.noted != nil {
				at = [2]uint64{c.ChangedAt(l), c.AddedAt(l)}
			}
			y.noted[e] = append(y.noted[e], at)
		}
	}
	return y
}

// told compares the calls of observers in a command with its changes. A command that adds values says
// so, and one that changes over does not.
func (x *model) told(was *snapshot) (moved int) {
	now := x.snapshot()
	for e, locs := range was.locs {
		for i, l := range locs {
			c := x.comps[i]
			gone := l != 0 && (now.locs[e] == nil || now.locs[e][i] != l)
			if gone && now.shifts == was.shifts {
				x.failf("%v has %s no more at %v, and Shift was not called", e, c.Name, l)
			}
			if gone {
				moved++
			}
			if c.noted == nil || now.locs[e] == nil || now.locs[e][i] == 0 {
				continue
			}
			before, after := was.noted[e][i], now.noted[e][i]
			if l == 0 {
				before = [2]uint64{was.tick, was.tick} // it has got the component
			}
			if after[0] < before[0] || after[1] < before[1] {
				x.failf("%v, %s, from %v to %v: changed at %d and added at %d, and its chunk says %d and %d", e, c.Name, l, now.locs[e][i], before[0], before[1], after[0], after[1])
			}
		}
	}
	for id, es := range now.rows {
		if stamp := x.s.IDs.Cell(id).Stamp; stamp < was.tick && (!slices.Equal(es, was.rows[id]) || !slices.Equal(now.bits[id], was.bits[id]) && len(es) > 0) {
			x.failf("chunk %d has rows %v in place of %v, and its entities are stamped %d, before %d", id, es, was.rows[id], stamp, was.tick)
		}
	}
	return moved
}

// arrange brings rows of some table into another order, in one of the ways of sorting.
func (x *model) arrange() {
	t := slices.Collect(x.s.Tables())[x.n(len(slices.Collect(x.s.Tables())))]
	n := t.Seq.Len()
	rows := make([]uint32, n)
	for i := range rows {
		rows[i] = uint32(i)
	}
	for range min(n, 1+x.n(9)) {
		i, j := x.n(n), x.n(n)
		rows[i], rows[j] = rows[j], rows[i]
	}
	switch p := (Permuter{}); x.n(3) {
	case 0:
		p.Permute(t, 0, rows)
	case 1:
		t.Cycle(rows)
	default:
		for i := range min(n, 5) {
			t.Exchange(i, x.n(n))
		}
		t.Follow(n)
	}
}

// mass adds a component to all rows of a table, or removes it, or from every other row.
func (x *model) mass() {
	list := slices.Collect(x.s.Tables())
	r, i := list[x.n(len(list))].All(), x.n(len(x.comps))
	if r.N == 0 {
		return
	}
	if x.n(2) == 0 {
		r.Bits = make([]uint64, r.Table.Seq.ChunkCount()*r.Table.stride)
		r.N = 0
		for k := 0; k < r.Table.Seq.Len(); k += 2 {
			at, mask := r.Table.bit(r.Table.Seq.At(k))
			r.Bits[at] |= mask
			r.N++
		}
	}
	c, seed, adds := x.comps[i], x.seed(), x.n(2) == 0
	es := r.Entities(nil)
	var err error
	if adds {
		_, err = x.s.AddRows(c, r, x.value(i, seed))
	} else {
		_, err = x.s.RemoveRows(c, r)
	}
	x.expect("AddRows or RemoveRows", err, nil)
	for _, e := range es {
		switch l := x.life(e); {
		case !adds:
			l.has &^= 1 << i
		case l.has>>i&1 == 0:
			l.has |= 1 << i
			l.seeds[i] = seed
		}
	}
}

// large adds components that leave room for few rows in a chunk, so that rows move between chunks.
func (x *model) large() {
	for i, way := range []Way{Fixed, Optional} {
		c := new(Component)
		x.s.Register(c, fmt.Sprint("large", i), chunk.Spec{Size: 6000, Align: 1}, way, false)
		x.comps, x.was = append(x.comps, c), append(x.was, false)
	}
}

func TestMovesAreTold(t *testing.T) {
	steps := 1200
	if testing.Short() {
		steps = 400
	}
	moved := 0
	for i, s := range streams(7) {
		if s.crowd > 100 {
			continue
		}
		x := s.model(t, "told", memmgr.Options{Stress: i%2 == 0})
		x.large()
		for i, c := range x.comps {
			if i%3 != 2 || i >= len(sizes) {
				x.s.Watch(c)
			}
			if i%3 == 1 {
				x.s.AskRows(c, false)
				x.s.AskRows(c, true)
			}
		}
		was := x.snapshot()
		for range steps {
			switch k := x.n(12); {
			case x.s.made == x.s.Dropped || k > 3:
				x.step()
			case k == 0:
				x.mass()
			default:
				x.arrange()
			}
			moved += x.told(was)
			was = x.snapshot()
		}
		x.compare()
		x.close()
		if len(slices.Collect(maps.Keys(was.locs))) == 0 {
			t.Error("nobody is alive")
		}
	}
	if moved < 1000 {
		t.Errorf("only %d values have moved: the test tests less than it says", moved)
	}
}
