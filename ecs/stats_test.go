package ecs_test

import (
	"reflect"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
)

// The list says of each component how it is stored and why, who has it, and where.
func TestStatsOfComponents(t *testing.T) {
	w := world(t, ecs.Options{Record: true})
	if list := w.Stats().Components; list != nil {
		t.Errorf("without components: %v", list)
	}
	a, b := ecs.Register[b4](w, "a"), ecs.Register[b16](w, "b")
	often := ecs.Register[b24](w, "often")
	stable, volatile, thin := ecs.Register[b1](w, "stable", ecs.Stable), ecs.Register[b8K](w, "volatile", ecs.Volatile), ecs.Register[tag0](w, "thin", ecs.Thin)
	ecs.Apart(ecs.GroupOf[duo](w, "duo"))
	addSystem(t, w, "reader", func(*struct{ O []b24 }) {})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	es := make([]ecs.Entity, 9000)
	for i := range es {
		es[i] = ok(w.Spawn())
		must(often.Add(es[i], b24{}))
		if i < 30 {
			must(a.Add(es[i], b4{}))
		}
		if i < 20 {
			must(b.Add(es[i], b16{}))
			must(stable.Add(es[i], b1{}))
		}
		if i < 3 {
			must(thin.Add(es[i], tag0{}))
		}
	}
	must(volatile.Add(es[0], b8K{}))
	must(volatile.Add(es[8999], b8K{}))
	want := []ecs.ComponentStats{
		{Name: "a", Bytes: 4, Group: "duo", Storage: ecs.Stable, Reason: "declared by its group", Entities: 30, Tables: 2},
		{Name: "b", Bytes: 16, Group: "duo", Storage: ecs.Stable, Reason: "declared by its group", Entities: 20, Tables: 1},
		{Name: "often", Bytes: 24, Storage: ecs.Stable, Reason: "by default", Entities: 9000, Tables: 4},
		{Name: "stable", Bytes: 1, Storage: ecs.Stable, Reason: "stated", Entities: 20, Tables: 2},
		{Name: "volatile", Bytes: 8192, Storage: ecs.Volatile, Reason: "stated", Entities: 2, Tables: 2},
		{Name: "thin", Storage: ecs.Thin, Reason: "stated", Entities: 3, Tables: 1},
	}
	if got := w.Stats().Components; !reflect.DeepEqual(got, want) {
		for i := range got {
			t.Errorf("\n%+v, want\n%+v", got[i], want[i])
		}
	}

	// A component that is removed in each frame changes over, over some frames.
	frame := func() ecs.ComponentStats {
		t.Helper()
		for _, e := range es[:1000] {
			must(often.Remove(e))
			must(often.Add(e, b24{}))
		}
		must(w.Run(t.Context()))
		return w.Stats().Components[2]
	}
	i := 0
	s := frame()
	for ; s.Storage == ecs.Stable && i < 64; i++ {
		if _, since := ecs.Removed(w, "often"); ecs.ChangesOver(w) || s.Reason != "by default" || since != 0 {
			t.Errorf("frame %d: %+v", i, s)
		}
		s = frame()
	}
	removed, since := ecs.Removed(w, "often")
	if !ecs.ChangesOver(w) || s.Reason != "removed often" || s.Storage != ecs.Volatile || since != w.Frame() || removed == 0 {
		t.Fatalf("after %d frames: %+v", w.Frame(), s)
	}
	for frames := 0; ecs.ChangesOver(w); frames++ {
		must(w.Run(t.Context()))
		if s = w.Stats().Components[2]; frames > 64 {
			t.Fatalf("%d frames later: %+v", frames+1, s)
		}
	}
	s = w.Stats().Components[2]
	if ecs.ChangesOver(w) || s.Storage != ecs.Volatile || s.Entities != 9000 {
		t.Errorf("after %d frames: %+v", w.Frame(), s)
	}
	// Facts have the components that no group owns.
	var stored []profile.Stored
	for _, c := range w.Stats().Components[2:] {
		stored = append(stored, profile.Stored{Component: c.Name, Way: c.Storage.String(), Reason: c.Reason, Entities: uint64(c.Entities), Tables: uint64(c.Tables)})
	}
	stored[0].Since = since
	p := w.Facts()
	if s := p.Stored[0]; sum(s.Removes) != 16_000 || sum(s.Adds) != 1000*p.Frames { // a thousand in each frame, as in the sampled one
		t.Errorf("adds %d, removes %d", s.Adds, s.Removes)
	}
	stored[0].Adds, stored[0].Removes = p.Stored[0].Adds, p.Stored[0].Removes
	checkFacts(t, w, p)
	if !reflect.DeepEqual(p.Stored, stored) || p.Stored[0].Way != "optional" || p.Stored[3].Way != "thin" {
		t.Errorf("facts %+v, want %+v", p.Stored, stored)
	}
}

// Storages have names in reports.
func TestStorageNames(t *testing.T) {
	for s, want := range map[ecs.Storage]string{ecs.Counted: "counted", ecs.Stable: "fixed", ecs.Volatile: "optional", ecs.Thin: "thin", 9: "Storage(9)"} {
		if s.String() != want {
			t.Errorf("%d: %v, want %v", s, s, want)
		}
	}
}

// A program may ask for statistics in every frame: dropped commands are put into words once.
func TestStatsOfDropsAreCheap(t *testing.T) {
	w := world(t, ecs.Options{})
	a := ecs.Register[b4](w, "a")
	none := testing.AllocsPerRun(5, func() { w.Stats() })
	e := ok(w.Spawn())
	ok(0, w.Destroy(e))
	for range 300 {
		a.Later(w.Commands()).Add(e, b4{})
	}
	ok(0, w.SafePoint())
	if n := len(w.Stats().Drops); n != 256 {
		t.Fatalf("%d drops are listed", n)
	}
	if n := testing.AllocsPerRun(5, func() { w.Stats() }) - none; n > 4 {
		t.Errorf("Stats allocates %v times more with 256 drops, each time", n)
	}
}
