package order

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

var ways = []Way{Auto, InPlace, Permute, Mixed}

// S11: Every way ends in the same stable order, of the first rows alone; values go with their
// entities.
func TestSort(t *testing.T) {
	for _, n := range []int{0, 1, 2, 700, 6000} {
		for _, form := range []string{"random", "sorted", "backwards", "nearly", "ends", "equal"} {
			for _, way := range ways {
				for _, part := range []int{n, n / 2, n + 7} {
					if way == Mixed && n > 700 || testing.Short() && way == InPlace && n > 700 && form != "nearly" {
						continue
					}
					t.Run(fmt.Sprintf("%s %d of %d way %d", form, part, n, way), func(t *testing.T) { testSort(t, n, part, form, way) })
				}
			}
		}
	}
}

func testSort(t *testing.T, n, part int, form string, way Way) {
	f := newFixture(t, n)
	r := rand.New(rand.NewPCG(1, uint64(n)))
	key := keysOf(form, n, r)
	rank := make(map[store.Entity]int)
	for i, e := range f.es {
		rank[e] = key[i]
	}
	f.give(0, f.es)
	compare := func(a, b store.Entity) int { return cmp.Compare(rank[a], rank[b]) }
	want := f.rows(0)
	slices.SortStableFunc(want[:min(part, n)], compare)
	shifts := f.Base.Manager.Shifts()
	if slices.Equal(want, f.rows(0)) {
		shifts-- // nothing is to move
	}
	by := byEntities("Sort", compare)
	Sort(&f.Base, f.of[0].Main, by, part, way)
	if !slices.Equal(f.rows(0), want) || f.Walks.Busy != "" {
		t.Errorf("rows are not sorted, or %q iterates", f.Walks.Busy)
	}
	if f.Base.Manager.Shifts() == shifts {
		t.Error("rows have moved, and that is not counted")
	}
	f.check()
}

// byEntities is an order of rows by their entities.
func byEntities(name string, compare func(a, b store.Entity) int) By {
	return By{Name: name, Size: raw.Size[store.Entity](), Compare: raw.Comparison(func(a, b *store.Entity) int { return compare(*a, *b) })}
}

// keysOf are keys of n rows in some form.
func keysOf(form string, n int, r *rand.Rand) []int {
	keys := make([]int, n)
	for i := range keys {
		switch keys[i] = i / 3; form {
		case "random":
			keys[i] = r.IntN(n)
		case "backwards":
			keys[i] = -i
		case "equal":
			keys[i] = 0
		}
	}
	switch {
	case form == "nearly":
		for range n / 50 {
			i := r.IntN(n)
			j := min(n-1, i+r.IntN(30))
			keys[i], keys[j] = keys[j], keys[i]
		}
	case form == "ends" && n > 0: // few, but far from where they belong
		for i := range n / 20 {
			keys[n-1-i*2], keys[i*2] = keys[i*2], keys[n-1-i*2]
		}
	}
	return keys
}

// O3: A comparison may panic: rows are as they were, or sorted in part, and nothing is torn.
func TestSortPanics(t *testing.T) {
	for _, way := range ways {
		f := newFixture(t, 500)
		r := rand.New(rand.NewPCG(4, 4))
		f.give(0, shuffled(r, f.es))
		before := f.rows(0)
		calls := 0
		by := byEntities("Sort", func(a, b store.Entity) int {
			if calls++; calls > 700 {
				panic("enough")
			}
			return cmp.Compare(a, b)
		})
		func() {
			defer func() { recover() }()
			Sort(&f.Base, f.of[0].Main, by, 500, way)
		}()
		if calls <= 700 || f.Walks.Busy != "" {
			t.Errorf("way %d: %d calls, %q iterates", way, calls, f.Walks.Busy)
		}
		if way != InPlace && !slices.Equal(before, f.rows(0)) {
			t.Errorf("way %d: rows have moved", way)
		}
		f.check()
	}
}

