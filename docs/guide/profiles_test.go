package guide

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/cmd/ashlar/report"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/advice"
)

// scene is a world of n places; every second one has a sprite, in random order.
func scene(o ecs.Options, n int, grouped bool) (*ecs.World, *ecs.Pool[Sprite]) {
	w := ecs.New(o)
	ecs.Register[Transform](w, "transform")
	sprite := ecs.Register[Sprite](w, "sprite")
	var places *ecs.Spawner[struct{ Transform }]
	if grouped {
		g := ecs.GroupOf[struct{ Transform }](w, "places")
		g.SortAs(nil, 0)
		places = g.Spawner
		ecs.GroupOf[struct{ Sprite }](w, "sprites").SortAs(nil, 0)
	} else {
		places = ecs.SpawnerOf[struct{ Transform }](w)
	}
	es := make([]ecs.Entity, n)
	for i := range es {
		es[i] = must(places.Spawn(struct{ Transform }{Transform{Position: Vec3{Z: float32(i%5) - 2}}}))
	}
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(n)[:n/2] {
		check(sprite.Add(es[i], Sprite{}))
	}
	ecs.System(w, "drift", func(c *struct {
		At ecs.Write[Transform]
	}) {
		at := c.At
		for i := range at {
			at[i].Position.Z = -at[i].Position.Z
		}
	})
	ecs.System(w, "cull", func(c *struct {
		Sprite ecs.Write[Sprite]
		At     []Vec3 `ashlar:"transform.Position"`
	}) {
		sprite, at := c.Sprite, c.At
		for i := range sprite {
			sprite[i].Visible = at[i].Z > 0
		}
	})
	return w, sprite
}

// The figures of frames on the page: go test -run xxx -bench Scene ./docs/guide
func BenchmarkScene(b *testing.B) {
	for _, grouped := range []bool{true, false} {
		b.Run(fmt.Sprintf("grouped=%v", grouped), func(b *testing.B) {
			w, _ := scene(ecs.Options{}, 500_000, grouped)
			defer func() { check(w.Close()) }()
			for range 200 { // until shared fields have settled
				check(w.Run(ctx))
			}
			for b.Loop() {
				check(w.Run(ctx))
			}
		})
	}
}

func visible(sprite *ecs.Pool[Sprite]) (n int) {
	for _, s := range sprite.All() {
		if s.Visible {
			n++
		}
	}
	return n
}

func Example_profiles() {
	dir := must(os.MkdirTemp(os.Getenv("GUIDE_KEEP"), "guide"))
	if os.Getenv("GUIDE_KEEP") == "" {
		defer os.RemoveAll(dir)
	}
	path := filepath.Join(dir, "scene.profile")
	const things = 500_000

	var o ecs.Options
	o.Record = true
	w, sprite := scene(o, things, true)
	for range 60 {
		check(w.Run(ctx))
	}
	check(profile.WriteRun(path, w.Facts(), w.Map()))
	fmt.Println(visible(sprite), "are visible")
	check(w.Close())

	w, sprite = scene(ecs.Options{}, things, false)
	for range 60 {
		check(w.Run(ctx))
	}
	fmt.Println(visible(sprite), "are visible")
	check(w.Close())
	// Output:
	// 99962 are visible
	// 99962 are visible
}

var figures = regexp.MustCompile(`[0-9][^ ]*|[ \t]+`)

// The page shows reports as they are written today, but for figures.
func TestConsole(t *testing.T) {
	w, _ := scene(ecs.Options{Record: true}, 20_000, true)
	defer func() { check(w.Close()) }()
	for range 60 {
		check(w.Run(ctx))
	}
	p := w.Facts()
	for i := range p.Systems { // times
		s := &p.Systems[i]
		s.Timed, s.Times = 3, profile.Times{P10: time.Millisecond, P50: time.Millisecond, P90: time.Millisecond, P99: time.Millisecond}
	}
	var b strings.Builder
	check(report.Profile(&b, p))
	check(report.Views(&b, p))
	for _, l := range advice.Of(p, profile.Map{}, 1<<20) {
		fmt.Fprintf(&b, "1. %s", l)
	}
	plain := func(line string) string { return strings.TrimSpace(figures.ReplaceAllString(line, " ")) }
	var lines []string
	for line := range strings.Lines(b.String()) {
		lines = append(lines, strings.Join(strings.Fields(plain(line)), " "))
	}
	for _, block := range blocks(read(t, "profiles.md")) {
		if block.language != "console" {
			continue
		}
		for line := range strings.Lines(block.text) {
			want := strings.Join(strings.Fields(plain(line)), " ")
			// The command breaks long lines.
			if !strings.HasPrefix(line, "$ ") && !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, want) }) {
				t.Errorf("profiles.md shows %q, and reports write\n%s", want, strings.Join(lines, "\n"))
			}
		}
	}
}
