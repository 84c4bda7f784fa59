package ecs_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Components of all sizes that are copied in a way of their own, none, odd ones and one
// that is wider than kernels copy.
type (
	size0   struct{}
	size1   [1]byte
	size4   [1]uint32
	size7   [7]byte
	size8   [1]uint64
	size12  [3]uint32
	size16  [2]uint64
	size24  [3]uint64
	size32  [4]uint64
	size50  [25]uint16
	size64  [8]uint64
	size100 [100]byte
	size1k6 [200]uint64 // chunks hold few rows, so that a view has rows of many

	label struct { // makes rows of its group so wide that views of all sizes have room beside them
		N uint32
		_ [1000]byte
	}
)

// allSized is a row with a component of each size.
type allSized struct {
	V0   size0
	V1   size1
	V4   size4
	V7   size7
	V8   size8
	V12  size12
	V16  size16
	V24  size24
	V32  size32
	V50  size50
	V64  size64
	V100 size100
	V1k6 size1k6
}

// sizedOf is the row of a number: its values differ from element to element, from column to
// column and from row to row.
func sizedOf(n uint64) (v allSized) {
	next := n * 0x9E3779B97F4A7C15
	draw := func() uint64 { next = next*6364136223846793005 + 1442695040888963407; return next >> 20 }
	v.V1[0] = byte(draw())
	v.V4[0], v.V8[0] = uint32(draw()), draw()
	for i := range v.V7 {
		v.V7[i] = byte(draw())
	}
	for i := range v.V12 {
		v.V12[i] = uint32(draw())
	}
	for i := range v.V16 {
		v.V16[i] = draw()
	}
	for i := range v.V24 {
		v.V24[i] = draw()
	}
	for i := range v.V32 {
		v.V32[i] = draw()
	}
	for i := range v.V50 {
		v.V50[i] = uint16(draw())
	}
	for i := range v.V64 {
		v.V64[i] = draw()
	}
	for i := range v.V100 {
		v.V100[i] = byte(draw())
	}
	for i := range v.V1k6 {
		v.V1k6[i] = draw()
	}
	return v
}

// part is one component of allSized, whatever its type.
type part struct {
	add    func(ecs.Entity, *allSized) error
	later  func(*ecs.Commands, ecs.Entity, *allSized)
	batch  func([]ecs.Entity, *allSized) (int, error)
	set    func(ecs.Entity, *allSized) error
	remove func(ecs.Entity) error
	goes   func(*ecs.Commands, ecs.Entity) // Remove at a safe point
	drop   func([]ecs.Entity) (int, error)
	has    func(ecs.Entity) bool
	is     func(ecs.Entity, *allSized) bool // compares with Get and with All
	copy   func(to, from *allSized)
}

func partOf[T comparable](w *ecs.World, name string, of func(*allSized) *T, how ...ecs.Storage) part {
	p := ecs.Register[T](w, name, how...)
	return part{
		add:    func(e ecs.Entity, v *allSized) error { return p.Add(e, *of(v)) },
		later:  func(c *ecs.Commands, e ecs.Entity, v *allSized) { p.Later(c).Add(e, *of(v)) },
		batch:  func(es []ecs.Entity, v *allSized) (int, error) { return p.AddAll(ecs.Handles(es), *of(v)) },
		set:    func(e ecs.Entity, v *allSized) error { return p.Set(e, *of(v)) },
		remove: p.Remove,
		goes:   func(c *ecs.Commands, e ecs.Entity) { p.Later(c).Remove(e) },
		drop:   func(es []ecs.Entity) (int, error) { return p.RemoveAll(ecs.Handles(es)) },
		has:    p.Has,
		is:     func(e ecs.Entity, v *allSized) bool { got := p.Get(e); return got != nil && *got == *of(v) },
		copy:   func(to, from *allSized) { *of(to) = *of(from) },
	}
}

func partsOf(w *ecs.World) []part {
	return []part{
		partOf(w, "v0", func(v *allSized) *size0 { return &v.V0 }),
		partOf(w, "v1", func(v *allSized) *size1 { return &v.V1 }),
		partOf(w, "v4", func(v *allSized) *size4 { return &v.V4 }),
		partOf(w, "v7", func(v *allSized) *size7 { return &v.V7 }),
		partOf(w, "v8", func(v *allSized) *size8 { return &v.V8 }),
		partOf(w, "v12", func(v *allSized) *size12 { return &v.V12 }),
		partOf(w, "v16", func(v *allSized) *size16 { return &v.V16 }),
		partOf(w, "v24", func(v *allSized) *size24 { return &v.V24 }),
		partOf(w, "v32", func(v *allSized) *size32 { return &v.V32 }),
		partOf(w, "v50", func(v *allSized) *size50 { return &v.V50 }),
		partOf(w, "v64", func(v *allSized) *size64 { return &v.V64 }),
		partOf(w, "v100", func(v *allSized) *size100 { return &v.V100 }),
		partOf(w, "v1k6", func(v *allSized) *size1k6 { return &v.V1k6 }),
	}
}

