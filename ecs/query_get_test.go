package ecs_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

type (
	gotA struct{ N int64 }
	gotB struct{ N, M int64 }
	gotC struct{ N int64 }
	gotX struct{ N int64 }
	// gotAll has each kind of field that Get fills.
	gotAll struct {
		E ecs.Entity
		A ecs.WriteOne[gotA]
		M *int64 `ashlar:"gotb.M"`
		C ecs.MaybeOne[gotC]
		L *ecs.Pool[gotX]
		_ ecs.Without[gotX]
	}
	gotTwo struct {
		A *gotA
		B *gotB
	}
	// gotSwapped, gotOne and gotOnly are read without a struct in memory, as gotTwo is.
	gotSwapped struct {
		B *gotB
		A *gotA
	}
	gotEither struct {
		A *gotA
		B ecs.MaybeOne[gotB]
	}
	gotOne struct {
		M *int64 `ashlar:"gotb.M"`
	}
	gotOnly struct {
		_ ecs.Without[gotX]
		_ ecs.With[gotC]
		A *gotA
		B *gotB
	}
	// gotThree has more than the two that a plan fills, gotBare no value that all rows have.
	gotThree struct {
		C *gotC
		B *gotB
		A *gotA
		_ ecs.Without[gotX]
	}
	gotBare struct {
		E ecs.Entity
		_ ecs.With[gotA]
	}
	gotPerhaps struct {
		X ecs.MaybeWriteOne[gotX]
		_ ecs.With[gotB]
	}
)

// Get of a query gives the values of the pools, for entities that match and for no others: whichever way
// the components are stored, while rows, chunks and bits change, and within a walk that has copies.
func TestQueryGetAgreesWithPools(t *testing.T) {
	ways := []ecs.Storage{ecs.Stable, ecs.Volatile, ecs.Thin}
	for k := 0; k < 81; k += 7 {
		how := [4]ecs.Storage{ways[k%3], ways[k/3%3], ways[k/9%3], ways[k/27]}
		o := ecs.Options{}
		if k%2 == 1 {
			o.Memory.Stress = true
		}
		testQueryGet(t, fmt.Sprint(how), o, how, uint64(k))
	}
}

