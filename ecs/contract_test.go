package ecs_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

type (
	limb  struct{ N int64 }
	joint struct{ N int64 }
	extra struct{ N int64 }
	frame struct {
		limb
		joint
	}
	limbs struct {
		L ecs.WriteOne[limb]
		J *joint
		X ecs.MaybeOne[extra]
	}
)

// bound is a world of entities, each with a contract.
type bound struct {
	t      *testing.T
	w      *ecs.World
	limbs  *ecs.Pool[limb]
	joints *ecs.Pool[joint]
	extras *ecs.Pool[extra]
	spawn  *ecs.Spawner[frame]
	s      *ecs.Schema[limbs]
	f      *ecs.Field[limbs, limb] // nil where the limbs need not stay
	es     []ecs.Entity
	cs     []ecs.Contract[limbs]
}

// match is a query of all that have a component.
func (b *bound) match(p ecs.AnyPool) *ecs.Selection {
	return ecs.Select(b.w, ecs.Match{With: []ecs.AnyPool{p}})
}

func newBound(t *testing.T, o ecs.Options, n int, how ...ecs.Storage) *bound {
	b := &bound{t: t, w: ecs.New(o), es: make([]ecs.Entity, n)}
	b.limbs, b.joints, b.extras = ecs.Register[limb](b.w, "limb", how...), ecs.Register[joint](b.w, "joint"), ecs.Register[extra](b.w, "extra", how...)
	b.spawn, b.s = ecs.SpawnerOf[frame](b.w), ecs.SchemaOf[limbs](b.w)
	if slices.Equal(how, []ecs.Storage{ecs.Stable}) {
		b.f = new(ecs.FieldOf[limb](b.s))
	}
	for i := range b.es {
		b.es[i] = ok(b.spawn.Spawn(frame{limb{int64(i)}, joint{int64(-i)}}))
	}
	for _, e := range b.es {
		b.cs = append(b.cs, ok(b.s.Bind(e)))
	}
	return b
}

// see compares all contracts with pools, but for some that must be gone.
func (b *bound) see(what string, gone ...int) {
	b.t.Helper()
	for i := range b.cs {
		c := &b.cs[i]
		v, is := b.s.Get(c)
		if want := !slices.Contains(gone, i); is != want || b.s.Valid(c) != want {
			b.t.Errorf("%s: contract %d gives %v, holds %v; want %v", what, i, is, b.s.Valid(c), want)
			continue
		}
		if is && (v.L != b.limbs.Get(b.es[i]) || v.J != b.joints.Get(b.es[i]) || v.X != b.extras.Get(b.es[i])) {
			b.t.Errorf("%s: contract %d gives %v %v %v, Get others", what, i, v.L, v.J, v.X)
		}
		if is && b.f != nil && b.f.At(c) != v.L {
			b.t.Errorf("%s: the field of contract %d is another one", what, i)
		}
		if is && (v.L.N != int64(i) || v.J.N != int64(-i)) {
			b.t.Errorf("%s: contract %d gives another entity's values: %v %v", what, i, v.L, v.J)
		}
	}
}