// sizedWorld is entities with some or all of the components, full ones in a group's
// rows, and the numbers of the rows that their values come from.
type sizedWorld struct {
	t      *testing.T
	w      *ecs.World
	r      *rand.Rand
	parts  []part
	group  *ecs.Group[allSized]
	label  *ecs.Pool[label] // on some: rows of another group, which systems read all sizes from
	calm   bool             // entities with a label keep all components meanwhile
	es     []ecs.Entity
	rows   map[ecs.Entity][]uint64 // by part; 0: none
	serial uint64
}

func newSizedWorld(t *testing.T, o ecs.Options, seed uint64) *sizedWorld {
	w := world(t, o)
	x := &sizedWorld{t: t, w: w, r: rand.New(rand.NewPCG(seed, 31)), parts: partsOf(w), rows: map[ecs.Entity][]uint64{}}
	x.label = ecs.Register[label](w, "label")
	x.group = ecs.Apart(ecs.GroupOf[allSized](w, "sized"))
	ecs.Apart(ecs.GroupOf[struct{ L label }](w, "labelled"))
	return x
}

func (x *sizedWorld) must(err error) {
	if err != nil {
		x.t.Helper()
		x.t.Fatal(err)
	}
}

func (x *sizedWorld) draw() (uint64, *allSized) {
	x.serial++
	v := sizedOf(x.serial)
	return x.serial, &v
}

func (x *sizedWorld) born(e ecs.Entity, serial uint64) {
	x.es = append(x.es, e)
	x.rows[e] = slices.Repeat([]uint64{serial}, len(x.parts))
}

// forget takes entities that were destroyed out of the list.
func (x *sizedWorld) forget(es []ecs.Entity) {
	for _, e := range es {
		delete(x.rows, e)
	}
	x.es = slices.DeleteFunc(x.es, func(e ecs.Entity) bool { return x.rows[e] == nil })
}

func (x *sizedWorld) pick() ecs.Entity { return x.es[x.r.IntN(len(x.es))] }

// some are entities, each once.
func (x *sizedWorld) some(n int) (es []ecs.Entity) {
	for _, i := range x.r.Perm(len(x.es))[:min(n, len(x.es))] {
		es = append(es, x.es[i])
	}
	return es
}

// grow makes entities with all components, in one of the ways there are.
func (x *sizedWorld) grow() {
	serial, v := x.draw()
	es := make([]ecs.Entity, 1+x.r.IntN(90))
	switch x.r.IntN(5) {
	case 0:
		x.born(ok(x.group.Spawn(*v)), serial)
	case 1:
		x.must(x.group.SpawnN(es, []allSized{*v}))
		for _, e := range es {
			x.born(e, serial)
		}
	case 2:
		values, serials := make([]allSized, len(es)), make([]uint64, len(es))
		for i := range values {
			serials[i], v = x.draw()
			values[i] = *v
		}
		x.must(x.group.SpawnN(es, values))
		for i, e := range es {
			x.born(e, serials[i])
		}
	case 3:
		e := x.group.Later(x.w.Commands()).Spawn(*v)
		x.must(x.w.SafePoint())
		x.born(e, serial)
	case 4: // the group takes them with the last component
		for i := range es {
			es[i] = ok(x.w.Spawn())
			x.born(es[i], serial)
		}
		for _, i := range x.r.Perm(len(x.parts)) {
			if n, err := x.parts[i].batch(es, v); n != len(es) || err != nil {
				x.t.Fatalf("AddAll: %d of %d, %v", n, len(es), err)
			}
		}
	}
}

