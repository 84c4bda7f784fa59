package store

import (
	"errors"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// set gives an entity components, or takes them, so that it has these of the given ones.
func (h *herd) set(e Entity, of []*Component, has ...*Component) error {
	for _, c := range of {
		var err error
		switch want := within([]*Component{c}, has); {
		case want && !c.Has(e):
			err = h.Add(c, e, raw.Of(&whole{}))
		case !want && c.Has(e):
			err = h.Remove(c, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Groups that observe are declared around and within each other after rows have gone to and
// fro: ways between tables that were known lead where they have to, and each entity is a member
// of the groups of which it meets the conditions.
func TestLevelsInserted(t *testing.T) {
	h := makeHerd(t, placed()["nothing moves"], memmgr.Options{}, false)
	observed := []*Component{h.more, h.thin}
	states := [][]*Component{{}, {h.more}, {h.more, h.thin}, {}, {h.more, h.thin}, {h.more}, {}, {h.thin}, {h.more, h.thin}}
	var es []Entity
	for range 5 {
		e, err := h.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Add(h.l, e, raw.Of(&whole{})); err != nil {
			t.Fatal(err)
		}
		es = append(es, e)
	}
	if err := h.set(es[3], observed, h.more); err != nil {
		t.Fatal(err)
	}
	if err := h.set(es[4], observed, h.more, h.thin); err != nil {
		t.Fatal(err)
	}
	declared := map[string]*Level{}
	conditions := map[string][]*Component{"middle": {h.more}, "inner": {h.more, h.thin}, "outer": {}}
	see := func(when string, i int) {
		t.Helper()
		for name, v := range declared {
			n := 0
			for _, tb := range v.Tables() {
				n += tb.Seq.Len()
			}
			want := 0
			for _, e := range es {
				if v.met(func(c *Component) bool { return c.Has(e) }) {
					want++
				}
			}
			if n != want {
				t.Errorf("%s, state %d: %s has %d members, want %d", when, i, name, n, want)
			}
		}
		if err := h.Check(); err != nil {
			t.Fatalf("%s, state %d: %v", when, i, err)
		}
	}
	for _, name := range []string{"middle", "inner", "outer"} {
		v, err := h.DeclareLevel(Group{Name: name, Fixed: []*Component{h.l}, With: conditions[name]})
		if err != nil {
			t.Fatal(err)
		}
		declared[name] = v
		see(name, -1)
		for i, has := range states {
			if err := h.set(es[i%3], observed, has...); err != nil {
				t.Fatal(err)
			}
			see(name, i)
		}
	}
	if _, err := h.DeclareLevel(Group{Name: "fork", Fixed: []*Component{h.l, h.r}}); err == nil || !strings.Contains(err.Error(), "neither is nested within") {
		t.Errorf("a group that does not observe what the one around it does: %v", err)
	}
	for _, name := range []string{"inner", "outer"} {
		if err := h.Dissolve(declared[name]); err != nil {
			t.Fatal(err)
		}
		delete(declared, name)
		see("without "+name, -1)
		for i, has := range states {
			if err := h.set(es[i%3], observed, has...); err != nil {
				t.Fatal(err)
			}
			see("without "+name, i)
		}
	}
}

// Two groups observe one component. Memory is refused at some step of making an entity a
// member of both, or ends it, or of declaring a third: nothing has changed then. Which step it
// is, is said by how many chunks there were before.
func TestLevelsRefused(t *testing.T) {
	var value [8000]byte // too wide for blocks
	refused := map[string]int{}
	for before := range 40 {
		refuse := false
		m, err := memmgr.New(memmgr.Options{Arena: arena.Options{SmallPages: true, Reserve: 1 << 30}.WithFault(func(op arena.Op, nth int, _ uint64) error {
			if refuse && op == arena.OpCommit {
				return errors.New("refused")
			}
			return nil
		})})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		if m.Arena().Backend() != arena.OS {
			t.Skip("nothing is asked of the operating system here: it refuses nothing")
		}
		s := New(m, Options{MaxEntities: 1 << 16})
		var comps []*Component
		for i := range 4 + before {
			c := new(Component)
			s.Register(c, string(rune('a'+i)), chunk.Spec{Size: uint32(len(value)), Align: 1}, []Way{Fixed, Thin}[min(i/2, 1)], true)
			comps = append(comps, c)
		}
		l, r, more, opt := comps[0], comps[1], comps[2], comps[3]
		e, err := s.Spawn()
		add := func(c *Component, e Entity) {
			if err == nil {
				err = s.Add(c, e, raw.Of(&value))
			}
		}
		var of [2]*Level
		for i, c := range []*Component{l, r} {
			if add(c, e); err == nil {
				of[i], err = s.DeclareLevel(Group{Name: c.Name, Fixed: []*Component{c}, With: []*Component{more}})
			}
		}
		for _, c := range comps[4:] {
			add(c, e) // a chunk of its own
		}
		if err != nil {
			t.Fatal(err)
		}
		members := func() int { return of[0].Main.Seq.Len() + of[1].Main.Seq.Len() }
		for _, step := range []struct {
			what string
			do   func() error
		}{
			{"entering", func() error { return s.Add(more, e, raw.Of(&value)) }},
			{"leaving", func() error { return s.Remove(more, e) }},
			{"declaring", func() error {
				_, err := s.DeclareLevel(Group{Name: "third", Fixed: []*Component{l}, Without: []*Component{opt}})
				if err != nil {
					return err
				}
				return s.Add(opt, e, raw.Of(&value))
			}},
		} {
			had, n := more.Has(e), members()
			refuse = true
			err := step.do()
			if refuse = false; err != nil {
				refused[step.what]++
				if more.Has(e) != had || opt.Has(e) || members() != n {
					t.Errorf("%d chunks, %s, refused: more is there: %v, was %v; %d members, were %d", before, step.what, more.Has(e), had, members(), n)
				}
				if err := s.Check(); err != nil {
					t.Fatalf("%d chunks, %s, refused: %v", before, step.what, err)
				}
				if step.what != "declaring" {
					err = step.do()
				} else if !opt.Has(e) {
					err = s.Add(opt, e, raw.Of(&value))
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Check(); err != nil {
				t.Fatalf("%d chunks, %s: %v", before, step.what, err)
			}
		}
	}
	if refused["entering"] == 0 || refused["declaring"] == 0 {
		t.Errorf("refused: %v; entering and declaring have to be sometimes", refused)
	}
}