// R1, R2, R3, R4: Events of a contract: the table of docs/design/contracts.md.
func TestContractsHold(t *testing.T) {
	const me = 3
	all := []int{0, 1, 2, 3, 4, 5, 6, 7}
	none := []int(nil)
	for what, does := range map[string]struct {
		do   func(b *bound)
		gone []int
	}{
		"nothing":                       {func(b *bound) {}, none},
		"spawn":                         {func(b *bound) { ok(b.spawn.Spawn(frame{})) }, none},
		"add another":                   {func(b *bound) { ok(0, b.extras.Add(b.es[me], extra{7})) }, none},
		"add and remove it":             {func(b *bound) { ok(0, b.extras.Add(b.es[me], extra{7})); ok(0, b.extras.Remove(b.es[me])) }, none},
		"a neighbour's":                 {func(b *bound) { ok(0, b.extras.Add(b.es[0], extra{7})) }, none},
		"destroy a neighbour":           {func(b *bound) { ok(0, b.w.Destroy(b.es[0])) }, []int{0}},
		"destroy the last":              {func(b *bound) { ok(0, b.w.Destroy(b.es[7])) }, []int{7}},
		"destroy":                       {func(b *bound) { ok(0, b.w.Destroy(b.es[me])) }, []int{me}},
		"destroy some":                  {func(b *bound) { b.w.DestroyAll(ecs.Handles(b.es[5:])) }, []int{5, 6, 7}},
		"remove":                        {func(b *bound) { ok(0, b.joints.Remove(b.es[me])) }, []int{me}},
		"remove the written":            {func(b *bound) { ok(0, b.limbs.Remove(b.es[me])) }, []int{me}},
		"remove from all":               {func(b *bound) { ok(0, b.limbs.Clear()) }, all},
		"remove in a batch":             {func(b *bound) { ok(b.joints.RemoveAll(ecs.Handles(b.es))) }, all},
		"remove and add":                {func(b *bound) { ok(0, b.joints.Remove(b.es[me])); ok(0, b.joints.Add(b.es[me], joint{-me})) }, none},
		"index recycled":                {func(b *bound) { ok(0, b.w.Destroy(b.es[me])); ok(b.spawn.Spawn(frame{limb{99}, joint{99}})) }, []int{me}},
		"recycled twice":                {func(b *bound) { b.recycle(me) }, []int{me}},
		"Clear":                         {func(b *bound) { b.w.Reset() }, all},
		"Clear, and all made again":     {func(b *bound) { b.w.Reset(); b.again() }, all},
		"Purge":                         {func(b *bound) { ok(b.w.Purge()) }, none},
		"destroy and Purge":             {func(b *bound) { ok(0, b.w.Destroy(b.es[0])); ok(b.w.Purge()) }, []int{0}},
		"safe points":                   {func(b *bound) { ok(0, b.w.SafePoint()); ok(0, b.w.SafePoint()) }, none},
		"frames":                        {func(b *bound) { b.frames(200) }, none},
		"a group takes both":            {func(b *bound) { ecs.Apart(ecs.GroupOf[frame](b.w, "frames")) }, none},
		"a group takes one":             {func(b *bound) { ecs.Apart(ecs.GroupOf[struct{ joint }](b.w, "joints")) }, none},
		"a group takes one, and frames": {func(b *bound) { ecs.Apart(ecs.GroupOf[struct{ limb }](b.w, "limbs")); b.frames(20) }, none},
		"sort": {func(b *bound) {
			g := ecs.Apart(ecs.GroupOf[frame](b.w, "frames"))
			b.see("before the sort")
			g.Sort(func(x, y ecs.Entity) int { return int(y.Index()) - int(x.Index()) })
		}, none},
		"sort a table": {func(b *bound) {
			b.limbs.Sort(func(x, y *limb) int { return int(y.N - x.N) })
		}, none},
		"sort in place": {func(b *bound) {
			b.limbs.Sort(func(x, y *limb) int { return int(y.N - x.N) }, ecs.SortInPlace)
		}, none},
		"sort through entries": {func(b *bound) {
			b.limbs.Sort(func(x, y *limb) int { return int(y.N - x.N) }, ecs.SortThroughEntries)
		}, none},
		"sort some rows by a key": {func(b *bound) {
			b.joints.SortKey(func(j *joint) uint64 { return uint64(-j.N) ^ 5 })
		}, none},
		"add to all that match":      {func(b *bound) { ok(b.extras.AddAll(b.match(b.limbs), extra{7})) }, none},
		"remove from all that match": {func(b *bound) { ok(b.joints.RemoveAll(b.match(b.limbs))) }, all},
		"remove from some that match": {func(b *bound) {
			ok(0, b.extras.Add(b.es[me], extra{7}))
			ok(b.limbs.RemoveAll(b.match(b.extras)))
		}, []int{me}},
		"remove another from all that match": {func(b *bound) {
			ok(0, b.extras.Add(b.es[me], extra{7}))
			b.see("added")
			ok(b.extras.RemoveAll(b.match(b.limbs)))
		}, none},
		"destroy all that match": {func(b *bound) {
			ok(0, b.extras.Add(b.es[me], extra{7}))
			ok(b.w.DestroyAll(b.match(b.extras)))
		}, []int{me}},
		"closed": {func(b *bound) { ok(0, b.w.Close()) }, all},
	} {
		for name, o := range map[string]ecs.Options{"": {}, " under stress": {Memory: memmgr.Options{Stress: true}}, " on the heap": {Memory: memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}}} {
			for _, how := range [][]ecs.Storage{nil, {ecs.Stable}, {ecs.Volatile}, {ecs.Thin}} {
				if strings.HasPrefix(what, "a group takes") && how != nil || what == "sort" && how != nil || strings.HasPrefix(what, "sort ") && (how != nil && how[0] == ecs.Volatile) {
					continue // a way that is stated does not suit a group
				}
				b := newBound(t, o, 8, how...)
				b.see("bound")
				does.do(b)
				b.see(fmt.Sprint(what, name, how), does.gone...)
				ok(0, b.w.Check())
				ok(0, b.w.Close())
			}
		}
	}
}

