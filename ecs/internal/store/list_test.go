package store

import (
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// SetBatch writes and counts entities once: in any order, with some twice, dead or without
// the component, whatever the list before was.
func TestSetBatchCountsEntities(t *testing.T) {
	h := makeHerd(t, placed()["nothing moves"], memmgr.Options{}, false)
	var es []Entity
	for i := range 200 {
		e, err := h.whole.Spawn(raw.Of(&whole{More: uint64(i)}))
		if err != nil {
			t.Fatal(err)
		}
		es = append(es, e)
	}
	slices.SortFunc(es, func(a, b Entity) int { return int(a.Index()) - int(b.Index()) })
	stale := es[50]
	if err := h.Destroy(stale); err != nil {
		t.Fatal(err)
	}
	again, err := h.more.store.Spawn() // without the component
	if err != nil {
		t.Fatal(err)
	}
	back := slices.Clone(es[60:])
	slices.Reverse(back)
	value := uint64(1000)
	for name, tt := range map[string]struct {
		list []Entity
		want int
	}{
		"none":                       {nil, 0},
		"in order":                   {es[:50], 50},
		"in order, with a stale one": {es, 199},
		"backwards":                  {back, 140},
		"each twice":                 {slices.Concat(es, es), 199},
		"the first again":            {append(slices.Clone(es[:9]), es[0]), 9},
		"neighbours":                 {[]Entity{es[1], es[1], es[1], es[2], es[2]}, 2},
		"few, and no order":          {[]Entity{es[150], es[3], es[150], es[4], es[3]}, 3},
		"one without it":             {[]Entity{es[9], again, es[8], again, stale, es[9]}, 2},
		"a stale one first":          {[]Entity{es[199], stale, stale, es[0], es[0]}, 2},
	} {
		value++
		for range 2 {
			if got := h.SetBatch(h.more, tt.list, raw.Of(&value)); got != tt.want {
				t.Errorf("%s: %d are set, want %d", name, got, tt.want)
			}
		}
		for _, e := range tt.list {
			if l, has := h.more.Loc(e); has && *raw.As[uint64](h.more.At(l)) != value {
				t.Errorf("%s: %v has %d, want %d", name, e, *raw.As[uint64](h.more.At(l)), value)
			}
		}
		if slices.ContainsFunc(h.met, func(w uint64) bool { return w != 0 }) {
			t.Fatalf("%s: entities are noted after the call", name)
		}
	}
}

// A list that is one run leaves the rows in the order that other lists of the same entities do: rows
// behind move up if there are few of them, and otherwise the last ones fill the hole.
func TestDestroyRunKeepsToOrder(t *testing.T) {
	for name, tt := range map[string]struct {
		rows, from, n int
		want          []int // the rows before; nil: they keep their order
	}{
		"all":                  {40, 0, 40, nil},
		"the last one":         {40, 39, 1, nil},
		"the last ones":        {40, 20, 20, nil},
		"one, few behind":      {40, 24, 1, nil},
		"one, more behind":     {20, 1, 1, []int{0, 19, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}},
		"many, few behind":     {40, 3, 5, nil},
		"two, many behind":     {36, 1, 2, append([]int{0, 35, 34}, numbers(3, 34)...)},
		"the first, the limit": {16, 0, 1, nil},
		"the first, beyond it": {17, 0, 1, append([]int{16}, numbers(1, 16)...)},
	} {
		for _, twice := range []bool{false, true} {
			h := makeHerd(t, placed()["nothing moves"], memmgr.Options{}, false)
			es := make([]Entity, tt.rows)
			if err := h.both.SpawnBatch(es, raw.Of(&both{}), 0); err != nil {
				t.Fatal(err)
			}
			list := slices.Clone(es[tt.from:][:tt.n])
			if twice { // which is no run
				list = append(list, list[0])
			}
			if got := h.DestroyBatch(list); got != tt.n {
				t.Fatalf("%s: %d are destroyed", name, got)
			}
			var want []Entity
			for _, i := range tt.want {
				want = append(want, es[i])
			}
			if tt.want == nil {
				want = slices.Delete(slices.Clone(es), tt.from, tt.from+tt.n)
			}
			if got := h.members(); !slices.Equal(got, want) {
				t.Errorf("%s, twice %v: %v, want %v", name, twice, got, want)
			}
			if err := h.Check(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// numbers are the numbers from one up to but not including another.
func numbers(from, to int) (list []int) {
	for i := from; i < to; i++ {
		list = append(list, i)
	}
	return list
}