// Values of all sizes end in the same order by each way, and so do their keys. Copies of small ones have room to
// spare, and no byte of that takes part.
func TestSortSizes(t *testing.T) {
	for size := 1; size <= inlineMost+9; size++ {
		const n = 600
		f := newFixture(t, n)
		c := &store.Component{}
		spec, err := chunk.SpecOf(reflect.ArrayOf(size, reflect.TypeFor[uint8]()))
		if err != nil {
			t.Fatal(err)
		}
		f.Store.Register(c, "sized", spec, store.Fixed, true)
		r := rand.New(rand.NewPCG(9, uint64(size)))
		of := map[store.Entity][]byte{}
		for _, e := range f.es {
			v := make([]byte, size)
			v[0], v[size-1] = byte(r.IntN(9)), byte(r.IntN(9)) // some are equal
			if of[e] = v; f.Store.Add(c, e, raw.Data(v)) != nil {
				t.Fatal("no room")
			}
		}
		table := c.Tables()[0]
		want := f.rowsOf(table)
		slices.SortStableFunc(want, func(a, b store.Entity) int { return bytes.Compare(of[a], of[b]) })
		values := func(v raw.Ptr) []byte { return raw.Slice[byte](v, size) }
		ordered := []By{
			{Compare: func(a, b raw.Ptr) int { return bytes.Compare(values(a), values(b)) }},
			{Key: func(v raw.Ptr) uint64 { return uint64(values(v)[0])<<8 | uint64(values(v)[size-1]) }},
		}
		for i, way := range []Way{Permute, InPlace, Permute} {
			by := ordered[i/2]
			by.Name, by.Comp, by.Size = "Sort", c, uintptr(size)
			if i > 0 {
				Sort(&f.Base, table, byEntities("back", func(a, b store.Entity) int { return cmp.Compare(a, b) }), n, Permute)
			}
			if Sort(&f.Base, table, by, n, way); !slices.Equal(f.rowsOf(table), want) {
				t.Errorf("%d bytes, way %d, keys %v: not in order", size, way, by.Key != nil)
			}
		}
		for e, v := range of {
			if l, ok := c.Loc(e); !ok || !bytes.Equal(values(c.At(l)), v) {
				t.Fatalf("%d bytes: another value", size)
			}
		}
	}
}

// Rows that lack an optional component follow the others, as they were, by each way of sorting.
func TestSortPartly(t *testing.T) {
	for _, way := range ways {
		f := newFixture(t, 500)
		spec, err := chunk.SpecOf(reflect.TypeFor[uint32]())
		if err != nil {
			t.Fatal(err)
		}
		base, opt := &store.Component{}, &store.Component{}
		f.Store.Register(base, "base", spec, store.Fixed, true)
		f.Store.Register(opt, "opt", spec, store.Optional, true)
		r := rand.New(rand.NewPCG(4, uint64(way)))
		key := map[store.Entity]uint32{}
		for i, e := range f.es {
			v := r.Uint32N(100)
			if err := f.Store.Add(base, e, raw.Of(&v)); err != nil {
				t.Fatal(err)
			}
			if key[e] = math.MaxUint32; i%3 > 0 {
				if key[e] = v; f.Store.Add(opt, e, raw.Of(&v)) != nil {
					t.Fatal("no room")
				}
			}
		}
		table := opt.Tables()[0]
		want := f.rowsOf(table)
		slices.SortStableFunc(want, func(a, b store.Entity) int { return cmp.Compare(key[a], key[b]) })
		by := By{Name: "Sort", Comp: opt, Size: 4, Compare: raw.Comparison(func(a, b *uint32) int { return cmp.Compare(*a, *b) })}
		if Sort(&f.Base, table, by, math.MaxInt, way); !slices.Equal(f.rowsOf(table), want) || len(want) < 400 {
			t.Errorf("way %d: %d rows are not in order", way, len(want))
		}
		if err := f.Store.Check(); err != nil {
			t.Error(err)
		}
	}
}

