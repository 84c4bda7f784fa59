package ecs_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// family is groups within each other: of a; of a and b; of a, b and c without x.
type family struct {
	w          *ecs.World
	a          *ecs.Pool[nA]
	b          *ecs.Pool[nB]
	c          *ecs.Pool[nC]
	d          *ecs.Pool[nD]
	x          *ecs.Pool[nX]
	outer      *ecs.Group[struct{ A nA }]
	middle     *ecs.Group[familyMiddle]
	inner      *ecs.Group[familyInner]
	all, other []ecs.Entity
}

type familyMiddle struct {
	A nA
	B nB
}

type familyInner struct {
	A nA
	B nB
	C nC
	_ ecs.Without[nX]
}

func newFamily(t *testing.T, n int) *family {
	w := world(t, ecs.Options{})
	f := &family{w: w}
	f.a, f.b, f.c = ecs.Register[nA](w, "a"), ecs.Register[nB](w, "b"), ecs.Register[nC](w, "c")
	f.d, f.x = ecs.Register[nD](w, "d", ecs.Volatile), ecs.Register[nX](w, "x")
	f.outer = ecs.GroupOf[struct{ A nA }](w, "outer")
	f.middle, f.inner = ecs.GroupOf[familyMiddle](w, "middle"), ecs.GroupOf[familyInner](w, "inner")
	for i := range n {
		e := ok(f.outer.Spawn(struct{ A nA }{nA{b4{byte(i)}}}))
		if i%2 == 0 {
			ok(0, f.b.Add(e, nB{}))
		}
		if i%4 == 0 {
			ok(0, f.c.Add(e, nC{}))
		}
		if i%8 == 0 {
			ok(0, f.x.Add(e, nX{}))
		}
		f.all = append(f.all, e)
	}
	return f
}

// G11: A group that shares components with another and does not nest in it is refused,
// and so are groups that would break nesting.
func TestNestedRefuses(t *testing.T) {
	f := newFamily(t, 16)
	w := f.w
	type fork struct {
		A nA
		D nD
	}
	type same struct {
		B nB
		A nA
	}
	type observes struct {
		A nA
		B nB
		C nC
		_ ecs.With[nB]
	}
	type ofFamily struct {
		A nA
		_ ecs.With[nB]
	}
	type owned struct {
		A nA
		B nB
		C nC
		X nX
	}
	type optional struct {
		A nA
		B nB
		D nD
		_ ecs.Maybe[nC]
	}
	type observed struct {
		A nA
		D nD
		_ ecs.Maybe[nX]
	}
	type own struct{ D nD }
	type two struct {
		A nA
		D nD
	}
	type write struct {
		D nD `ashlar:"write"`
	}
	type maybe struct {
		D nD
		_ ecs.With[nX] `ashlar:"optional"`
	}
	forked := refusal(w, ecs.GroupMade[fork](w, "fork"))
	for _, c := range []struct {
		want string
		err  error
	}{
		{`it shares components with group "middle", and neither is nested within the other`, forked},
		{`it has the same members as group "middle"`, refusal(w, ecs.GroupMade[same](w, "same"))},
		{`component "b" is named twice`, refusal(w, ecs.GroupMade[observes](w, "observes"))},
		{`component "b" is observed, and group "outer"`, refusal(w, ecs.GroupMade[ofFamily](w, "ofFamily"))},
		{`component "x" is observed by group "inner"`, refusal(w, ecs.GroupMade[owned](w, "owned"))},
		{`has it in all its members' rows`, refusal(w, ecs.GroupMade[optional](w, "opts"))},
		{`component "x" is observed by group "inner"`, refusal(w, ecs.GroupMade[observed](w, "observed"))},
		{`the name is taken by another group`, refusal(w, ecs.GroupMade[own](w, "outer"))},
		{`the tag says write, which means nothing here`, refusal(w, ecs.GroupMade[write](w, "writes"))},
		{`the tag says write, which means nothing here`, refusal(w, ecs.SpawnerMade[write](w))},
		{`the tag says optional, which means nothing here`, refusal(w, ecs.GroupMade[maybe](w, "maybe"))},
		{`which have no values to spawn`, refusal(w, ecs.SpawnerMade[familyInner](w))},
		{`dissolve those first`, f.outer.Dissolve()},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v, want %q", c.err, c.want)
		}
		ok(0, w.Check())
	}
	apart := ecs.GroupOf[own](w, "own")
	if err := refusal(w, ecs.GroupMade[two](w, "two")); err == nil || !strings.Contains(err.Error(), `is owned by group "own", and another one by group "outer"`) {
		t.Error(err)
	}
	if f.outer.Len() != 16 || f.middle.Len() != 8 || f.inner.Len() != 2 {
		t.Errorf("%d, %d and %d members", f.outer.Len(), f.middle.Len(), f.inner.Len())
	}
	panics(t, "shares its rows with groups", func() { f.outer.SortAs(f.inner, 1) })
	ok(0, f.middle.Dissolve())
	panics(t, "group middle is dissolved", func() { apart.SortAs(f.middle, 1) })
	panics(t, "group middle is dissolved", func() { f.middle.SortAs(apart, 1) })
}

