package ecs_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// numbered is a component that says which entity it is of.
type numbered struct{ N int32 }

// where has entities in several tables: all have a number, some a name, some a wide value.
type where struct {
	w      *ecs.World
	number *ecs.Pool[numbered]
	name   *ecs.Pool[name16]
	wide   *ecs.Pool[[9]uint64]
}

func newWhere(t *testing.T, n int, how ecs.Storage) (x where) {
	t.Helper()
	x.w = world(t, ecs.Options{})
	x.number, x.name = ecs.Register[numbered](x.w, "number"), ecs.Register[name16](x.w, "name", how)
	x.wide = ecs.Register[[9]uint64](x.w, "wide")
	for i := range n {
		e := ok(x.w.Spawn())
		ok(0, x.number.Add(e, numbered{int32(i)}))
		if i%3 == 0 {
			ok(0, x.name.Add(e, name16{byte(i)}))
		}
		if i%5 < 2 {
			ok(0, x.wide.Add(e, [9]uint64{uint64(i)}))
		}
	}
	return x
}

func (x where) first() (e ecs.Entity) {
	for e = range x.w.All() {
		break
	}
	return e
}

// order is the numbers of all rows as a query goes over them.
func (x where) order() (list []int32) {
	q := ecs.QueryOf[struct{ N []numbered }](x.w)
	for c := range q.All() {
		for _, n := range c.N {
			list = append(list, n.N)
		}
	}
	return list
}

// DestroyWhere leaves what slices.DeleteFunc leaves, in its order, in every way of storing, for few
// rows and many. The predicate is asked once for each row, in order.
func TestDestroyWhereKeepsOrder(t *testing.T) {
	for _, how := range []ecs.Storage{ecs.Counted, ecs.Volatile, ecs.Thin} {
		for _, share := range []int{0, 1, 2, 50, 99, 100} {
			x := newWhere(t, 20_000, how)
			rng := rand.New(rand.NewPCG(1, uint64(share)))
			want, asked, dead := x.order(), []int32(nil), map[int32]bool{}
			before := slices.Clone(want)
			for _, n := range want {
				if rng.IntN(100) < share {
					dead[n] = true
				}
			}
			want = slices.DeleteFunc(want, func(n int32) bool { return dead[n] })
			type rows struct{ N []numbered }
			q := ecs.QueryOf[rows](x.w)
			n, err := q.DestroyWhere(func(c *rows, i int) bool {
				asked = append(asked, c.N[i].N)
				return dead[c.N[i].N]
			})
			if n != len(dead) || err != nil || x.w.Len() != len(want) {
				t.Fatalf("storage %d, %d %%: %d of %d destroyed, %v; %d left of %d", how, share, n, len(dead), err, x.w.Len(), len(want))
			}
			if !slices.Equal(asked, before) {
				t.Errorf("storage %d, %d %%: the rows asked about are %d, want %d in order", how, share, len(asked), len(before))
			}
			if got := x.order(); !slices.Equal(got, want) {
				t.Errorf("storage %d, %d %%: order of rows differs from slices.DeleteFunc", how, share)
			}
			ok(0, x.w.Check())
		}
	}
}