// recycle has the index of an entity be that of another one, twice.
func (b *bound) recycle(i int) {
	ok(0, b.w.Destroy(b.es[i]))
	for range 2 {
		e := ok(b.spawn.Spawn(frame{limb{99}, joint{99}}))
		if e.Index() != b.es[i].Index() {
			b.t.Fatalf("%v was destroyed, and %v is made", b.es[i], e)
		}
		b.see("recycled", i)
		ok(0, b.w.Destroy(e))
	}
	ok(b.spawn.Spawn(frame{limb{99}, joint{99}}))
}

func (b *bound) again() {
	for range b.es {
		ok(b.spawn.Spawn(frame{limb{99}, joint{99}}))
	}
}

func (b *bound) frames(n int) {
	for range n {
		ok(0, b.w.Run(b.t.Context()))
	}
}

// R7: The version of a handle wraps after 16,777,215 uses of its index. A contract holds exactly
// where its handle is alive.
func TestContractsAndWrap(t *testing.T) {
	if testing.Short() || race.Enabled {
		t.Skip("millions of births; the full run without -race has them, and TestContractsHold has handles of used indexes")
	}
	b := newBound(t, ecs.Options{}, 1)
	defer b.w.Close()
	b.w.DestroyAll(ecs.Handles(b.es))
	for i := 0; ; i++ {
		e := ok(b.spawn.Spawn(frame{}))
		if c := &b.cs[0]; b.s.Valid(c) != (e == b.es[0]) {
			t.Fatalf("after %d births: %v is alive, and a contract of %v holds: %v", i, e, b.es[0], b.s.Valid(c))
		} else if e == b.es[0] {
			return
		}
		ok(0, b.w.Destroy(e))
	}
}

// R5: A value that leaves its chunk's number to another table is not found there.
func TestContractsAndChunks(t *testing.T) {
	b := newBound(t, ecs.Options{Memory: memmgr.Options{Arena: arena.Options{SmallPages: true}}}, 9000)
	defer b.w.Close()
	b.w.DestroyAll(ecs.Handles(b.es)) // their chunks go
	other := ecs.Register[[3]int64](b.w, "other")
	for range b.es {
		e := ok(b.w.Spawn())
		ok(0, other.Add(e, [3]int64{1, 2, 3}))
	}
	for i := range b.cs {
		if v, is := b.s.Get(&b.cs[i]); is || b.s.Valid(&b.cs[i]) {
			t.Fatalf("contract %d gives %v", i, v)
		}
	}
}

