package guide

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/advice"
	"github.com/ashlar-go/ashlar/profile/layout"
)

type (
	Place   struct{ X, Y float32 }
	Kind    struct{ Of int32 }
	Burning struct{ Left int32 }
)

// forest is a world of n trees. Some of them catch fire and go out in each frame.
func forest(o ecs.Options, n int) (w *ecs.World, burning *ecs.Pool[Burning]) {
	w = ecs.New(o)
	ecs.Register[Place](w, "place")
	ecs.Register[Kind](w, "kind")
	trees := ecs.SpawnerOf[struct {
		Place
		Kind
	}](w)
	burning = ecs.Register[Burning](w, "burning")
	es := make([]ecs.Entity, n)
	check(trees.SpawnN(es, []struct {
		Place
		Kind
	}{{Kind: Kind{1}}}))
	frame := 0
	ecs.System(w, "catch", func(c *struct{ Do *ecs.Commands }) {
		frame++
		for i := frame * 7919 % 13; i < n; i += 13 { // a thirteenth of all trees
			if e := es[i]; burning.Has(e) {
				burning.Later(c.Do).Remove(e)
			} else {
				burning.Later(c.Do).Add(e, Burning{9})
			}
		}
	})
	ecs.System(w, "burn", func(c *struct{ Fire ecs.Write[Burning] }) {
		for i := range c.Fire {
			c.Fire[i].Left--
		}
	})
	return w, burning
}

func Example_layouts() {
	dir := must(os.MkdirTemp(os.Getenv("GUIDE_KEEP"), "guide"))
	if os.Getenv("GUIDE_KEEP") == "" {
		defer os.RemoveAll(dir)
	}
	recorded, approved := filepath.Join(dir, "forest.profile"), filepath.Join(dir, "forest.layout")

	w, burning := forest(ecs.Options{Record: true}, 50_000)
	for range 200 {
		check(w.Run(ctx))
	}
	check(profile.WriteRun(recorded, w.Facts(), w.Map()))
	fmt.Println(burning.Len(), "burn, stored as", storageOf(w, "burning"))
	check(w.Close())

	// `ashlar advise -o` does the same.
	text := layout.Revise("", advice.Layout(must(profile.ReadFile(recorded)), 1<<20))
	check(os.WriteFile(approved, []byte(text), 0o644))

	var o ecs.Options
	o.Layout.File = approved
	w, burning = forest(o, 50_000)
	fmt.Println("the next run begins with", storageOf(w, "burning"))
	for range 200 {
		check(w.Run(ctx))
	}
	fmt.Println(burning.Len(), "burn")
	check(w.Close())
	// Output:
	// 30770 burn, stored as optional
	// the next run begins with optional
	// 30770 burn
}

// storageOf is how a component is stored now.
func storageOf(w *ecs.World, component string) ecs.Storage {
	for _, c := range w.Stats().Components {
		if c.Name == component {
			return c.Storage
		}
	}
	return ecs.Counted
}

// The page shows the layout that is advised today, but for figures.
func TestLayoutOnPage(t *testing.T) {
	w, _ := forest(ecs.Options{Record: true}, 50_000)
	defer func() { check(w.Close()) }()
	for range 200 {
		check(w.Run(ctx))
	}
	plain := func(s string) string { return strings.Join(strings.Fields(figures.ReplaceAllString(s, " ")), " ") }
	text := plain(layout.Revise("", advice.Layout(w.Facts(), 1<<20)))
	for _, b := range blocks(read(t, "layouts.md")) {
		if b.language == "" && strings.HasPrefix(b.text, "ashlar layout 1\nstored burning") && plain(b.text) != text {
			t.Errorf("layouts.md shows\n%s\nand advice is\n%s", plain(b.text), text)
		}
	}
}
