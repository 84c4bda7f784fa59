package store

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// watched is a herd with a group of l that observes more and opt, and an entity in it.
func newWatched(t *testing.T, memory memmgr.Options) (h *herd, v *Level, e Entity) {
	h = makeHerd(t, placed()["nothing moves"], memory, false)
	v, err := h.DeclareLevel(Group{Name: "seen", Fixed: []*Component{h.l}, With: []*Component{h.more}, Without: []*Component{h.opt}})
	if err != nil {
		t.Fatal(err)
	}
	if e, err = h.Spawn(); err != nil {
		t.Fatal(err)
	}
	if err := h.Add(h.l, e, raw.Of(&whole{})); err != nil {
		t.Fatal(err)
	}
	return h, v, e
}

// G4: A group follows the components that it observes, whether an observer is told or not, begins to be or ends.
func TestWatchAndObservers(t *testing.T) {
	h, v, e := newWatched(t, memmgr.Options{})
	told := 0
	h.Observe(Observer{Done: func() {}})
	hear(h.Store, h.SubjectOf(Having, h.more), func(*Told) { told++ })
	for i := range 5 {
		if i%2 == 1 {
			tell(h.Store, h.SubjectOf(Having, h.more), 1)
		}
		if err := h.Add(h.more, e, raw.Of(&whole{})); err != nil || v.Main.Seq.Len() != 1 {
			t.Fatalf("%d: %v, %d members", i, err, v.Main.Seq.Len())
		}
		if err := h.Remove(h.more, e); err != nil || v.Main.Seq.Len() != 0 {
			t.Fatalf("%d: %v, %d members", i, err, v.Main.Seq.Len())
		}
		if err := h.Check(); err != nil {
			t.Fatal(err)
		}
		if i%2 == 1 {
			tell(h.Store, h.SubjectOf(Having, h.more), -1)
		}
	}
	if told != 4 {
		t.Errorf("%d changes were told", told)
	}
	if err := h.Dissolve(v); err != nil || h.watches || h.more.watch != nil || h.more.observed {
		t.Fatal("somebody watches still", err)
	}
	v, err := h.DeclareLevel(Group{Name: "seen", Fixed: []*Component{h.l}, With: []*Component{h.more}})
	if err != nil || !h.watches || !h.more.observed {
		t.Fatal("nobody watches", err)
	}
	if err := h.Dissolve(v); err != nil || h.watches || h.more.watch != nil {
		t.Fatal("somebody watches still", err)
	}
	if err := h.Check(); err != nil {
		t.Fatal(err)
	}
}

// Where memory is refused, or a lock keeps a component, everything stays as it was, whichever
// step it is.
func TestWatchRefused(t *testing.T) {
	refuse := false
	h, v, e := newWatched(t, memmgr.Options{Arena: arena.Options{SmallPages: true, Reserve: 1 << 30}.WithFault(func(op arena.Op, nth int, _ uint64) error {
		if refuse && op == arena.OpCommit {
			return errors.New("refused")
		}
		return nil
	})})
	if h.manager.Arena().Backend() != arena.OS {
		t.Skip("nothing is asked of the operating system here: it refuses nothing")
	}
	refuse = true
	for _, size := range []uint32{1 << 15, 16} { // until neither a chunk nor a small one is left without a commit
		for i := 0; ; i++ {
			filler, err := h.manager.MakeSequence(fmt.Sprint("filler ", size, i), []memmgr.ColumnSpec{{Spec: chunk.Spec{Size: size, Align: 1}}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := filler.Append(); err != nil {
				break
			}
		}
	}
	lock := &Lock{Name: "lock", Comps: []*Component{h.more}}
	add := func() error { return h.Add(h.more, e, raw.Of(&whole{})) }
	refused := 0
	for _, step := range []struct {
		do     func() error
		member int
	}{{add, 1}, {func() error { return h.Remove(h.more, e) }, 0}} {
		refuse = true
		if err := step.do(); err != nil {
			refused++
			if h.more.Has(e) == (step.member == 1) || v.Main.Seq.Len() == step.member {
				t.Errorf("refused, and more is there: %v, %d members", h.more.Has(e), v.Main.Seq.Len())
			}
			refuse = false
			if err := step.do(); err != nil {
				t.Fatal(err)
			}
		}
		refuse = false
		if h.more.Has(e) != (step.member == 1) || v.Main.Seq.Len() != step.member {
			t.Errorf("more is there: %v, %d members", h.more.Has(e), v.Main.Seq.Len())
		}
		if err := h.Check(); err != nil {
			t.Fatal(err)
		}
	}
	if err := add(); err != nil {
		t.Fatal(err)
	}
	if err := h.Hold(lock, e, "holder"); err != nil {
		t.Fatal(err)
	}
	if err := h.Remove(h.more, e); !errors.Is(err, ErrLocked) || v.Main.Seq.Len() != 1 {
		t.Errorf("%v, %d members", err, v.Main.Seq.Len())
	}
	if err := h.Check(); err != nil {
		t.Fatal(err)
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}

// G4: A second component that a group excludes keeps an entity out when the first has gone.
func TestTwoExcluded(t *testing.T) {
	h := makeHerd(t, placed()["nothing moves"], memmgr.Options{}, false)
	v, err := h.DeclareLevel(Group{Name: "seen", Fixed: []*Component{h.l}, Without: []*Component{h.more, h.opt}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := h.Spawn()
	if err != nil {
		t.Fatal(err)
	}
	add := func(c *Component) { err = h.Add(c, e, raw.Of(&whole{})) }
	remove := func(c *Component) { err = h.Remove(c, e) }
	for i, step := range []struct {
		do      func(*Component)
		c       *Component
		members int
	}{
		{add, h.l, 1}, {add, h.more, 0}, {add, h.opt, 0}, {remove, h.more, 0}, {remove, h.opt, 1},
		{add, h.opt, 0}, {add, h.more, 0}, {remove, h.more, 0}, {remove, h.l, 0}, {remove, h.opt, 0}, {add, h.l, 1},
	} {
		if step.do(step.c); err != nil || v.Main.Seq.Len() != step.members {
			t.Fatalf("step %d: %v, %d members, want %d", i, err, v.Main.Seq.Len(), step.members)
		}
		if err := h.Check(); err != nil {
			t.Fatal(err)
		}
	}
}