// R6: One contract does not use up changes that another one of the same entity has to see. A change of
// other entities makes contracts look again, and find nothing.
func TestContractsOfOneEntity(t *testing.T) {
	b := newBound(t, ecs.Options{}, 8)
	defer b.w.Close()
	many := make([]ecs.Contract[limbs], 50)
	for i := range many {
		many[i] = ok(b.s.Bind(b.es[7]))
	}
	b.s.Valid(&many[0])
	type counts struct{ Rechecks, Refreshes uint64 }
	stats := func() (n counts) {
		n.Rechecks, n.Refreshes = b.s.Stats()
		return n
	}
	before := stats()
	for range 3 {
		for i := range many {
			b.s.Valid(&many[i])
		}
	}
	if stats() != before {
		t.Errorf("nothing has changed: %v, %v before", stats(), before)
	}
	ok(0, b.w.Destroy(b.es[0])) // its row is that of es[7] now
	for range 2 {
		for i := range many {
			if v, is := b.s.Get(&many[i]); !is || v.L.N != 7 {
				t.Errorf("contract %d: %v %v", i, v, is)
			}
		}
	}
	after := stats()
	if after.Rechecks-before.Rechecks != 50 || after.Refreshes-before.Refreshes != 50 {
		t.Errorf("50 contracts after their row has moved: %v, %v before", after, before)
	}
	ok(0, b.w.Destroy(b.es[6]))
	for i := range many {
		b.s.Valid(&many[i])
	}
	if last := stats(); last.Rechecks-after.Rechecks != 50 || last.Refreshes-after.Refreshes > 50 {
		t.Errorf("50 contracts after a neighbour has gone: %v, %v before", last, after)
	}
	copied := many[3]
	ok(0, b.w.Destroy(b.es[7]))
	if b.s.Valid(&copied) || b.s.Valid(&many[3]) {
		t.Error("contracts of an entity that is gone hold")
	}
}

// Entities that come and go in other tables have no contract look again, and moves in its own table have
// each look once: whichever way the components are stored. A component outside the home is not lost
// from sight.
func TestContractsLookForTheirTable(t *testing.T) {
	for name, how := range map[string][]ecs.Storage{"stable": {ecs.Stable}, "volatile": {ecs.Volatile}, "thin": {ecs.Thin}} {
		b := newBound(t, ecs.Options{}, 100, how...)
		other := ecs.Register[clockHand](b.w, "hand", ecs.Stable)
		looks := func(what string, want uint64) {
			t.Helper()
			before, _ := b.s.Stats()
			b.see(name + ", " + what)
			if after, _ := b.s.Stats(); after-before != want {
				t.Errorf("%s, %s: %d contracts looked again, want %d", name, what, after-before, want)
			}
		}
		looks("nothing", 0)
		var es []ecs.Entity
		for range 100 {
			e := ok(b.w.Spawn())
			ok(0, other.Add(e, clockHand{}))
			es = append(es, e)
		}
		for _, e := range es[:50] {
			ok(0, b.w.Destroy(e))
		}
		looks("rows of another table have gone", 0)
		ok(0, b.w.Destroy(ok(b.spawn.Spawn(frame{}))))
		looks("a row of its table has gone", 100)
		ok(0, b.limbs.Remove(b.es[7]))
		if b.s.Valid(&b.cs[7]) {
			t.Errorf("%s: it holds without a required component", name)
		}
		ok(0, b.limbs.Add(b.es[7], limb{7}))
		b.see(name + ", it is back")
		ok(0, b.w.Close())
	}
}

type clockHand struct{ N int64 }