// The choice is a function of the result of a look.
func TestChoose(t *testing.T) {
	for _, c := range []struct {
		found
		want Way
	}{
		{found{1000, 1, 1 << 20}, InPlace},
		{found{1000, 62, 1 << 20}, InPlace},
		{found{1000, 63, 1 << 20}, Permute},
		{found{1000, 1000, 1 << 20}, Permute},
		{found{1000, 62, 1<<30 + 1}, InPlace},
		{found{1000, 63, 1 << 30}, Permute},
		{found{1000, 63, 1<<30 + 1}, Mixed},
		{found{10, 1, 0}, Permute},
	} {
		if got := choose(c.found); got != c.want {
			t.Errorf("%+v: way %d, want %d", c.found, got, c.want)
		}
	}
}

// A look at rows ends when they are found to be in disorder, and in place is given up when
// rows have to go far; comparisons tell.
func TestSortLooks(t *testing.T) {
	for _, c := range []struct {
		form      string
		most      int // comparisons a row, in tenths
		allocates bool
	}{
		{"sorted", 10, false},
		{"nearly", 30, false},
		{"ends", 150, true},
	} {
		const n = 4000
		f := newFixture(t, n)
		key := keysOf(c.form, n, rand.New(rand.NewPCG(2, 2)))
		f.give(0, f.es)
		at := map[store.Entity]int{}
		for i, e := range f.es {
			at[e] = key[i]
		}
		calls := 0
		by := byEntities("", func(a, b store.Entity) int { calls++; return cmp.Compare(at[a], at[b]) })
		Sort(&f.Base, f.of[0].Main, by, math.MaxInt, Auto)
		if calls > n*c.most/10 {
			t.Errorf("%s: %d comparisons of %d rows", c.form, calls, n)
		}
		f.check()
	}
}

// Keys of all widths come in stable order.
func TestByKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for width := range 65 {
		for _, n := range []int{0, 1, 100, 5000} {
			base := r.Uint64()
			keys := make([]uint64, n)
			for i := range keys {
				keys[i] = r.Uint64() >> min(63, 64-width)
				if width == 0 {
					keys[i] = 0
				}
				if width < 64 && base < ^uint64(0)-1<<width {
					keys[i] += base
				}
			}
			want := make([]uint32, n)
			for i := range want {
				want[i] = uint32(i)
			}
			slices.SortStableFunc(want, func(a, b uint32) int { return cmp.Compare(keys[a], keys[b]) })
			if got := byKeys(keys, make([]uint64, n)); !slices.Equal(got, want) {
				t.Fatalf("%d keys of %d bits are not in order", n, width)
			}
		}
	}
}

// S12: Rows respect an order once: listed entities are first, the others stay behind as they were.
func TestRespect(t *testing.T) {
	f := newFixture(t, 3000)
	r := rand.New(rand.NewPCG(5, 5))
	f.give(0, shuffled(r, f.es[:2000]))
	f.give(1, shuffled(r, f.es[1000:]))
	tables := func(i int) []*store.Table { return []*store.Table{f.of[i].Main} }
	var want []store.Entity
	for _, e := range f.rows(1) {
		if f.comps[0].Has(e) {
			want = append(want, e)
		}
	}
	for _, e := range f.rows(0) {
		if !f.comps[1].Has(e) {
			want = append(want, e)
		}
	}
	other := f.rows(1)
	Respect(tables(0), Each(&f.Base, tables(1), nil))
	if !slices.Equal(f.rows(0), want) || !slices.Equal(f.rows(1), other) {
		t.Error("not in the order of the others")
	}
	Respect(tables(0), Each(&f.Base, tables(2), nil)) // whom nobody follows
	if !slices.Equal(f.rows(0), want) {
		t.Error("rows have moved, and nothing was to be respected")
	}
	f.check()
}