// A predicate sees rows in each form of a struct: gathered ones, numbers of rows, pointers.
func TestWhereInEachForm(t *testing.T) {
	const n = 5000
	odd := func(v numbered) bool { return v.N%2 == 1 }
	type filtered struct {
		N []numbered
		_ ecs.Without[name16]
	}
	type inRows struct {
		Rows ecs.Rows
		N    []numbered
		_    ecs.Without[name16]
	}
	type pointed struct {
		N *numbered
		E ecs.Entity
		_ ecs.Without[name16]
	}
	type part struct {
		N []int32 `ashlar:"number.N"`
		_ ecs.Without[name16]
	}
	for _, how := range []ecs.Storage{ecs.Counted, ecs.Volatile, ecs.Thin} {
		for form, call := range map[string]func(w *ecs.World) (int, error){
			"slices": func(w *ecs.World) (int, error) {
				return ecs.QueryOf[filtered](w).DestroyWhere(func(c *filtered, i int) bool { return odd(c.N[i]) })
			},
			"numbers": func(w *ecs.World) (int, error) {
				return ecs.QueryOf[inRows](w).DestroyWhere(func(c *inRows, i int) bool { return odd(c.N[i]) })
			},
			"pointers": func(w *ecs.World) (int, error) {
				return ecs.QueryOf[pointed](w).DestroyWhere(func(c *pointed, i int) bool {
					if i != 0 || !w.Alive(c.E) {
						t.Errorf("row %d of pointers", i)
					}
					return odd(*c.N)
				})
			},
			"part": func(w *ecs.World) (int, error) {
				return ecs.QueryOf[part](w).DestroyWhere(func(c *part, i int) bool { return c.N[i]%2 == 1 })
			},
		} {
			x := newWhere(t, n, how)
			if how == ecs.Counted { // and some that are disabled, which a query passes over
				for _, e := range slices.Collect(x.w.All()) {
					if x.number.Get(e).N%10 == 7 {
						ok(0, x.number.SetEnabled(e, false))
					}
				}
			}
			want := 0
			for e, v := range x.number.All() {
				if odd(*v) && !x.name.Has(e) && x.number.Enabled(e) {
					want++
				}
			}
			got, err := call(x.w)
			if got != want || err != nil || x.w.Len() != n-want {
				t.Errorf("storage %d, %s: %d destroyed, want %d, %v", how, form, got, want, err)
			}
			for e, v := range x.number.All() {
				if odd(*v) && !x.name.Has(e) && x.number.Enabled(e) {
					t.Fatalf("storage %d, %s: %v is left", how, form, *v)
				}
			}
			ok(0, x.w.Check())
		}
	}
}

// Locked entities stay.
func TestWhereLeavesLocked(t *testing.T) {
	x := newWhere(t, 3000, ecs.Counted)
	lock := x.w.NewLock("kept")
	held := 0
	for _, e := range slices.Collect(x.w.All()) {
		if v := x.name.Get(e); v != nil && v[0]%50 == 0 {
			ok(0, lock.Hold(e, "test"))
			held++
		}
	}
	type rows struct{ Name []name16 }
	q := ecs.QueryOf[rows](x.w)
	all := func(*rows, int) bool { return true }
	if n, err := q.DestroyWhere(all); n != 1000-held || err != nil || x.name.Len() != held {
		t.Errorf("%d destroyed, %v; %d are left of %d held", n, err, x.name.Len(), held)
	}
	if n, err := q.DestroyWhere(all); n != 0 || err != nil {
		t.Errorf("%d destroyed of locked ones, %v", n, err)
	}
	ok(0, x.w.Check())
}

// Calls at a wrong time or with wrong arguments say so, and a panic of the predicate leaves all rows.
func TestWhereRefuses(t *testing.T) {
	x := newWhere(t, 10, ecs.Counted)
	type rows struct{ N []numbered }
	q := ecs.QueryOf[rows](x.w)
	none := func(*rows, int) bool { return false }
	for want, call := range map[string]func(){
		"without a function": func() { _, _ = q.DestroyWhere(nil) },
		"DestroyWhere while a query": func() {
			for range q.All() {
				_, _ = q.DestroyWhere(none)
			}
		},
		"Destroy while a query": func() { _, _ = q.DestroyWhere(func(*rows, int) bool { _ = x.w.Destroy(x.first()); return true }) },
	} {
		func() {
			defer func() {
				if p := recover(); p == nil || !strings.Contains(strings.ToLower(fmt.Sprint(p)), strings.ToLower(want)) {
					t.Errorf("%q: %v", want, p)
				}
			}()
			call()
		}()
	}
	if x.w.Len() != 10 {
		t.Errorf("%d are left of 10", x.w.Len())
	}
	ok(0, x.w.Check())
	if n, err := q.DestroyWhere(func(c *rows, i int) bool { return c.N[i].N < 4 }); n != 4 || err != nil {
		t.Errorf("after a panic: %d, %v", n, err)
	}
	ok(0, x.w.Close())
	if _, err := q.DestroyWhere(none); !errors.Is(err, ecs.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}