// Systems and slices go over all members, the innermost first, or over those of a group within
// alone.
func TestNestedWalks(t *testing.T) {
	f := newFamily(t, 64)
	w := f.w
	var got []ecs.Entity
	type look struct {
		A []nA
		E []ecs.Entity
	}
	walk := func(name string, over ecs.AnyGroup) {
		ecs.System(w, name, func(c *look) {
			for i, e := range c.E {
				if c.A[i] != *f.a.Get(e) {
					t.Errorf("%v comes with %v", e, c.A[i])
				}
				got = append(got, e)
			}
		}, ecs.OnlyIn(over))
	}
	for _, x := range []struct {
		name  string
		group interface {
			ecs.AnyGroup
			Members([]ecs.Entity) []ecs.Entity
			Len() int
		}
		want int
	}{
		{"outer", f.outer, 64},
		{"middle", f.middle, 32},
		{"inner", f.inner, 8},
	} {
		got = nil
		walk(x.name, x.group)
		ok(0, w.Run(t.Context()))
		rows := 0
		for _, seq := range ecs.AllRowsOf(x.group) {
			rows += seq.Len()
		}
		if !slices.Equal(got, x.group.Members(nil)) || len(got) != x.want || x.group.Len() != x.want || rows != x.want {
			t.Errorf("%s: a system sees %v, members are %v, %d rows; want %d", x.name, got, x.group.Members(nil), rows, x.want)
		}
		if x.name == "outer" && (!slices.Equal(got[:8], f.inner.Members(nil)) || !slices.Equal(got[:32], f.middle.Members(nil))) {
			t.Error("members of groups within are not the first")
		}
		ok(0, w.RemoveSystem(x.name))
	}
	// A system that was registered before follows groups that come, go and get first members.
	walk("late", f.outer)
	for _, change := range []func() error{
		func() error { return f.x.Remove(f.all[8]) },
		func() error { return f.inner.Dissolve() },
		func() error { f.inner = ecs.GroupOf[familyInner](w, "inner"); return nil },
		func() error { return f.middle.Dissolve() },
		func() error { return f.b.Remove(f.all[8]) },
	} {
		ok(0, change())
		got = nil
		ok(0, w.Run(t.Context()))
		if !slices.Equal(got, f.outer.Members(nil)) || len(got) != 64 {
			t.Errorf("a system sees %d of %d members, or in another order", len(got), f.outer.Len())
		}
		ok(0, w.Check())
	}
	if f.inner.Len() != 8 || f.middle.Len() != 0 {
		t.Errorf("%d and %d members", f.inner.Len(), f.middle.Len())
	}
}

func TestSliceOf(t *testing.T) {
	f := newFamily(t, 64)
	w := f.w
	type withB struct {
		A ecs.Write[nA]
		B []nB
		E []ecs.Entity
	}
	type withC struct {
		C []nC
		E []ecs.Entity
	}
	q := ecs.SliceOf[withC](w)
	var got []ecs.Entity
	for c := range q.All() {
		got = append(got, c.E...)
	}
	if !slices.Equal(got, f.inner.Members(nil)) || q.Len() != 8 {
		t.Errorf("%d rows, %v, want %v", q.Len(), got, f.inner.Members(nil))
	}
	for _, c := range []struct {
		want string
		err  error
	}{
		{`2 groups own a, b: middle(a, b), inner(a, b, c)`, refusal(w, ecs.SliceMade[withB](w))},
		{`3 groups own a: outer(a), middle(a, b), inner(a, b, c)`, refusal(w, ecs.SliceMade[struct{ A []nA }](w))},
		{"no group owns x", refusal(w, ecs.SliceMade[struct{ X []nX }](w))},
		{"no group owns a, x", refusal(w, ecs.SliceMade[struct {
			A []nA
			X []nX
		}](w))},
		{"a slice passes columns", refusal(w, ecs.SliceMade[struct{ C *nC }](w))},
		{"leave Without out", refusal(w, ecs.SliceMade[struct {
			C []nC
			_ ecs.Without[nX]
		}](w))},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v, want %q", c.err, c.want)
		}
	}
	ok(0, f.inner.Dissolve())
	b := ecs.SliceOf[withB](w)
	for c := range b.All() {
		for i := range c.A {
			c.A[i].V[3] = 9
		}
	}
	for i, e := range f.all {
		if got := f.a.Get(e).V[3]; got != byte(9*(1-i%2)) {
			t.Errorf("%d was written: %d", i, got)
		}
	}
	if b.Len() != 32 || q.Len() != 0 {
		t.Errorf("%d and %d rows", b.Len(), q.Len())
	}
}

