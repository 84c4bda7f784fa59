package ecs_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// pose is registered split.
type pose struct {
	At, Scale vec3
	_         uint32
	Mode      uint8
	Turn      [2]uint64
}

// A split component, its fields and what goes over them agree with a map, whichever way they are stored.
func TestSplitModel(t *testing.T) {
	for _, how := range [][]ecs.Storage{nil, {ecs.Stable}, {ecs.Volatile}, {ecs.Thin}} {
		for seed := range uint64(3) {
			w := world(t, ecs.Options{Memory: memmgr.Options{Stress: seed == 2}})
			playSplit(t, w, rand.New(rand.NewPCG(seed, 5)), how)
			ok(0, w.Check())
		}
	}
}

func playSplit(t *testing.T, w *ecs.World, r *rand.Rand, how []ecs.Storage) {
	poses := ecs.RegisterSplit[pose](w, "pose", how...)
	turns := ecs.SplitField[[2]uint64](poses, "Turn")
	ecs.Register[frozen](w, "frozen", ecs.Volatile)
	hps := ecs.Register[hp](w, "hp")
	spawn := ecs.SpawnerOf[struct {
		pose
		HP hp
	}](w)
	ecs.System(w, "move", func(c *struct {
		At    ecs.Write[vec3]      `ashlar:"pose.At"`
		Scale ecs.Strided[float32] `ashlar:"pose.Scale.Y"`
		Mode  *ecs.Pool[uint8]     `ashlar:"pose.Mode"`
		Turn  ecs.Look[[2]uint64]  `ashlar:"pose.Turn"`
		Ents  []ecs.Entity
		_     ecs.Without[frozen]
	}) {
		for i, e := range c.Ents {
			c.At[i].X += *c.Scale.At(i) + float32(c.Turn.Get(e)[1]%16)
			*c.Mode.Mut(e)++
		}
	})
	lift := ecs.QueryOf[struct {
		At ecs.Write[vec3] `ashlar:"pose.At"`
	}](w)
	outer := 0
	ecs.System(w, "whole", func(c *struct {
		P    ecs.Write[pose]  `ashlar:"pose"`
		Mode *ecs.Pool[uint8] `ashlar:"pose.Mode"`
		Ents []ecs.Entity
	}) {
		for i, e := range c.Ents {
			p := &c.P[i]
			p.At.X, p.Scale.Y, p.Turn[0] = p.At.X+2, p.Scale.Y+1, p.Turn[0]+p.Turn[1]
			if *c.Mode.Mut(e) += 3; p.Mode != *c.Mode.Get(e) {
				panic("the whole value and the handle see two modes")
			}
		}
		if outer++; outer%3 == 0 {
			for c := range lift.All() {
				for i := range c.At {
					c.At[i].Y++
				}
			}
		}
	})
	ecs.System(w, "reads", func(c *struct {
		P    []pose
		Turn *ecs.Pool[[2]uint64] `ashlar:"pose.Turn"`
		Ents []ecs.Entity
		_    ecs.Without[hp]
	}) {
		for i, e := range c.Ents {
			if v, has := poses.Load(e); !has || v != c.P[i] {
				panic("a value of the slice is not the entity's")
			}
			if c.Turn.Mut(e)[1]++; c.P[i].Turn[1] != c.Turn.Get(e)[1] {
				panic("what a handle wrote is not in the slice")
			}
		}
	})
	want := map[ecs.Entity]*pose{}
	var es []ecs.Entity
	for i := range 600 {
		v := pose{At: vec3{float32(i), 1, 2}, Scale: vec3{1, float32(r.IntN(9)), 3}, Mode: uint8(i), Turn: [2]uint64{r.Uint64() % 99, uint64(i)}}
		e := ecs.Entity(0)
		if len(es) > 0 {
			e = es[r.IntN(len(es))]
		}
		had := want[e]
		switch r.IntN(8) {
		case 0, 1:
			e = ok(spawn.Spawn(struct {
				pose
				HP hp
			}{pose: v}))
			es, want[e] = append(es, e), &v
		case 2:
			e = ok(w.Spawn())
			ok(0, poses.Add(e, v))
			es, want[e] = append(es, e), &v
		case 3:
			splitErr(t, poses.Set(e, v), e, had, ecs.ErrAbsent, true)
			if had != nil {
				want[e] = &v
			}
		case 4:
			splitErr(t, poses.Remove(e), e, had, ecs.ErrAbsent, true)
			delete(want, e)
		case 5:
			splitErr(t, poses.Add(e, v), e, had, ecs.ErrPresent, false)
			if e != 0 {
				if had == nil {
					want[e] = &v
				}
			}
		case 6:
			if p := turns.Mut(e); p != nil {
				p[0]++
				had.Turn[0]++
			}
			if e != 0 && had != nil && !hps.Has(e) {
				ok(0, hps.Add(e, hp{}))
			}
		case 7:
			was := outer
			ok(0, w.Run(t.Context()))
			for e, v := range want {
				v.At.X += v.Scale.Y + float32(v.Turn[1]%16)
				v.At.X, v.Scale.Y, v.Turn[0], v.Mode = v.At.X+2, v.Scale.Y+1, v.Turn[0]+v.Turn[1], v.Mode+4
				v.At.Y += float32(outer/3 - was/3)
				if !hps.Has(e) {
					v.Turn[1]++
				}
			}
		}
		for _, e := range es {
			got, has := poses.Load(e)
			if v := want[e]; has != (v != nil) || has && got != *v {
				t.Fatalf("%v: step %d: %v has %v, %v, want %v", how, i, e, got, has, v)
			}
		}
	}
}