func testQueryGet(t *testing.T, name string, o ecs.Options, how [4]ecs.Storage, seed uint64) {
	w := ecs.New(o)
	defer w.Close()
	a, b := ecs.Register[gotA](w, "gota", how[0]), ecs.Register[gotB](w, "gotb", how[1])
	c, x := ecs.Register[gotC](w, "gotc", how[2]), ecs.Register[gotX](w, "gotx", how[3])
	all, two := ecs.QueryOf[gotAll](w), ecs.QueryOf[gotTwo](w)
	three, bare, perhaps := ecs.QueryOf[gotThree](w), ecs.QueryOf[gotBare](w), ecs.QueryOf[gotPerhaps](w)
	either := ecs.QueryOf[gotEither](w)
	swapped, one, only := ecs.QueryOf[gotSwapped](w), ecs.QueryOf[gotOne](w), ecs.QueryOf[gotOnly](w)
	changed := ecs.QueryOf[struct {
		A *gotA
		_ ecs.Changed[gotA]
	}](w)
	r := rand.New(rand.NewPCG(seed, 1))
	es := make([]ecs.Entity, 300)
	off := map[ecs.Entity]bool{} // of a
	compare := func(what string) {
		t.Helper()
		for _, e := range append(es[:len(es):len(es)], 0) {
			va, vb := a.Get(e), b.Get(e)
			is := va != nil && vb != nil && !off[e]
			if s, has := two.Get(e); has != is || is && (s.A != va || s.B != vb) || !is && s != (gotTwo{}) {
				t.Fatalf("%s, %s: two of %v are %v %v, want %p %p", name, what, e, s, has, va, vb)
			}
			if s, has := swapped.Get(e); has != is || is && (s.A != va || s.B != vb) || !is && s != (gotSwapped{}) {
				t.Fatalf("%s, %s: two of %v, swapped, are %v %v, want %p %p", name, what, e, s, has, va, vb)
			}
			if s, has := either.Get(e); has != (va != nil && !off[e]) || has && (s.A != va || (*gotB)(s.B) != vb) || !has && s != (gotEither{}) {
				t.Fatalf("%s, %s: a, and b if it is there, of %v are %v %v, want %p %p", name, what, e, s, has, va, vb)
			}
			if s, has := one.Get(e); has != (vb != nil) || has && s.M != &vb.M || !has && s != (gotOne{}) {
				t.Fatalf("%s, %s: one of %v is %v %v, want one of %p", name, what, e, s, has, vb)
			}
			just := is && c.Has(e) && !x.Has(e)
			if s, has := only.Get(e); has != just || just && (s.A != va || s.B != vb) || !just && s != (gotOnly{}) {
				t.Fatalf("%s, %s: two of %v, with c and without x, are %v %v, want %v", name, what, e, s, has, just)
			}
			if s, has := bare.Get(e); has != (va != nil && !off[e]) || has && s.E != e || !has && s != (gotBare{}) {
				t.Fatalf("%s, %s: %v with a is %v, %v", name, what, e, s, has)
			}
			if s, has := perhaps.Get(e); has != (vb != nil) || has && s.X != x.Get(e) || !has && s != (gotPerhaps{}) {
				t.Fatalf("%s, %s: %v with b, perhaps x, is %v, %v", name, what, e, s, has)
			}
			is = is && !x.Has(e)
			s3, has3 := three.Get(e)
			if vc := c.Get(e); has3 != (is && vc != nil) || has3 && (s3.A != va || s3.B != vb || s3.C != vc) || !has3 && s3 != (gotThree{}) {
				t.Fatalf("%s, %s: three of %v are %v %v", name, what, e, s3, has3)
			}
			s, has := all.Get(e)
			if has != is || is && (s.E != e || s.A != va || s.M != &vb.M || s.C != c.Get(e) || s.L != x) || !is && s != (gotAll{}) {
				t.Fatalf("%s, %s: all of %v are %v %v, want %v", name, what, e, s, has, is)
			}
		}
	}
	for step := range 20 {
		for range 40 {
			i := r.IntN(len(es))
			e := es[i]
			if !w.Alive(e) {
				es[i] = ok(w.Spawn())
				continue
			}
			switch r.IntN(12) {
			case 0:
				ok(0, w.Destroy(e))
				delete(off, e)
			case 1:
				if a.Remove(e) == nil {
					delete(off, e)
				}
			case 2:
				b.Remove(e)
			case 3:
				c.Remove(e)
			case 4:
				c.Add(e, gotC{int64(i)})
			case 5:
				x.Remove(e)
			case 6:
				x.Add(e, gotX{int64(i)})
			case 7:
				if step%10 > 5 && a.SetEnabled(e, r.IntN(2) == 0) == nil {
					off[e] = !a.Enabled(e)
				}
			case 8, 9:
				a.Add(e, gotA{int64(i)})
			default:
				b.Add(e, gotB{int64(i), 2})
			}
		}
		if step%10 == 9 {
			for e := range off {
				a.SetEnabled(e, true)
			}
			clear(off)
		}
		compare(fmt.Sprint("step ", step))
		ok(0, w.Run(t.Context()))
		compare(fmt.Sprint("frame ", step))
	}
	for range ecs.QueryOf[struct {
		B ecs.Write[gotB]
		A ecs.Write[gotA]
		C ecs.Maybe[gotC]
	}](w).All() {
		compare("within a walk")
	}
	compare("after it")
	for range changed.All() {
	}
	var want ecs.Entity
	for _, e := range es {
		if s, has := all.Get(e); has { // which writes its chunk
			want = e
			s.A.N++
			break
		}
	}
	if _, has := changed.Get(want); !has && want != 0 {
		t.Errorf("%s: a value that Get gave for writing is not marked", name)
	}
}