// step changes something.
func (x *sizedWorld) step() {
	if len(x.es) < 30 || len(x.es) < 900 && x.r.IntN(8) == 0 {
		x.grow()
		return
	}
	serial, v := x.draw()
	i := x.r.IntN(len(x.parts))
	p, e := x.parts[i], x.pick()
	has := x.rows[e][i] != 0
	k := x.r.IntN(12)
	if x.calm && x.label.Has(e) && (k == 2 || k == 3 || k == 4) {
		return
	}
	switch {
	case k < 2 && has:
		x.must(p.set(e, v))
		x.rows[e][i] = serial
	case k < 4 && has:
		x.must(p.remove(e))
		x.rows[e][i] = 0
	case k < 5 && has:
		p.goes(x.w.Commands(), e)
		x.must(x.w.SafePoint())
		x.rows[e][i] = 0
	case k < 7 && !has:
		p.later(x.w.Commands(), e, v)
		x.must(x.w.SafePoint())
		x.rows[e][i] = serial
	case k < 7: // one that lacks something gets it back
		for j, p := range x.parts {
			if x.rows[e][j] == 0 {
				x.must(p.add(e, v))
				x.rows[e][j] = serial
			}
		}
	case k == 7:
		es := x.some(40)
		if x.calm {
			es = slices.DeleteFunc(es, x.label.Has)
		}
		ok(p.drop(es))
		for _, e := range es {
			x.rows[e][i] = 0
		}
	case k == 8:
		es := x.some(60)
		ok(p.batch(es, v))
		for _, e := range es {
			if x.rows[e][i] == 0 {
				x.rows[e][i] = serial
			}
		}
	case k == 9:
		es := x.some(x.r.IntN(20))
		if x.r.IntN(2) == 0 { // the last rows of the group go as a block
			es = x.group.Members(nil)
			es = es[len(es)-min(len(es), x.r.IntN(40)):]
		}
		if n := ok(x.w.DestroyAll(ecs.Handles(es))); n != len(es) {
			x.t.Fatalf("%d of %d destroyed", n, len(es))
		}
		x.forget(es)
	case k == 10:
		if x.r.IntN(2) == 0 {
			x.group.Sort(func(a, b ecs.Entity) int { return int(a.Index()*7%13) - int(b.Index()*7%13) })
		} else if x.label.Has(e) {
			x.must(x.label.Remove(e))
		} else {
			es := x.some(60)
			if x.calm {
				es = slices.DeleteFunc(es, x.lacks)
			}
			ok(x.label.AddAll(ecs.Handles(es), label{N: uint32(serial)}))
		}
	default:
		x.must(x.w.Destroy(e))
		x.forget([]ecs.Entity{e})
	}
}

// lacks tells whether an entity lacks a component.
func (x *sizedWorld) lacks(e ecs.Entity) bool { return slices.Contains(x.rows[e], 0) }

// relax begins or ends a time in which all rows with a label have all components, so that
// views of them can be kept.
func (x *sizedWorld) relax(calm bool) {
	if x.calm = calm; calm {
		for _, e := range x.es {
			if x.label.Has(e) && x.lacks(e) {
				x.must(x.label.Remove(e))
			}
		}
	}
}

// want is the values of an entity's components, zero where it lacks one.
func (x *sizedWorld) want(e ecs.Entity) (v allSized) {
	var one allSized
	last := uint64(0)
	for i, serial := range x.rows[e] {
		if serial != 0 {
			if serial != last {
				one, last = sizedOf(serial), serial
			}
			x.parts[i].copy(&v, &one)
		}
	}
	return v
}

// check reads all components of all entities.
func (x *sizedWorld) check(what string) {
	x.t.Helper()
	if x.w.Len() != len(x.es) {
		x.t.Fatalf("%s: %d entities, want %d", what, x.w.Len(), len(x.es))
	}
	for _, e := range x.es {
		want := x.want(e)
		for i, p := range x.parts {
			if has := x.rows[e][i] != 0; p.has(e) != has || has && !p.is(e, &want) {
				x.t.Fatalf("%s: component %d of %v: has it %v, want %v; is as it should be: %v", what, i, e, p.has(e), has, p.is(e, &want))
			}
		}
	}
	x.must(x.w.Check())
}

// sizedReader reads all sizes from rows of another group: they are gathered, or kept.
type sizedReader struct {
	L    []label
	Ents []ecs.Entity
	V0   []size0   `ashlar:"v0"`
	V1   []size1   `ashlar:"v1"`
	V4   []size4   `ashlar:"v4"`
	V7   []size7   `ashlar:"v7"`
	V8   []size8   `ashlar:"v8"`
	V12  []size12  `ashlar:"v12"`
	V16  []size16  `ashlar:"v16"`
	V24  []size24  `ashlar:"v24"`
	V32  []size32  `ashlar:"v32"`
	V50  []size50  `ashlar:"v50"`
	V64  []size64  `ashlar:"v64"`
	V100 []size100 `ashlar:"v100"`
	V1k6 []size1k6 `ashlar:"v1k6"`
}

// sizedLacking reads them also where there are none, as zero.
type sizedLacking struct {
	L    []label
	Ents []ecs.Entity
	V0   ecs.Maybe[size0]   `ashlar:"v0"`
	V1   ecs.Maybe[size1]   `ashlar:"v1"`
	V4   ecs.Maybe[size4]   `ashlar:"v4"`
	V7   ecs.Maybe[size7]   `ashlar:"v7"`
	V8   ecs.Maybe[size8]   `ashlar:"v8"`
	V12  ecs.Maybe[size12]  `ashlar:"v12"`
	V16  ecs.Maybe[size16]  `ashlar:"v16"`
	V24  ecs.Maybe[size24]  `ashlar:"v24"`
	V32  ecs.Maybe[size32]  `ashlar:"v32"`
	V50  ecs.Maybe[size50]  `ashlar:"v50"`
	V64  ecs.Maybe[size64]  `ashlar:"v64"`
	V100 ecs.Maybe[size100] `ashlar:"v100"`
	V1k6 ecs.Maybe[size1k6] `ashlar:"v1k6"`
}

