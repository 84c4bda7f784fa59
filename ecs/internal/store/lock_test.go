package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// Locked components stay, one by one and in batches, and everything else goes on: values
// come and go, rows move. Errors name who holds the entity.
func TestLock(t *testing.T) {
	for form := range placed() {
		for _, grouped := range []bool{false, true} {
			h := newHerd(t, form, grouped)
			es := make([]Entity, 64)
			if err := h.whole.SpawnBatch(es, raw.Of(&whole{}), 0); err != nil {
				t.Fatal(err)
			}
			l, all := &Lock{Name: "rides", Comps: []*Component{h.l, h.thin}}, &Lock{Name: "saved"}
			held, other := es[20], es[40]
			hold := func(l *Lock, e Entity, who string) {
				if err := h.Hold(l, e, who); err != nil {
					t.Fatal(err)
				}
			}
			hold(l, held, "rider")
			hold(l, held, "rider")
			hold(all, other, "disk")
			for _, x := range []struct {
				err  error
				want []string // in the message; none: there is no error
			}{
				{h.Remove(h.l, held), []string{held.String(), `component "l"`, `"rider" holds it by lock "rides"`}},
				{h.Remove(h.thin, held), []string{`component "thin"`}},
				{h.Remove(h.more, held), nil},
				{h.Remove(h.more, held), []string{ErrAbsent.Error()}},
				{h.Add(h.more, held, raw.Of(&whole{})), nil},
				{h.Destroy(held), []string{held.String() + " can't be destroyed", `"rider"`}},
				{h.Remove(h.opt, other), []string{`component "opt"`, `"disk" holds it by lock "saved"`}},
				{h.Remove(h.l, Entity(7<<VersionShift|1)), []string{ErrStale.Error()}},
			} {
				switch {
				case x.want == nil && x.err != nil, x.want != nil && x.err == nil:
					t.Fatalf("%s: %v, want %q", form, x.err, x.want)
				}
				for _, s := range x.want {
					if !strings.Contains(x.err.Error(), s) {
						t.Errorf("%s: %v, want %q", form, x.err, s)
					}
				}
			}
			if n, err := h.RemoveBatch(h.l, es); n != 62 || !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), held.String()) {
				t.Fatalf("%s: %d removed, %v", form, n, err)
			}
			if err := h.ClearComponent(h.thin); !errors.Is(err, ErrLocked) || h.thin.Len() != 2 {
				t.Fatalf("%s: %v, %d left", form, err, h.thin.Len())
			}
			if n := h.DestroyBatch(es); n != 62 || !h.Alive(held) || !h.Alive(other) || !h.l.Has(held) || !h.opt.Has(other) {
				t.Fatalf("%s: %d destroyed", form, n)
			}
			if err := h.Check(); err != nil {
				t.Fatal(err)
			}
			for _, x := range []struct {
				l   *Lock
				e   Entity
				who string
			}{{l, held, "rider"}, {l, held, "rider"}, {all, other, "disk"}} {
				if h.Destroy(x.e) == nil {
					t.Fatalf("%s: %v is held once more, and was destroyed", form, x.e)
				}
				if err := h.Release(x.l, x.e, x.who); err != nil {
					t.Fatal(err)
				}
			}
			if h.guarded.n > 0 || h.Destroy(held) != nil || h.Destroy(other) != nil || h.Release(l, held, "rider") != ErrStale || h.Hold(l, held, "rider") != ErrStale {
				t.Errorf("%s: released, and %d guarded, alive %v %v", form, h.guarded.n, h.Alive(held), h.Alive(other))
			}
			if err := h.Check(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Rows that are the last of a table, and rows side by side, go as one in a store with
// locks, up to the held ones.
func TestLockAmongRuns(t *testing.T) {
	for i := range 40 {
		h := newHerd(t, "nothing moves", i%2 == 0)
		es, last := make([]Entity, 40), make([]Entity, 40)
		for _, dst := range [][]Entity{es, last} {
			if err := h.both.SpawnBatch(dst, raw.Of(&both{}), 0); err != nil {
				t.Fatal(err)
			}
		}
		h.Hold(&Lock{Name: "l"}, es[i], "a")
		h.Hold(&Lock{Name: "l"}, last[i], "a")
		if n := h.DestroyBatch(last); n != 39 || !h.Alive(last[i]) {
			t.Fatalf("%d: %d of the last rows destroyed", i, n)
		}
		if n, err := h.RemoveBatch(h.r, es); n != 39 || !errors.Is(err, ErrLocked) || !h.r.Has(es[i]) {
			t.Fatalf("%d: %d removed, %v", i, n, err)
		}
		if n := h.DestroyBatch(es); n != 39 || !h.Alive(es[i]) {
			t.Fatalf("%d: %d destroyed", i, n)
		}
		if err := h.Check(); err != nil {
			t.Fatal(err)
		}
	}
}

// Nothing that ends all entities leaves a lock behind, and an entity spawned with an index
// that was held is free.
func TestLocksEnd(t *testing.T) {
	h := newHerd(t, "nothing moves", false)
	l := &Lock{Name: "l"}
	for range 3 {
		e, err := h.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		if h.Holds(e) != nil || len(h.Held()) != 0 {
			t.Fatalf("%v is new, and held: %v, %v", e, h.Holds(e), h.Held())
		}
		h.Hold(l, e, "a")
		h.Clear()
		if err := h.Check(); h.guarded.n > 0 || err != nil {
			t.Fatal(h.guarded, err)
		}
	}
	e, _ := h.Spawn()
	h.Hold(l, e, "a")
	h.Forget()
	if h.guarded.n > 0 || len(h.Held()) != 0 || h.Hold(l, e, "a") != ErrStale {
		t.Error("a closed store holds entities")
	}
}

// A Release too many would end the hold of another holder.
func TestReleaseTooMany(t *testing.T) {
	h := newHerd(t, "nothing moves", false)
	e, _ := h.Spawn()
	l := &Lock{Name: "l"}
	h.Hold(l, e, "a")
	for _, x := range []struct {
		l    *Lock
		who  string
		want string
	}{
		{l, "b", `lock "l" does not hold for "b": "a" holds it by lock "l"`},
		{&Lock{Name: "m"}, "a", `lock "m" does not hold for "a"`},
	} {
		func() {
			defer func() {
				if r, _ := recover().(string); !strings.Contains(r, x.want) {
					t.Errorf("%q, want %q", r, x.want)
				}
			}()
			h.Release(x.l, e, x.who)
		}()
	}
	h.Release(l, e, "a")
	defer func() {
		if r, _ := recover().(string); !strings.Contains(r, "no lock holds it") {
			t.Errorf("%q", r)
		}
	}()
	h.Release(l, e, "a")
}

// Check names a fault of locks.
func TestCheckHeld(t *testing.T) {
	for _, x := range []struct {
		want string
		harm func(h *herd, e Entity)
	}{
		{"", func(*herd, Entity) {}},
		{"is not guarded", func(h *herd, e Entity) { h.guarded.reset() }},
		{"is not guarded", func(h *herd, e Entity) { h.held[e.Index()+1] = h.held[e.Index()] }},
		{"no lock holds it", func(h *herd, e Entity) { h.held[e.Index()] = nil }},
		{"no lock holds it", func(h *herd, e Entity) { h.held[e.Index()][0].Count = 0 }},
	} {
		h := newHerd(t, "nothing moves", false)
		e, _ := h.Spawn()
		h.Hold(&Lock{Name: "l"}, e, "a")
		x.harm(h, e)
		if err := h.Check(); (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%v, want %q", err, x.want)
		}
		h.unguard()
	}
}

// Entities that no lock holds and that have nothing disabled go without a look, whatever is held
// elsewhere. An entity is guarded until the last of its reasons ends.
func TestOthersAreNotGuarded(t *testing.T) {
	h := newHerd(t, "nothing moves", false)
	es := make([]Entity, 64)
	if err := h.both.SpawnBatch(es, raw.Of(&both{}), 0); err != nil {
		t.Fatal(err)
	}
	e, l := es[7], &Lock{Name: "l", Comps: []*Component{h.l}}
	guarded := func(when string, want ...Entity) {
		t.Helper()
		var got []Entity
		for _, e := range es {
			if h.guards(e) {
				got = append(got, e)
			}
		}
		if !slices.Equal(got, want) || h.guarded.n != len(want) {
			t.Errorf("%s: %v are guarded, want %v", when, got, want)
		}
		if err := h.Check(); err != nil {
			t.Errorf("%s: %v", when, err)
		}
	}
	h.Hold(l, e, "a")
	h.SetEnabled(h.r, e, false)
	h.SetEnabled(nil, es[9], false)
	guarded("held and disabled", e, es[9])
	if h.Remove(h.l, e) == nil || h.Destroy(e) == nil {
		t.Error("a lock keeps nothing")
	}
	guarded("after what the lock prevents", e, es[9])
	h.Release(l, e, "a")
	guarded("released, and disabled still", e, es[9])
	if err := h.Remove(h.r, e); err != nil {
		t.Error(err)
	}
	guarded("without what was disabled", es[9])
	h.Destroy(es[9])
	guarded("destroyed")
	h.Hold(l, e, "a")
	h.guarded.set(es[8].Index(), h.Bound(), true)
	if err := h.Check(); err == nil || !strings.Contains(err.Error(), "is guarded") {
		t.Errorf("an entity is guarded for nothing: %v", err)
	}
	h.guarded.set(es[8].Index(), h.Bound(), false)
}

// Any number of holders of one entity, released in any order, are listed in the order in which they
// took hold, and the first of the others is the one that an error names.
func TestManyHolders(t *testing.T) {
	for form := range placed() {
		t.Run(form, func(t *testing.T) { manyHolders(t, form) })
	}
}

func manyHolders(t *testing.T, form string) {
	h := newHerd(t, form, false)
	e, err := h.Spawn()
	if err != nil {
		t.Fatal(err)
	}
	locks := []*Lock{{Name: "one"}, {Name: "two"}}
	var want []Hold
	r := rand.New(rand.NewPCG(1, 2))
	for step := range 4000 {
		if grow := step < 1500 || step > 3000 && len(want) == 0; grow || r.IntN(8) == 0 {
			x := Hold{locks[r.IntN(2)], fmt.Sprint(r.IntN(1 << 20)), 1}
			if i := slices.IndexFunc(want, func(y Hold) bool { return y.Lock == x.Lock && y.Holder == x.Holder }); i >= 0 {
				want[i].Count++
			} else {
				want = append(want, x)
			}
			if err := h.Hold(x.Lock, e, x.Holder); err != nil {
				t.Fatal(err)
			}
		} else if len(want) > 0 {
			i := r.IntN(len(want))
			if err := h.Release(want[i].Lock, e, want[i].Holder); err != nil {
				t.Fatal(err)
			}
			if want[i].Count--; want[i].Count == 0 {
				want = slices.Delete(want, i, i+1)
			}
		}
		var locked LockedError
		if errors.As(h.Destroy(e), &locked) != (len(want) > 0) || len(want) > 0 && (locked.Lock != want[0].Lock.Name || locked.Holder != want[0].Holder) {
			t.Fatalf("step %d: %v, of %d holds", step, locked, len(want))
		}
		if len(want) == 0 {
			if e, err = h.Spawn(); err != nil {
				t.Fatal(err)
			}
		}
		if step%97 == 0 && !slices.Equal(h.Holds(e), want) {
			t.Fatalf("step %d: %d holds, want %d", step, len(h.Holds(e)), len(want))
		}
		if step%50 == 0 {
			if err := h.Check(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