// Contracts lie in components, and in Go's own structures, by value.
func TestContractsByValue(t *testing.T) {
	b := newBound(t, ecs.Options{Memory: memmgr.Options{Stress: true}}, 8)
	defer b.w.Close()
	type target struct{ Of ecs.Contract[limbs] }
	targets := ecs.Register[target](b.w, "target")
	for i, e := range b.es {
		ok(0, targets.Add(e, target{b.cs[7-i]}))
	}
	byName := map[string]ecs.Contract[limbs]{"last": b.cs[7]}
	ok(0, b.w.SafePoint())
	for i, e := range b.es {
		if v, is := b.s.Get(&targets.Mut(e).Of); !is || v.L.N != int64(7-i) {
			t.Errorf("target of %d: %v", i, v)
		}
	}
	last := byName["last"]
	if v, is := b.s.Get(&last); !is || v.L.N != 7 || last.Entity() != b.es[7] {
		t.Errorf("from the map: %v", v)
	}
}

// C4: Mut marks its column, and no other.
func TestContractsMark(t *testing.T) {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	ecs.Register[limb](w, "limb")
	ecs.Register[joint](w, "joint")
	g := ecs.Apart(ecs.GroupOf[frame](w, "frame"))
	s := ecs.SchemaOf[struct {
		L ecs.WriteOne[limb]
		J *joint
	}](w)
	c := ok(s.Bind(ok(g.Spawn(frame{}))))
	id, _ := ecs.RowsOf(g).Chunk(0)
	changed := func() (l, j bool) {
		since := w.Manager().Tick()
		w.Manager().Advance()
		s.Valid(&c)
		s.Get(&c)
		if ecs.ChangedIn(w, "limb", id, since) || ecs.ChangedIn(w, "joint", id, since) {
			t.Error("reading has marked")
		}
		if v, is := s.Mut(&c); is {
			v.L.N++
		}
		return ecs.ChangedIn(w, "limb", id, since), ecs.ChangedIn(w, "joint", id, since)
	}
	if l, j := changed(); !l || j {
		t.Errorf("written limb %v, joint %v", l, j)
	}
	f := ecs.FieldOf[joint](s)
	since := w.Manager().Tick()
	w.Manager().Advance()
	if f.At(&c); ecs.ChangedIn(w, "joint", id, since) {
		t.Error("At has marked")
	}
	if f.Mut(&c).N++; !ecs.ChangedIn(w, "joint", id, since) || ecs.ChangedIn(w, "limb", id, since) {
		t.Error("Field.Mut has not marked, or has marked too much")
	}
	read := ecs.SchemaOf[struct{ L *limb }](w)
	rc := ok(read.Bind(c.Entity()))
	panics(t, "which writes nothing", func() { read.Mut(&rc) })
}