// splitErr holds an error against whether the entity has the component.
func splitErr(t *testing.T, err error, e ecs.Entity, had *pose, want error, needs bool) {
	t.Helper()
	switch {
	case e == 0:
		want = ecs.ErrStale
	case had != nil == needs:
		want = nil
	}
	if !errors.Is(err, want) {
		t.Fatalf("%v with %v: %v, want %v", e, had, err, want)
	}
}

// What lacks one field lacks the whole, and nothing changes where one is locked or there.
func TestSplitInPart(t *testing.T) {
	w := world(t, ecs.Options{})
	poses := ecs.RegisterSplit[pose](w, "pose")
	turns, modes := ecs.SplitField[[2]uint64](poses, "Turn"), ecs.SplitField[uint8](poses, "Mode")
	e := ok(w.Spawn())
	ok(0, turns.Add(e, [2]uint64{1, 2}))
	if _, has := poses.Load(e); has || !errors.Is(poses.Add(e, pose{}), ecs.ErrPresent) || !errors.Is(poses.Set(e, pose{}), ecs.ErrAbsent) || !errors.Is(poses.Remove(e), ecs.ErrAbsent) || modes.Has(e) || *turns.Get(e) != [2]uint64{1, 2} {
		t.Error("a field of it is taken for the whole, or has changed")
	}
	if err := poses.Set(e, pose{}); !strings.Contains(err.Error(), "pose.At") {
		t.Errorf("%v does not say which component is absent", err)
	}
	ok(0, turns.Remove(e))
	ok(0, poses.Add(e, pose{Mode: 7}))
	if w.Pool("pose.Turn") != ecs.AnyPool(turns) {
		t.Error("the pool of a field is another one by name")
	}
	at := w.Pool("pose.At")
	for b := range ecs.Select(w, ecs.Match{With: []ecs.AnyPool{at}}).All() {
		if v, is := b.Column(at).([]vec3); !is || len(v) != 1 {
			t.Errorf("a column of a field is %T", b.Column(at))
		}
	}
}