// A dissolved group's components are stored as they were registered, the values are
// where they were, and the name is free. A second call is refused.
func TestDissolve(t *testing.T) {
	f := newFamily(t, 200)
	w := f.w
	type both struct {
		D nD
		_ ecs.Maybe[nX]
	}
	for i, e := range f.all {
		if i%3 > 0 {
			ok(0, f.d.Add(e, nD{b24{byte(i)}}))
		}
	}
	ok(0, f.inner.Dissolve()) // which observes x
	for range 3 {
		g := ecs.GroupOf[both](w, "both")
		before := g.Members(nil)
		ecs.System(w, "reads", func(c *struct {
			D []nD
			A []nA
		}) {
		})
		ok(0, w.Run(t.Context()))
		ok(0, g.Dissolve())
		ok(0, w.Check())
		if g.Len() != 0 || len(before) == 0 || len(g.Members(nil)) != 0 {
			t.Fatalf("%d members of %d are left", g.Len(), len(before))
		}
		if err := g.Dissolve(); err == nil || !strings.Contains(err.Error(), "is dissolved already") {
			t.Fatal(err)
		}
		for range 60 {
			ok(0, w.Run(t.Context()))
		}
		ok(0, w.Check())
		if s := w.Stats().Components[3]; s.Name != "d" || s.Storage != ecs.Volatile || ecs.ChangesOver(w) || s.Group != "" {
			t.Fatalf("%+v", s)
		}
		for i, e := range f.all {
			if d := f.d.Get(e); (d != nil) != (i%3 > 0) || d != nil && d.V[0] != byte(i) || f.x.Has(e) != (i%8 == 0) {
				t.Fatalf("%d has %v, x %v", i, d, f.x.Has(e))
			}
		}
		ok(0, w.RemoveSystem("reads"))
		ok(0, w.Destroy(ok(g.Spawn(both{})))) // its bundle is a spawner's still
	}
}

// A user's sequence may have the name that a table would have.
func TestNameOfTableIsTaken(t *testing.T) {
	w := world(t, ecs.Options{})
	a := ecs.Register[nA](w, "a", ecs.Stable)
	b := ecs.Register[nB](w, "b", ecs.Thin)
	for _, name := range []string{"table/a", "table/a.2", "thin/b"} {
		ok(w.Manager().MakeSequence(name, []memmgr.ColumnSpec{{Spec: chunk.Spec{Size: 8, Align: 8}}}))
	}
	e := ok(w.Spawn())
	ok(0, a.Add(e, nA{b4{1}}))
	ok(0, b.Add(e, nB{}))
	if a.Get(e).V[0] != 1 || !b.Has(e) {
		t.Error("no values")
	}
	ok(0, w.Check())
}

// Groups within each other have rows that follow no others. That holds whichever is asked for
// first: the order, or the group around or within.
func TestNestedAndSortAs(t *testing.T) {
	w := world(t, ecs.Options{})
	as, xs := ecs.Register[nA](w, "a"), ecs.Register[nX](w, "x")
	ecs.Register[nB](w, "b")
	outer := ecs.GroupOf[struct{ A nA }](w, "outer")
	readers := ecs.GroupOf[struct{ B nB }](w, "readers")
	inner := func() (*ecs.Group[struct {
		A nA
		_ ecs.Without[nX]
	}], error) {
		g := ecs.GroupOf[struct {
			A nA
			_ ecs.Without[nX]
		}](w, "inner")
		return g, w.Err()
	}
	type both struct {
		A nA
		B nB
	}
	spawner := ecs.SpawnerOf[both](w)
	var es []ecs.Entity
	for range 40 {
		es = append(es, ok(spawner.Spawn(both{})))
	}
	for _, follow := range []func(){func() { outer.SortAs(readers, 100) }, func() { readers.SortAs(outer, 100) }} {
		follow()
		_, err := inner()
		refused(t, err, "end that SortAs first")
		outer.SortAs(nil, 0)
		readers.SortAs(nil, 0)
		g := ok(inner()) // and so it is registered, and Run goes on
		for _, e := range es[:20] {
			ok(0, xs.Add(e, nX{}))
		}
		ok(0, g.Dissolve())
		for _, e := range es[:20] {
			ok(0, xs.Remove(e))
		}
		ok(0, w.Check())
	}
	// The rows that the inner group has kept apart are one table again, which follows as a whole.
	readers.Sort(backwards)
	outer.SortAs(readers, 1000)
	ok(0, as.Set(es[3], nA{}))
	for range 3 {
		ok(0, w.Run(t.Context()))
	}
	if got, want := outer.Members(nil), readers.Members(nil); !slices.Equal(got, want) {
		t.Errorf("rows are in the order %v, want %v", got, want)
	}
}

