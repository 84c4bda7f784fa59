package ecs_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
)

// Two worlds of a program have names in common. What they record stands in one file.
func TestWorldsByName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "two.profile")
	play := func(name string, entities int, o ecs.Options) *ecs.World {
		t.Helper()
		o.Name, o.Record = name, true
		w := newSmallest(t, o)
		g := ecs.Apart(ecs.GroupOf[struct{ HP hp }](w, "solo", ecs.Register[hp](w, "hp")))
		if err := g.SpawnN(make([]ecs.Entity, entities), []struct{ HP hp }{{}}); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if err := w.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		return w
	}
	level, menu := play("level", 500, ecs.Options{}), play("menu", 7, ecs.Options{})
	facts := level.Facts()
	if facts.World != "level" || facts.Frames != 3 || level.Map().World != "level" {
		t.Fatalf("world %q, frames %d, map of world %q", facts.World, facts.Frames, level.Map().World)
	}
	both, err := profile.Merge(facts, menu.Facts())
	if err != nil {
		t.Fatal(err)
	}
	if err := profile.WriteRun(path, both, menu.Map()); err != nil {
		t.Fatal(err)
	}
	back, err := profile.ReadFile(path)
	if err != nil || len(back.Worlds) != 2 {
		t.Fatalf("%+v, %v", back, err)
	}
	for i, n := range []uint64{500, 7} {
		if g := back.Worlds[i].Groups; len(g) != 2 || g[0].Name != "duo" || g[0].Peak != 0 || g[1].Name != "solo" || g[1].Peak != n {
			t.Errorf("world %s: %+v, want %d rows at most", back.Worlds[i].World, g, n)
		}
	}
	if m, err := profile.ReadMap(path + profile.MapSuffix); err != nil || !m.Belongs(back) || m.World != "menu" {
		t.Errorf("the map is of world %q, %v", m.World, err)
	}
}

func TestWorldNameIsBad(t *testing.T) {
	w := ecs.New(ecs.Options{Name: "two words"})
	err := w.Err()
	if err == nil || !strings.HasPrefix(err.Error(), `ecs: Options.Name "two words": `) {
		t.Errorf("New returned %v, %v", w, err)
	}
}