func TestSplitRefused(t *testing.T) {
	for want, f := range map[string]func(w *ecs.World){
		"is not a struct with fields":                     func(w *ecs.World) { ecs.RegisterSplit[int](w, "x") },
		"has a Go pointer":                                func(w *ecs.World) { ecs.RegisterSplit[struct{ P *int }](w, "x") },
		"the name is taken by ecs_test.hp":                func(w *ecs.World) { ecs.RegisterSplit[struct{ A, B int16 }](w, "hp") },
		"ecs_test.hp is registered already":               func(w *ecs.World) { ecs.RegisterSplit[hp](w, "x") },
		"ecs_test.pose is registered already":             func(w *ecs.World) { ecs.RegisterSplit[pose](w, "x") },
		"ecs_test.pose is split: its fields are":          func(w *ecs.World) { ecs.Register[pose](w, "x") },
		"name one by a tag, such as `ashlar:\"pose.At\"`": func(w *ecs.World) { ecs.QueryOf[struct{ _ ecs.With[pose] }](w) },
		"so its values lie nowhere side by side":          func(w *ecs.World) { ecs.QueryOf[struct{ P *pose }](w) },
		"overlap, and one of them is written": func(w *ecs.World) {
			ecs.QueryMade[struct {
				P  ecs.Write[pose]
				At []vec3 `ashlar:"pose.At"`
			}](w)
		},
	} {
		w := world(t, ecs.Options{})
		ecs.Register[hp](w, "hp")
		poses := ecs.RegisterSplit[pose](w, "pose")
		if f(w); w.Err() == nil {
			t.Errorf("%s: not refused", want)
			continue
		}
		f(w)
		if err := w.Err(); !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		p := ecs.SplitField[uint16](poses, "Mode")
		if err := w.Err(); err == nil || !strings.Contains(err.Error(), `"pose.Mode": ecs_test.pose has no field of type uint16`) || p.Get(0) != nil || p.Set(0, 1) == nil {
			t.Error(err)
		}
		s := ecs.RegisterSplit[struct{ A, B int16 }](w, "hp")
		if none, has := s.Load(1); has || s.Set(1, none) == nil || s.Add(1, none) == nil || s.Remove(1) == nil {
			t.Error("a refused one does something")
		}
		w.Err()
	}
}

// setOfSplit is fields that share a column: an embedded struct is one field.
type setOfSplit struct{ A, B int32 }

type withSet struct {
	setOfSplit
	C int64
}

// A declared set of fields has one column, and a whole value has its fields. Pools of fields do what pools do.
func TestSplitSetsAndPools(t *testing.T) {
	w := world(t, ecs.Options{})
	whole := ecs.RegisterSplit[withSet](w, "kit")
	set, c := ecs.SplitField[setOfSplit](whole, "setOfSplit"), ecs.SplitField[int64](whole, "C")
	es := make([]ecs.Entity, 100)
	ok(0, ecs.SpawnerOf[struct{ withSet }](w).SpawnN(es, []struct{ withSet }{{withSet{setOfSplit{1, 2}, 3}}}))
	sum := int64(0)
	ecs.System(w, "sum", func(s *struct {
		Set  []setOfSplit
		B    ecs.Strided[int32] `ashlar:"kit.setOfSplit.B"`
		Kits []withSet
	}) {
		for i, k := range s.Kits {
			sum += int64(*s.B.At(i)+s.Set[i].A) + k.C + int64(k.B)
		}
	})
	ok(0, w.Run(t.Context()))
	if sum != 100*8 {
		t.Errorf("a sum of %d, want 800", sum)
	}
	all := ecs.QueryOf[struct{ _ ecs.With[setOfSplit] }](w)
	n := ok(c.RemoveAll(all))
	m := ok(c.AddAll(all, 0))
	for e := range c.All() {
		*c.Mut(e) = int64(e.Index())
	}
	ok(0, c.SetEnabled(es[7], false))
	for e, v := range c.All() {
		if *v != int64(e.Index()) || c.Enabled(e) != (e != es[7]) || !set.Has(e) {
			t.Fatalf("%v has %d", e, *v)
		}
	}
	if n != 100 || m != 100 || c.Set(es[3], 5) != nil || *c.Get(es[3]) != 5 || c.Remove(es[3]) != nil || c.Has(es[3]) || !errors.Is(whole.Set(es[3], withSet{}), ecs.ErrAbsent) {
		t.Errorf("%d removed, %d added, want 100", n, m)
	}
}