// A component that is optional in an inner group alone is a bit of the rows that all share, and goes back to
// where it was when that group ends.
func TestNestedOptional(t *testing.T) {
	f := newFamily(t, 64)
	w := f.w
	type inmost struct {
		A nA
		B nB
		C nC
		Y nY
		_ ecs.Maybe[nD]
		_ ecs.Without[nX]
	}
	ys := ecs.Register[nY](w, "y")
	for i, e := range f.all[:32] {
		fine(f.d.Add(e, nD{b24{byte(i)}}))
		fine(ys.Add(e, nY{}))
	}
	for range 2 {
		g := ecs.GroupOf[inmost](w, "inmost")
		before := g.Members(nil)
		for i, e := range f.all {
			if f.d.Has(e) {
				fine(f.d.Remove(e))
				fine(f.d.Add(e, nD{b24{byte(i)}}))
			}
		}
		if got := g.Members(nil); len(got) == 0 || !slices.Equal(got, before) {
			t.Fatalf("members are %v, and were %v: to add and remove what is optional moves no row", got, before)
		}
		q := ecs.QueryOf[struct {
			Ents []ecs.Entity
			A    []nA
			D    []nD
		}](w)
		n := 0
		for c := range q.All() {
			for i := range c.Ents {
				if n++; c.D[i].V[0] != c.A[i].V[0] {
					t.Errorf("%v has %v beside %v", c.Ents[i], c.D[i], c.A[i])
				}
			}
		}
		if n != 32 {
			t.Errorf("%d have it, want 32", n)
		}
		fine(w.Check())
		if s := w.Stats().Components[3]; s.Storage != ecs.Volatile || s.Group != "inmost" {
			t.Errorf("%+v", s)
		}
		fine(g.Dissolve())
		for range 60 {
			fine(w.Run(t.Context()))
		}
		fine(w.Check())
		if s := w.Stats().Components[3]; s.Storage != ecs.Volatile || s.Group != "" {
			t.Errorf("%+v after the end of the group", s)
		}
		for i, e := range f.all {
			if d := f.d.Get(e); (d != nil) != (i < 32) || d != nil && d.V[0] != byte(i) {
				t.Fatalf("%d has %v", i, d)
			}
		}
	}
}

// A group without rows of its own has its values in tables, where they stay when it ends.
func TestDissolveAmongTablesMovesNothing(t *testing.T) {
	w := world(t, ecs.Options{})
	a, b := ecs.Register[b4](w, "a"), ecs.Register[b16](w, "b")
	g := ecs.GroupOf[duo](w, "pair")
	e := ok(g.Spawn(duo{A: b4{1}}))
	left := 0
	ecs.Observe(w, "left", func(c *struct{ Gone ecs.Left[duo] }) {
		for range c.Gone.All() {
			left++
		}
	})
	atA, atB := a.Get(e), b.Get(e)
	ok(0, g.Dissolve())
	if a.Get(e) != atA || b.Get(e) != atB {
		t.Error("values have moved")
	}
	if g.Len() != 0 || len(g.Members(nil)) != 0 || left != 1 {
		t.Errorf("%d members, %d in the list, %d left", g.Len(), len(g.Members(nil)), left)
	}
	g.Sort(func(x, y ecs.Entity) int { return 0 }) // of nothing
	if err := g.Dissolve(); err == nil || !strings.Contains(err.Error(), "is dissolved already") {
		t.Error(err)
	}
	ecs.System(w, "over", func(*struct{ A []b4 }) {}, ecs.OnlyIn(g))
	if err := w.Err(); err == nil || !strings.Contains(err.Error(), `group 0 of OnlyIn: group "pair"`) {
		t.Error(err)
	}
	ok(g.Spawn(duo{})) // its bundle is a spawner's still
	if ecs.GroupOf[duo](w, "pair").Len() != 2 {
		t.Error("the name is not free, or entities are missing")
	}
	ok(0, w.Run(t.Context()))
	ok(0, errors.Join(w.Err(), w.Check()))
}
