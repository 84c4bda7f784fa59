package order

import (
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// mover puts rows of a group into another order.
type mover struct {
	base  *walk.Base
	owner *store.Owner
}

func (m *mover) seq() *memmgr.Sequence { return m.owner.Main.Seq }

// arrange brings entities that have rows here into the rows from the k-th on. It ends with the
// last swap that it may make, or at an entity for which no row is left. It returns how many
// entities it has done, how many of these have rows here, and how many swaps that took. An
// entity that is in its row costs a load of its entry. A swap costs a swap of each column.
func (m *mover) arrange(es []store.Entity, k, most int) (done, have, swaps int) {
	seq := m.seq()
	last := seq.Layout().Capacity() - 1
	left := seq.Len() - k
	var at memmgr.Loc // row k+have; 0: not known
	for i, e := range es {
		word := m.owner.Home(e)
		if at == 0 && have < left {
			at = seq.At(k + have)
		}
		if word != store.Word(e, at) {
			l := store.LocOf(word)
			if !store.Names(word, e) || m.base.Manager.Sequence(l.Chunk()) != seq {
				continue
			}
			if have >= left {
				return i, have, swaps
			}
			m.owner.Main.Swap(at, l)
			swaps++
		}
		have++
		if at.Row() < last {
			at = at.Plus(1)
		} else {
			at = 0
		}
		if have >= left {
			at = 0
		}
		if swaps == most {
			return i + 1, have, swaps
		}
	}
	return len(es), have, swaps
}
