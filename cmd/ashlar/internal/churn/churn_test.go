package churn

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// steps runs frames, checks the world and returns its hash.
func steps(t testing.TB, c *Churn, frames int) uint64 {
	t.Helper()
	for range frames {
		if err := c.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.World.Check(); err != nil {
		t.Fatal(err)
	}
	return c.Hash()
}

func open(t testing.TB, o Options) *Churn {
	t.Helper()
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// In every frame of a wave the world has the entities that a plain program has.
func TestAgainstReference(t *testing.T) {
	for _, o := range []Options{
		{Entities: 3000, Groups: 20, Seed: 1},
		{Entities: 500, Groups: 1, Seed: 2},
		{Entities: 500, Groups: 2},
		{Entities: 3000, Groups: 5, Seed: 1 << 60},
		{Entities: 10, Groups: 30}, // most groups are empty
	} {
		if testing.Short() {
			o.Entities = max(o.Entities/5, 10)
		}
		if race.Enabled {
			o.Entities = max(o.Entities/3, 10)
		}
		c, ref := open(t, o), newReference(o)
		for frame := range period + 100 {
			if err := c.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
			ref.step()
			if got, want := c.World.Len(), ref.population(); got != want {
				t.Fatalf("%+v frame %d: %d entities, want %d", o, frame, got, want)
			}
			if frame%4 != 0 {
				continue // a hash of a later frame shows the same difference, and takes as long as a step
			}
			if got, want := c.Hash(), ref.hash(); got != want {
				t.Fatalf("%+v frame %d: hash %x, want %x", o, frame, got, want)
			}
		}
		if int(c.Births()) <= o.Entities {
			t.Errorf("%+v: %d were born: hardly anybody died", o, c.Births())
		}
	}
}

func TestSameUnderEveryOption(t *testing.T) {
	heap := arena.Options{Backend: arena.Heap}
	o := Options{Entities: 6000, Seed: 9}
	if testing.Short() {
		o.Entities = 2000
	}
	if race.Enabled {
		o.Entities = 500
	}
	const frames = 450
	want := steps(t, open(t, o), frames)
	for name, v := range map[string]ecs.Options{
		"stress":      {Memory: memmgr.Options{Stress: true}},
		"heap":        {Memory: memmgr.Options{Arena: heap}},
		"heap stress": {Memory: memmgr.Options{Arena: heap, Stress: true}},
		"FIFO":        {FIFO: true, Tag: 3},
		"normal":      {Memory: memmgr.Options{Arena: arena.Options{SmallPages: true}}},
	} {
		o.ECS = v
		if got := steps(t, open(t, o), frames); got != want {
			t.Errorf("%s: hash %x, want %x", name, got, want)
		}
	}
}

// Other seeds, frames and numbers of entities have other hashes.
func TestHash(t *testing.T) {
	c := open(t, Options{Entities: 1000})
	seen := map[uint64]bool{c.Hash(): true, steps(t, c, riseFirst+rise): true}
	for range 20 {
		if h := steps(t, c, 1); seen[h] {
			t.Errorf("frame %d has the hash of an earlier one", c.Frame())
		} else {
			seen[h] = true
		}
	}
	for _, o := range []Options{{Entities: 1000, Seed: 1}, {Entities: 1300}, {Entities: 1000, Groups: 19}} {
		if h := steps(t, open(t, o), riseFirst+rise+20); seen[h] {
			t.Errorf("%+v has the hash of another world", o)
		}
	}
}

// The population goes from a tenth to all and back.
func TestWaves(t *testing.T) {
	o := Options{Entities: 20_000}
	if race.Enabled {
		o.Entities = 6000
	}
	c := open(t, o)
	least, most := o.Entities, 0
	for range period {
		if err := c.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		least, most = min(least, c.World.Len()), max(most, c.World.Len())
	}
	if err := c.World.Check(); err != nil {
		t.Error(err)
	}
	if most < o.Entities*95/100 || most > o.Entities*105/100 || least > o.Entities*12/100 {
		t.Errorf("from %d to %d entities of %d", least, most, o.Entities)
	}
	n := 0
	for _, g := range c.Groups() {
		n += g.Members
		if (g.Members > 0) != (g.Chunks > 0) {
			t.Errorf("%+v", g)
		}
	}
	if n != c.World.Len() {
		t.Errorf("groups have %d members, and there are %d entities", n, c.World.Len())
	}
}

func TestWant(t *testing.T) {
	counts := []int{1, 2, 7, 20, 1000}
	if race.Enabled {
		counts = counts[:4]
	}
	for _, groups := range counts {
		for frame := uint64(0); frame < 2*period; frame += uint64(1 + groups/100) {
			all := 0
			for g := range groups {
				all += want(10_000, groups, g, frame)
			}
			if all > 10_000 || frame >= riseLast && all < 10_000*low/1000-groups {
				t.Fatalf("%d groups, frame %d: %d wanted", groups, frame, all)
			}
		}
	}
	for _, tt := range []struct {
		have, want int
		rate       uint32
	}{{0, 0, 0}, {5, 9, 0}, {9, 9, 0}, {10, 5, 1 << 31}, {8, 6, 1 << 30}, {7, 0, 1<<32 - 1}} {
		if got := rate(tt.have, tt.want); got != tt.rate {
			t.Errorf("rate(%d, %d) = %#x, want %#x", tt.have, tt.want, got, tt.rate)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []Options{{Entities: -1}, {Entities: EntitiesMax + 1}, {Groups: -1}, {Groups: GroupsMax + 1}} {
		if c, err := New(o); err == nil {
			c.Close()
			t.Errorf("%+v was accepted", o)
		}
	}
}

// A cancelled context stops a world between frames.
func TestCancelled(t *testing.T) {
	c := open(t, Options{Entities: 1000})
	hash := steps(t, c, 3)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Step(ctx); !errors.Is(err, context.Canceled) || c.Frame() != 3 || c.Hash() != hash {
		t.Errorf("frame %d, %v", c.Frame(), err)
	}
	if steps(t, c, 1) == hash {
		t.Error("it did not go on")
	}
}

// A world that has no memory says so, and goes on as if nothing had been once it has.
func TestNoMemory(t *testing.T) {
	o := Options{Entities: 30_000, Groups: 9, Seed: 5}
	if race.Enabled {
		o.Entities = 10_000
	}
	const frames = 330
	want := steps(t, open(t, o), frames)
	for _, backend := range []arena.Backend{arena.Auto, arena.Heap} {
		o.ECS.Memory.Arena = arena.Options{Backend: backend}
		c := open(t, o)
		memory := c.World.Manager().Arena()
		refused := 0
		for n := range frames {
			if n%3 == 0 {
				memory.SetLimit(memory.Stats().Committed) // nothing more from here on
			}
			err := c.Step(t.Context())
			if err == nil {
				continue
			}
			refused++
			for range 3 {
				if !errors.Is(err, arena.ErrLimit) || c.Frame() != n {
					t.Fatalf("frame %d: at frame %d, %v", n, c.Frame(), err)
				}
				err = c.Step(t.Context())
			}
			memory.SetLimit(0)
			if err := c.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if refused == 0 || c.Hash() != want {
			t.Errorf("%v: refused %d times, hash %x, want %x", backend, refused, c.Hash(), want)
		}
		if err := c.World.Check(); err != nil {
			t.Error(err)
		}
	}
}

// being is an entity of the plain program.
type being struct {
	Life
	Place
	Motion
	Trail
	Store
	aim    Aim // its Target unused
	target *being
	signal *Signal
	fever  *Fever
	dead   bool
}

// heard is the signal of a living being, if there is one.
func (b *being) heard() *Signal {
	if b == nil || b.dead {
		return nil
	}
	return b.signal
}

// reference is the same world in plain slices of pointers.
type reference struct {
	o         Options
	groups    [][]*being
	born      []uint64
	landmarks []*being
	heard     int
	frame     uint64
}

func newReference(o Options) *reference {
	return &reference{o: o, groups: make([][]*being, o.Groups), born: make([]uint64, o.Groups)}
}

func (r *reference) landmark(serial uint64) *being {
	if len(r.landmarks) == 0 {
		return nil
	}
	return r.landmarks[pick(serial, r.frame, len(r.landmarks))]
}

func (r *reference) birth(g int, serial uint64) *being {
	b := &being{}
	b.Life, b.Place, b.Motion = born(serial, g)
	if kind(g)%kinds == plants {
		b.Motion = Motion{}
	}
	r.groups[g] = append(r.groups[g], b)
	return b
}

func (r *reference) wave(g, n int) {
	newborn := make([]*being, n)
	for i := range newborn {
		newborn[i] = r.birth(g, mix(r.o.Seed, uint64(g), r.born[g]))
		r.born[g]++
		if kind(g)%kinds == seekers {
			newborn[i].target = r.landmark(newborn[i].Serial)
		}
	}
	for _, b := range newborn {
		if kind(g)%kinds != walkers || !signals(b.Serial) {
			continue
		}
		b.signal = &Signal{b.Serial, b.X, b.Y, strength}
		if len(r.landmarks) < landmarks {
			r.landmarks = append(r.landmarks, b)
		} else {
			r.landmarks[r.heard%landmarks] = b
		}
		r.heard++
	}
}

// each calls f for the beings of the kinds.
func (r *reference) each(f func(b *being), ks ...kind) {
	for g, members := range r.groups {
		if slices.Contains(ks, kind(g)%kinds) {
			for _, b := range members {
				f(b)
			}
		}
	}
}

func (r *reference) bury() {
	for g := range r.groups {
		r.groups[g] = slices.DeleteFunc(r.groups[g], func(b *being) bool { return b.dead })
	}
}

func (r *reference) step() {
	rates := make([]uint32, len(r.groups))
	for g, members := range r.groups {
		want := want(r.o.Entities, len(r.groups), g, r.frame)
		rates[g] = rate(len(members), want)
		r.wave(g, max(want-len(members), 0))
	}
	rare := func(every uint64, f func(b *being), ks ...kind) {
		if r.frame%every == 0 {
			r.each(f, ks...)
		}
	}
	all := []kind{walkers, seekers, plants}
	rare(emitEvery, func(b *being) {
		b.Trail.mark(b.Place, r.frame)
		if b.signal != nil {
			b.signal.emit(b.Place)
		}
	}, walkers)
	r.each(func(b *being) { b.Motion.steer(b.Place, b.target.heard()) }, seekers)
	rare(aimEvery, func(b *being) {
		if b.target.heard() == nil {
			b.aim.lose(r.frame)
			b.target = r.landmark(b.Serial)
		}
	}, seekers)
	r.each(func(b *being) { b.Place.move(b.Motion) }, walkers, seekers)
	r.each(func(b *being) {
		if b.signal != nil {
			b.signal.fade()
		}
		if b.fever != nil && b.fever.burn(b.signal) {
			b.fever = nil
		}
	}, walkers)
	rare(infectEvery, func(b *being) {
		if b.signal != nil && b.fever == nil && infected(b.Serial, r.frame) {
			b.fever = &Fever{feverTime}
		}
	}, walkers)
	r.each(func(b *being) { b.Store.grow(b.Place) }, plants)
	r.each(func(b *being) { b.dead = b.age() }, all...)
	r.bury()
	var victims []*being
	r.each(func(b *being) {
		if culled(b.Serial, r.frame, rates[b.Group]) {
			victims = append(victims, b)
		}
	}, all...)
	rare(breedEvery, func(b *being) {
		if b.Store.breed(r.frame) {
			r.birth(int(b.Group), child(b.Serial, r.frame))
		}
	}, plants)
	for _, b := range victims {
		b.dead = true
	}
	r.bury()
	r.frame++
}

func (r *reference) population() (n int) {
	for _, members := range r.groups {
		n += len(members)
	}
	return n
}

func (r *reference) hash() uint64 {
	sum := mix(r.frame)
	r.each(func(b *being) {
		var target uint64
		if s := b.target.heard(); s != nil {
			target = s.Serial
		}
		wide := [kinds]uint64{b.Trail.hash(), b.aim.hash(), b.Store.hash()}[kind(b.Group)%kinds]
		sum += hashOf(b.Life, b.Place, b.Motion, target, wide)
		if b.signal != nil {
			var f Fever
			if b.fever != nil {
				f = *b.fever
			}
			sum += hashOfSignal(*b.signal, f)
		}
	}, walkers, seekers, plants)
	return sum
}

// The same world is in the same state on every machine and in every build.
func TestPinnedHash(t *testing.T) {
	c := open(t, Options{Entities: 3000, Groups: 7, Seed: 2026})
	if got, want := steps(t, c, 150), uint64(0xbb34bcd4c585e78f); got != want {
		t.Errorf("hash %#x after 150 frames, want %#x", got, want)
	}
	if got, want := steps(t, c, 450), uint64(0xf757eb7bfb1ca6fa); got != want {
		t.Errorf("hash %#x after 600 frames, want %#x", got, want)
	}
}