// Binding and access allocate nothing.
func TestContractsAllocateNothing(t *testing.T) {
	b := newBound(t, ecs.Options{}, 100, ecs.Stable)
	defer b.w.Close()
	lone := ok(b.spawn.Spawn(frame{}))
	n := testing.AllocsPerRun(50, func() {
		for i, e := range b.es {
			b.cs[i] = ok(b.s.Bind(e))
			v, _ := b.s.Get(&b.cs[i])
			w, _ := b.s.Mut(&b.cs[i])
			if v.L != w.L || !b.s.Valid(&b.cs[i]) {
				t.Error("not the same")
			}
		}
		ok(0, b.extras.Add(lone, extra{}))
		ok(0, b.extras.Remove(lone))
		for i := range b.cs {
			b.s.Get(&b.cs[i])
		}
	})
	if n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// A schema lists missing components, adds them, and makes new entities.
func TestSchemas(t *testing.T) {
	b := newBound(t, ecs.Options{}, 1)
	e := ok(b.w.Spawn())
	ok(0, b.joints.Add(e, joint{5}))
	_, err := b.s.Bind(e)
	if !slices.Equal(b.s.Lacks(e), []string{"limb"}) || !errors.Is(err, ecs.ErrAbsent) ||
		!strings.Contains(err.Error(), "lacks limb of schema ecs_test.limbs") {
		t.Errorf("Bind: %v", err)
	}
	ok(0, b.s.Complete(e))
	if v, is := b.s.Get(new(ok(b.s.Bind(e)))); !is || *v.L != (limb{}) || *v.J != (joint{5}) || v.X != nil {
		t.Errorf("completed: %v", v)
	}
	ok(0, b.s.Complete(e)) // nothing is missing
	n := ok(b.s.Spawn())
	if ok(b.s.Bind(n)); b.extras.Has(n) || *b.limbs.Get(n) != (limb{}) {
		t.Error("a new entity has what it should not have")
	}
	ok(0, b.w.Destroy(n))
	for what, err := range map[string]error{"Complete": b.s.Complete(n), "Bind": second(b.s.Bind(n)), "Bind of null": second(b.s.Bind(0))} {
		if err != ecs.ErrStale {
			t.Errorf("%s of what is gone: %v", what, err)
		}
	}
	ok(0, b.w.Close())
	if err := second(b.s.Spawn()); err != ecs.ErrClosed {
		t.Errorf("Spawn in a closed world: %v", err)
	}
	if err := refusal(b.w, ecs.SchemaOf[limbs](b.w)); !errors.Is(err, ecs.ErrClosed) {
		t.Errorf("SchemaOf in a closed world: %v", err)
	}
}

// The same as tools have it, without types.
func TestSchemaOfPools(t *testing.T) {
	b := newBound(t, ecs.Options{}, 4)
	defer b.w.Close()
	s := ecs.SchemaOfPools(b.w, b.limbs, b.joints)
	if got := fmt.Sprint(ecs.SchemaName(s), " ", s.Components()); got != "limb+joint [limb joint]" {
		t.Errorf("schema %s", got)
	}
	all := ecs.SchemaOfPools(b.w)
	if got := all.Lacks(b.es[2]); !slices.Equal(got, []string{"extra"}) {
		t.Errorf("of all it lacks %v", got)
	}
	if v, is := s.Value(b.es[2], "limb").(*limb); !is || v.N != 2 {
		t.Errorf("Value: %v", v)
	}
	s.MutValue(b.es[2], "limb").(*limb).N = 20
	if b.limbs.Get(b.es[2]).N != 20 || s.Value(b.es[2], "extra") != nil || all.Value(b.es[2], "extra") != nil || s.MutValue(0, "limb") != nil {
		t.Error("MutValue has not written, or Value gives what is not there")
	}
	e := ok(all.Spawn())
	if all.Lacks(e) != nil {
		t.Errorf("new, and lacks %v", all.Lacks(e))
	}
}

func TestSchemasRefused(t *testing.T) {
	b := newBound(t, ecs.Options{}, 1)
	defer b.w.Close()
	two := ecs.Register[limb](b.w, "other")
	stable := ecs.Register[[2]int32](b.w, "stable", ecs.Stable)
	elsewhere := ecs.Register[limb](world(t, ecs.Options{}), "limb")
	s := ecs.SchemaOf[struct {
		L *limb `ashlar:"limb"`
		M *limb `ashlar:"other"`
		X ecs.MaybeOne[extra]
		J *joint
	}](b.w)
	empty := world(t, ecs.Options{})
	for want, err := range map[string]error{
		"is not a struct":       refusal(b.w, ecs.SchemaOf[int](b.w)),
		"requires no component": refusal(b.w, ecs.SchemaOf[struct{}](b.w)),
		"least one field must be": refusal(b.w, ecs.SchemaOf[struct {
			J ecs.MaybeOne[joint]
		}](b.w)),
		"field J []ecs_test.joint": refusal(b.w, ecs.SchemaOf[struct{ J []joint }](b.w)),
		`"joint" is named twice`:   refusal(b.w, ecs.SchemaOf[struct{ J, K *joint }](b.w)),
		`is a field of component "joint"`: refusal(b.w, ecs.SchemaOf[struct {
			N *int64 `ashlar:"joint.N"`
		}](b.w)),
		"not supported in a contract": refusal(b.w, ecs.SchemaOf[struct {
			J *joint
			_ ecs.Without[extra]
		}](b.w)),
		"pool 1 is nil":                    refusal(b.w, ecs.SchemaOfPools(b.w, b.limbs, nil)),
		"is of another world":              refusal(b.w, ecs.SchemaOfPools(b.w, elsewhere)),
		`component "other" is named twice`: refusal(b.w, ecs.SchemaOfPools(b.w, two, two)),
		"no component is registered":       refusal(empty, ecs.SchemaOfPools(empty)),
		"has no component ecs_test.duo":    refusal(b.w, ecs.FieldOf[duo](s)),
		"has two components of type":       refusal(b.w, ecs.FieldOf[limb](s)),
		`"extra" is optional in`:           refusal(b.w, ecs.FieldOf[extra](s)),
		`component "joint" of`:             refusal(b.w, ecs.FieldOf[joint](s)),
		`register it as ecs.Stable`:        refusal(b.w, ecs.FieldOf[joint](ecs.SchemaOf[struct{ J *joint }](b.w))),
	} {
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "ecs: ") {
			t.Errorf("want %q: %v", want, err)
		}
	}
	panics(t, "FieldOf of a Schema that is nil", func() { ecs.FieldOf[joint]((*ecs.Schema[limbs])(nil)) })
	faults := "nil pointer"
	if arena.Checked {
		faults = "Get of a Schema that is nil or the zero value: it is made by ecs.SchemaOf or ecs.SchemaOfPools; a contract is made by Schema.Bind"
	}
	panics(t, faults, func() { s.Get(nil) })
	near := ecs.SchemaOf[struct{ S *[2]int32 }](b.w)
	f := ecs.FieldOf[[2]int32](near)
	e := ok(b.w.Spawn())
	ok(0, stable.Add(e, [2]int32{1, 2}))
	c := ok(near.Bind(e))
	if near.Valid(&c) && f.At(&c)[1] != 2 {
		t.Error("At")
	}
	type pair struct {
		S *[2]int32
		M *[4]int32
	}
	ecs.Register[[4]int32](b.w, "more", ecs.Stable)
	both := ecs.SchemaOf[pair](b.w)
	ecs.FieldOf[[4]int32](both)
	pc := ok(both.Bind(ok(both.Spawn())))
	ecs.Apart(ecs.GroupOf[struct{ M [4]int32 }](b.w, "more"))
	panics(t, `"more" was taken over by a group`, func() { both.Valid(&pc) })
	if arena.Checked {
		ok(0, b.w.Destroy(e))
		panics(t, "ask Schema.Valid first", func() { f.At(&c) })
	}
}

// A field has no values after Close, whatever its contract was told before or asks again, and whatever
// row it has.
func TestFieldAfterClose(t *testing.T) {
	for _, again := range []bool{false, true} {
		b := newBound(t, ecs.Options{}, 3000, ecs.Stable)
		f := ecs.FieldOf[limb](b.s)
		var cs []ecs.Contract[limbs]
		for _, e := range b.es {
			cs = append(cs, ok(b.s.Bind(e)))
		}
		ok(0, b.w.Close())
		for i := range cs {
			if again && b.s.Valid(&cs[i]) {
				t.Fatal("a contract holds in a closed world")
			}
			if f.At(&cs[i]) != nil || f.Mut(&cs[i]) != nil {
				t.Fatal("a closed world has values")
			}
		}
		f = ecs.FieldOf[limb](b.s)
		if err := b.w.Err(); !errors.Is(err, ecs.ErrClosed) || f.At(&cs[0]) != nil {
			t.Errorf("there is a field of a closed world: %v", err)
		}
	}
}