// sizedWriter changes some of its columns, from rows of another group.
type sizedWriter struct {
	L    []label
	Ents []ecs.Entity
	V7   ecs.Write[size7]   `ashlar:"v7"`
	V12  ecs.Write[size12]  `ashlar:"v12"`
	V32  ecs.Write[size32]  `ashlar:"v32"`
	V64  ecs.Write[size64]  `ashlar:"v64"`
	V100 ecs.Write[size100] `ashlar:"v100"`
}

func (x *sizedWorld) systems() {
	look := func(e ecs.Entity, l label, got allSized) {
		if want := x.want(e); got != want {
			x.t.Fatalf("frame %d: %v reads\n%v, want\n%v", x.w.Frame(), e, got, want)
		}
		if p := x.label.Get(e); p == nil || *p != l {
			x.t.Fatalf("frame %d: the label of %v is %d, and %v", x.w.Frame(), e, l.N, p)
		}
	}
	ecs.System(x.w, "look", func(c *sizedReader) {
		for i, e := range c.Ents {
			look(e, c.L[i], allSized{c.V0[i], c.V1[i], c.V4[i], c.V7[i], c.V8[i], c.V12[i], c.V16[i], c.V24[i], c.V32[i], c.V50[i], c.V64[i], c.V100[i], c.V1k6[i]})
		}
	})
	ecs.System(x.w, "look.lacking", func(c *sizedLacking) {
		for i, e := range c.Ents {
			look(e, c.L[i], allSized{c.V0[i], c.V1[i], c.V4[i], c.V7[i], c.V8[i], c.V12[i], c.V16[i], c.V24[i], c.V32[i], c.V50[i], c.V64[i], c.V100[i], c.V1k6[i]})
		}
	})
	ecs.System(x.w, "touch", func(c *sizedWriter) {
		for i, e := range c.Ents {
			if e.Index()%50 != 0 || x.calm && x.w.Frame()%8 != 0 {
				continue
			}
			serial, v := x.draw()
			c.V7[i], c.V12[i], c.V32[i], c.V64[i], c.V100[i] = v.V7, v.V12, v.V32, v.V64, v.V100
			for _, part := range []int{3, 5, 8, 10, 11} {
				x.rows[e][part] = serial
			}
		}
	})
}

// T5: Components of all sizes keep their values, alone and in a group's rows, through spawns of
// every kind, batches, commands, additions, removals, sorts and moves; and systems over other
// rows read and write them through views, gathered and kept.
func TestComponentsOfAllSizes(t *testing.T) {
	t.Parallel()
	heap := arena.Options{Backend: arena.Heap}
	steps := 1000
	switch {
	case race.Enabled:
		steps = 300
	case testing.Short():
		steps = 900
	}
	for name, o := range map[string]ecs.Options{
		"plain":   {},
		"kept":    {Views: ecs.Views{Always: true}},
		"off":     ecs.WithRunLength(ecs.Options{Views: ecs.Views{Off: true}}, 1),
		"stress":  {Views: ecs.Views{Always: true}, Memory: memmgr.Options{Stress: true}},
		"on heap": ecs.WithRunLength(ecs.Options{Views: ecs.Views{Always: true}, Memory: memmgr.Options{Arena: heap}}, 1),
	} {
		t.Run(name, func(t *testing.T) {
			x := newSizedWorld(t, o, 1)
			x.systems()
			for i := range steps {
				if x.step(); i%9 == 0 || x.calm { // few changes between frames, so that views are refreshed
					x.must(x.w.Run(t.Context()))
				}
				if i%100 == 0 {
					x.relax(x.r.IntN(3) > 0)
				}
				if x.r.IntN(30) == 0 {
					for range 3 {
						x.must(x.w.Run(t.Context()))
					}
				}
				if i%60 == 0 {
					x.check(fmt.Sprint("step ", i))
				}
			}
			x.check("at the end")
			if x.w.Frame() == 0 || x.label.Len() == 0 || x.group.Len() == 0 {
				t.Errorf("%d frames, %d labelled, %d in the group: the test says nothing", x.w.Frame(), x.label.Len(), x.group.Len())
			}
			refreshed := uint64(0)
			for _, v := range ecs.SharedOf(x.w) {
				refreshed += uint64(v.Refreshed)
			}
			if o.Views.Always && !o.Memory.Stress && refreshed == 0 { // moved rows are gathered anew
				t.Errorf("no view was refreshed: %+v", ecs.SharedOf(x.w))
			}
		})
	}
}
