package game

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// steps runs frames, checks the world and returns its digest.
func steps(t testing.TB, g *Game, frames int) uint64 {
	t.Helper()
	for range frames {
		if err := g.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.World.Check(); err != nil {
		t.Fatal(err)
	}
	return g.Digest()
}

func open(t testing.TB, o Options) *Game {
	t.Helper()
	g, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

// In every frame the world has the things that a plain program has, wherever they lie.
func TestAgainstPlain(t *testing.T) {
	frames := tidePeriod + 60
	if testing.Short() {
		frames = 3*unloadEvery/2 + 8
	}
	for _, o := range []Options{
		{Entities: 2000, Seed: 1},
		{Entities: 700, Seed: 1 << 60, ECS: ecs.Options{Memory: memmgr.Options{Stress: true}, FIFO: true}},
		{Entities: 40},
		{Entities: 600, Seed: 8, Cast: true}, // which changes no thing
		{Entities: 1, Seed: 3},
		{Entities: 30_000, Seed: 4}, // several batches for each system
	} {
		if race.Enabled && o.Entities == 2000 {
			o.Entities = 500
		}
		g, ref := open(t, o), NewPlain(o)
		frames := frames
		if o.Entities > 2000 {
			frames = 10
		}
		for frame := range frames {
			if err := g.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
			ref.Step()
			if got, want := g.Len(), ref.Len(); got != want {
				t.Fatalf("%+v frame %d: %d entities, want %d", o, frame, got, want)
			}
			if got, want := g.Digest(), ref.Digest(); got != want {
				t.Fatalf("%+v frame %d: digest %x, want %x", o, frame, got, want)
			}
		}
		if err := g.World.Check(); err != nil {
			t.Error(err)
		}
	}
}

// With any memory, order of rows and layout, all frames have the same digest.
func TestSameUnderEveryOption(t *testing.T) {
	heap := arena.Options{Backend: arena.Heap}
	hostile := layout.Source{Text: []byte(`ashlar layout 1
cold transforms
view move transform.Position cached
view list transform direct
view cull transform.Radius gathered
view judge life none
sort sprites by transform every 3
stored steer thin
rows bodies 1000000
near bodies sounds
`)}
	o := Options{Entities: 6000, Seed: 9, Cast: true}
	if testing.Short() {
		o.Entities = 1200
	}
	if race.Enabled {
		o.Entities = 300
	}
	const frames, every = 160, 40
	var want, watched [frames / every]uint64
	g := open(t, o)
	for i := range want {
		want[i], watched[i] = steps(t, g, every), g.CastDigest()
	}
	for name, v := range map[string]ecs.Options{
		"stress":      {Memory: memmgr.Options{Stress: true}},
		"heap":        {Memory: memmgr.Options{Arena: heap}},
		"heap stress": {Memory: memmgr.Options{Arena: heap, Stress: true}},
		"FIFO":        {FIFO: true, Tag: 3},
		"normal":      {Memory: memmgr.Options{Arena: arena.Options{SmallPages: true}}},
		"as put":      {Adapt: memmgr.AdaptOptions{Off: true}},
		"hostile":     {Layout: hostile, Adapt: memmgr.AdaptOptions{Decay: time.Nanosecond, Budget: memmgr.Budget{Time: 1, Bytes: 1}}},
		"recorded":    {Record: true, TimeEvery: 1},
	} {
		o.ECS = v
		g := open(t, o)
		for i := range want {
			if got := steps(t, g, every); got != want[i] {
				t.Errorf("%s: after %d frames digest %x, want %x", name, g.Frame(), got, want[i])
			}
			if got := g.CastDigest(); got != watched[i] {
				t.Errorf("%s: after %d frames the cast's digest is %x, want %x", name, g.Frame(), got, watched[i])
			}
		}
	}
}

// Every rule has something to do: otherwise the other tests prove little.
func TestLife(t *testing.T) {
	o := Options{Entities: 3000, Seed: 2}
	g := open(t, o)
	least, drawn := o.Entities, 0
	bodies := 0
	for range tidePeriod {
		if err := g.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		least, drawn = min(least, g.World.Len()), max(drawn, len(g.list.draws))
		bodies = max(bodies, g.body.Len())
	}
	c := g.Counts()
	for k, n := range c.Members {
		if n == 0 {
			t.Errorf("there are no %v", kind(k))
		}
	}
	switch {
	case least > o.Entities*9/10 || least < o.Entities*tideLow*9/1000:
		t.Errorf("at least %d of %d things", least, o.Entities)
	case drawn < o.Entities/50 || drawn > o.Entities/2:
		t.Errorf("at most %d of %d things were drawn", drawn, o.Entities)
	case c.Bursts == 0 || c.Asleep == 0 || c.Births < uint64(o.Entities)*5/4 || g.loudness.Load() == 0:
		t.Errorf("%+v, loudness %d", c, g.loudness.Load())
	case bodies > o.Entities*2/3 || g.sound.Len() == 0 || g.sound.Len() > o.Entities/2:
		t.Errorf("%d bodies and %d sounds: each should be in a part of the things", bodies, g.sound.Len())
	}
	if n := reflect.TypeFor[Transform]().Size(); n != 64 {
		t.Errorf("a Transform has %d bytes", n)
	}
}

// Other seeds, frames and numbers of entities have other digests, and a frame that
// drew something else has, though all things be the same.
func TestDigest(t *testing.T) {
	g := open(t, Options{Entities: 500})
	seen := map[uint64]bool{g.Digest(): true}
	for range 20 {
		if h := steps(t, g, 1); seen[h] {
			t.Errorf("frame %d has the digest of an earlier one", g.Frame())
		} else {
			seen[h] = true
		}
	}
	for _, o := range []Options{{Entities: 500, Seed: 1}, {Entities: 501}} {
		if h := steps(t, open(t, o), 20); seen[h] {
			t.Errorf("%+v has the digest of another world", o)
		}
	}
	a, b := []Draw{{Mesh: 1}, {Depth: 3}}, []Draw{{Depth: 3}, {Mesh: 1}}
	if drawn(a) != drawn(b) || drawn(a) == drawn(a[:1]) {
		t.Errorf("%x %x", drawn(a), drawn(b))
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []Options{{Entities: -1}, {Entities: EntitiesMax + 1}} {
		if g, err := New(o); err == nil {
			g.Close()
			t.Errorf("%+v was accepted", o)
		}
	}
}

// A cancelled context stops a world between frames.
func TestCancelled(t *testing.T) {
	g := open(t, Options{Entities: 300})
	digest := steps(t, g, 3)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := g.Step(ctx); !errors.Is(err, context.Canceled) || g.Frame() != 3 || g.Digest() != digest {
		t.Errorf("frame %d, %v", g.Frame(), err)
	}
	if steps(t, g, 1) == digest {
		t.Error("it did not go on")
	}
}

// hoard adds a last system with commands that need memory in each frame, and
// nothing that a digest shows.
func hoard(t *testing.T, g *Game) {
	t.Helper()
	type ballast [2048]byte
	pool := ecs.Register[ballast](g.World, "ballast")
	type load struct {
		Ents  []ecs.Entity
		Life  []Life
		_     ecs.Without[ballast]
		Later *ecs.Commands
	}
	ecs.System(g.World, "load", func(s *load) {
		for i, e := range s.Ents {
			if s.Life[i].Serial>>8%50 == g.frame%50 {
				pool.Later(s.Later).Add(e, ballast{})
			}
		}
	})
}

// Births come in batches, and none is lost.
func TestManyChildren(t *testing.T) {
	g := open(t, Options{Entities: 1})
	const n = 2*nurserySize + 5
	for i := range n {
		g.brood.children = append(g.brood.children, child(7, 1, i, Vec3{Y: 1}))
	}
	steps(t, g, 1)
	if c := g.Counts(); c.Members[debris] != n || c.Births != n || g.body.Len() != n {
		t.Errorf("%+v, want %d", c, n)
	}
	// A thing that is furnished again, after an error, keeps its components.
	digest := g.Digest()
	for i, s := range g.nursery.seeds {
		if err := g.furnish(s, g.nursery.handles[i]); err != nil {
			t.Fatal(err)
		}
	}
	if g.Digest() != digest {
		t.Error("what things had was lost")
	}
}

// A world that has no memory says so, and goes on as if nothing had been once it has.
func TestNoMemory(t *testing.T) {
	o := Options{Entities: 25_000, Seed: 5}
	if race.Enabled {
		o.Entities = 8000
	}
	const frames = 50
	var population [frames]int
	plain := open(t, o)
	for n := range population {
		if err := plain.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		population[n] = plain.World.Len()
	}
	want := plain.Digest()
	for _, backend := range []arena.Backend{arena.Auto, arena.Heap} {
		o.ECS.Memory.Arena = arena.Options{Backend: backend}
		g := open(t, o)
		hoard(t, g)
		memory := g.World.Manager().Arena()
		refused, more := 0, uint64(0)
		memory.SetLimit(1)
		for n := range frames {
			for {
				err := g.Step(t.Context())
				if err == nil {
					break
				}
				if refused++; !errors.Is(err, arena.ErrLimit) || g.Frame() != n || refused > 1000 {
					t.Fatalf("frame %d: at frame %d, refused %d times, %v", n, g.Frame(), refused, err)
				}
				more = (more + 1<<18) % (3 << 20) // up to the bytes of a region, by and by
				memory.SetLimit(memory.Stats().Committed + more + 1)
			}
			if got := g.World.Len(); got != population[n] {
				t.Fatalf("after frame %d: %d entities, want %d", n, got, population[n])
			}
		}
		if refused < 2 || g.Digest() != want {
			t.Errorf("%v: refused %d times, digest %x, want %x", backend, refused, g.Digest(), want)
		}
		if err := g.World.Check(); err != nil {
			t.Error(err)
		}
		t.Logf("%v: refused %d times", backend, refused)
	}
}

// Usage names the columns that systems read, with their sources.
func TestUsage(t *testing.T) {
	g := open(t, Options{Entities: 2000, Apart: true, ECS: ecs.Options{Record: true, TimeEvery: 2}})
	if us := g.Usage(); len(us) != 9 || us[0].Rows != 0 {
		t.Errorf("before the first frame: %+v", us)
	}
	steps(t, g, 6)
	find := func(system string) Usage {
		for _, u := range g.Usage() {
			if u.System == system {
				return u
			}
		}
		t.Fatalf("no system %q", system)
		return Usage{}
	}
	own := func(c, group string, write bool) Read {
		return Read{Column{Component: c, Write: write}, group, "owned"}
	}
	shared := func(c, field, group string, write bool) Read {
		return Read{Column{Component: c, Field: field, Write: write}, group, "gathered"}
	}
	for system, want := range map[string][]Read{
		"age":    {own("life", "transforms", true)},
		"move":   {own("body", "bodies", true), shared("transform", "Position", "transforms", true), shared("transform", "Rotation", "transforms", true), shared("transform", "Speed", "transforms", true)},
		"census": {own("transform", "transforms", false)},
		"list":   {own("sprite", "sprites", false), shared("transform", "", "transforms", false)},
		"hear":   {own("sound", "sounds", true), shared("transform", "Position", "transforms", false), shared("body", "Velocity", "bodies", false)},
		"judge":  {own("brain", "brains", true), shared("transform", "Position", "transforms", false), shared("life", "Serial", "transforms", false)},
		"think": {own("brain", "brains", true), shared("transform", "Position", "transforms", false), shared("body", "Push", "bodies", true),
			{Column{Component: "transform", Handle: true}, "", "by handle"}},
	} {
		u := find(system)
		for i, r := range u.Reads {
			if r.Strategy == "cached" || r.Strategy == "direct" { // as counts have it
				u.Reads[i].Strategy = "gathered"
			}
		}
		if !reflect.DeepEqual(u.Reads, want) {
			t.Errorf("%s: %+v, want %+v", system, u.Reads, want)
		}
		if u.Frames != 6 || u.Timed != 2 || // in the sixth frame reads by handle are counted, and it is not timed
			u.Times.P10 <= 0 || u.Rows == 0 || u.Rows > 6*2100 {
			t.Errorf("%+v", u)
		}
	}
	if u := find("age"); u.Rows < 6*1900 {
		t.Errorf("%+v: all things age", u)
	}
}

// A strategy that the world knows stands in the usage as it is.
func TestUsageOf(t *testing.T) {
	list := []asked{{"look", []Column{{Component: "sprite"}, {Component: "at", Field: "Y"}}}, {"never", []Column{{Component: "at"}}}}
	facts := profile.Profile{Systems: []profile.System{{Name: "look", Frames: 2, Timed: 1, Times: profile.Times{P50: 5}, Access: []profile.Access{
		{Group: "sprites", Component: "sprite", Rows: 20},
		{Group: "ats", Component: "at.Y", Scattered: true, Rows: 20},
		{Group: "ats", Component: "at.Y", Write: true, Rows: 1},
		{Group: "table/sprite", Component: "sprite", Rows: 3},
	}}}}
	got := usageOf(list, facts, func(system string, c Column, a profile.Access) string {
		return system + " " + c.String()
	})
	want := []Usage{
		{"look", profile.Times{P50: 5}, 1, 2, 23, []Read{
			{list[0].columns[0], "sprites", "look sprite"},
			{list[0].columns[0], "table/sprite", "look sprite"},
			{list[0].columns[1], "ats", "look at.Y"},
		}},
		{System: "never"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// The same world is in the same state on every machine and in every build.
func TestPinnedDigest(t *testing.T) {
	g := open(t, Options{Entities: 1500, Seed: 2026})
	if got, want := steps(t, g, 40), uint64(0xabfd4aee9563f41d); got != want {
		t.Errorf("digest %#x after 40 frames, want %#x", got, want)
	}
	if got, want := steps(t, g, 120), uint64(0x3687b942bd172947); got != want {
		t.Errorf("digest %#x after 160 frames, want %#x", got, want)
	}
}
