package queue

import (
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// dropped notes so many drops, of entities from a number on.
func dropped(r *Drops, from, n int) {
	for i := range n {
		*r.Next() = Drop{Command: Command{Entity: store.Entity(from + i)}}
	}
}

func listed(r *Drops) (es []int) {
	for d := range r.All() {
		es = append(es, int(d.Entity))
	}
	return es
}

// The last drops are listed, the oldest first, and all count: also those of a list that is taken and had no room for them.
func TestDrops(t *testing.T) {
	for _, tt := range []struct{ own, taken, first, total int }{
		{0, 3, 0, 3}, {2, 3, 0, 5}, {DropsMost + 7, 0, 7, DropsMost + 7},
		{10, DropsMost, 10, DropsMost + 10}, {10, 3 * DropsMost, 2*DropsMost + 10, 3*DropsMost + 10},
	} {
		var r, d Drops
		dropped(&r, 0, tt.own)
		dropped(&d, tt.own, tt.taken)
		r.Take(&d)
		var want []int
		for e := tt.first; e < tt.total; e++ {
			want = append(want, e)
		}
		if got := listed(&r); !slices.Equal(got, want) || r.Total != uint64(tt.total) || r.Len() != len(want) {
			t.Errorf("%d and %d more: %d listed of %d, from %v", tt.own, tt.taken, len(got), r.Total, got[:min(len(got), 1)])
		}
		if d.Total != 0 || d.Len() != 0 || d.Owed != 0 {
			t.Errorf("%d and %d more: the list that was taken has %d of %d", tt.own, tt.taken, d.Len(), d.Total)
		}
	}
}

// The first of the owed ones stays the first, also when others are taken.
func TestDropsOwed(t *testing.T) {
	var r, d Drops
	for i, x := range []*Drops{&d, &r, &d} {
		dropped(x, i, 1)
		x.Owe()
	}
	if r.Take(&d); r.Owed != 3 || r.First.Entity != 1 || d.Owed != 0 {
		t.Errorf("%d are owed, the first of %d", r.Owed, r.First.Entity)
	}
	r.Owed = 0
	dropped(&d, 9, 1)
	d.Owe()
	if r.Take(&d); r.Owed != 1 || r.First.Entity != 9 {
		t.Errorf("%d are owed, the first of %d", r.Owed, r.First.Entity)
	}
}
