package ecs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// throng is a small program whose systems are all Parallel: things move, age, split, die, burn and are watched.
type (
	spot  struct{ X, Y uint32 }
	age   struct{ Left int32 }
	burn  struct{ By ecs.Entity }
	shell struct{ B [2000]byte } // so that a chunk has few rows, and some rows are many pieces
	thing struct {
		Spot spot
		Age  age
	}
	heavyThing struct {
		Spot  spot
		Age   age
		Shell shell
	}
)

type throng struct {
	w     *ecs.World
	spots *ecs.Pool[spot]
	ages  *ecs.Pool[age]
	burns *ecs.Pool[burn]
}

// mixed is a number that depends on its arguments alone.
func mixed(a, b uint64) uint64 {
	x := a*0x9E3779B97F4A7C15 ^ b*0xD6E8FEB86659FD93
	return x ^ x>>29
}

func newThrong(t testing.TB, o ecs.Options, things int) *throng {
	w := ecs.New(o)
	c := &throng{w: w, spots: ecs.Register[spot](w, "spot"), ages: ecs.Register[age](w, "age"), burns: ecs.Register[burn](w, "burn")}
	ecs.Register[shell](w, "shell")
	small, large := ecs.SpawnerOf[thing](w), ecs.SpawnerOf[heavyThing](w)
	tick := ecs.Provide(w, uint64(0))
	ecs.System(w, "tick", func(*struct{}) { *tick++ })
	type motion struct {
		At   ecs.Write[spot]
		E    []ecs.Entity
		Tick ecs.Res[uint64]
		Sums ecs.Local[[16]uint64]
	}
	ecs.System(w, "move", func(c *motion) {
		for i := range c.At {
			h := mixed(uint64(c.E[i]), *c.Tick.Get())
			c.At[i].X += uint32(h)
			c.At[i].Y ^= uint32(h >> 32)
			c.Sums.Get()[h%16] += h
		}
	}, ecs.Parallel())
	type ages struct {
		Age ecs.Write[age]
		At  []spot
		E   []ecs.Entity
		_   ecs.Without[burn]
		Do  *ecs.Commands
		Set ecs.Later[burn]
		By  ecs.Look[spot]
	}
	ecs.System(w, "age", func(c *ages) {
		for i, e := range c.E {
			c.Age[i].Left--
			if c.By.Get(e) == nil {
				panic("it has none")
			}
			switch at := c.At[i]; {
			case c.Age[i].Left < 0:
				c.Do.Destroy(e)
				if at.X%8 < 5 {
					small.Later(c.Do).Spawn(thing{spot{at.Y, at.X}, age{int32(at.X % 11)}})
				}
				if at.X%8 == 1 {
					var es [3]ecs.Entity
					large.Later(c.Do).SpawnN(es[:], []heavyThing{{Spot: spot{at.X, 7}, Age: age{int32(at.Y % 5)}}})
				}
			case at.X%16 == 3:
				c.Set.Add(e, burn{e})
			case at.X%64 == 5:
				n := c.Do.Spawn()
				c.Set.Add(e, burn{n})
				c.Set.Add(n, burn{e})
			}
		}
	}, ecs.Parallel())
	type fire struct {
		Burn []burn
		Age  ecs.Maybe[age]
		E    []ecs.Entity
		Out  ecs.Later[burn]
	}
	ecs.System(w, "fire", func(c *fire) {
		for i, e := range c.E {
			if c.Age[i].Left < 3 || mixed(uint64(e), uint64(c.Burn[i].By))%4 == 0 {
				c.Out.Remove(e)
			}
		}
	}, ecs.Parallel())
	type embers struct {
		At ecs.Write[spot]
		E  []ecs.Entity
		_  ecs.With[burn]
	}
	ecs.System(w, "embers", func(c *embers) {
		for i := range c.At {
			c.At[i].Y = uint32(mixed(uint64(c.At[i].Y), uint64(c.E[i])))
		}
	}, ecs.Parallel())
	for i := range things {
		x := mixed(uint64(i), 1)
		if i%50 == 0 {
			ok(large.Spawn(heavyThing{Spot: spot{uint32(x), uint32(x >> 32)}, Age: age{int32(x % 9)}}))
		}
		ok(small.Spawn(thing{spot{uint32(x), uint32(x >> 32)}, age{int32(x % 9)}}))
	}
	return c
}

func (c *throng) digest() uint64 {
	h := fnv.New64a()
	for e, v := range c.spots.All() {
		fmt.Fprintln(h, e, *v, c.ages.Get(e), c.burns.Get(e))
	}
	for e, v := range c.burns.All() {
		fmt.Fprintln(h, e, *v)
	}
	for e := range c.w.All() {
		fmt.Fprintln(h, e)
	}
	return h.Sum64()
}

func (c *throng) close(t testing.TB) {
	t.Helper()
	if err := errors.Join(c.w.Check(), c.w.Close()); err != nil {
		t.Error(err)
	}
}

var crews = []int{1, 2, 3, 8, 64}

// TestParallel: values, rows, handles and commands are the same for any number of workers, with pieces of
// any size, for caches of any size, and with commands that spawn more than was expected.
func TestParallel(t *testing.T) {
	things, frames := 3000, 12
	if testing.Short() {
		things, frames = 800, 6
	}
	for name, o := range map[string]ecs.Options{
		"pieces of a chunk": ecs.WithPieces(ecs.Options{}, 1),
		"pieces":            ecs.WithPieces(ecs.Options{FIFO: true}, 500),
		"heap":              ecs.WithPieces(ecs.Options{Memory: memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}}, 1),
		"stress":            ecs.WithPieces(ecs.Options{Memory: memmgr.Options{Stress: true}, Record: true, TimeEvery: 2}, 100),
		"as programs have":  {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var want uint64
			for i, n := range crews {
				o.Workers, o.Memory = n, machines[i%len(machines)].of(o.Memory)
				c := newThrong(t, o, things)
				for range frames {
					if err := c.w.Run(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				got := c.digest()
				if want == 0 {
					want = got
				}
				if got != want {
					t.Errorf("%d workers: digest %x, with 1 %x", n, got, want)
				}
				c.close(t)
			}
		})
	}
}

// TestParallelPanics: a panic in a piece ends the frame with the system, the value and the stack; the other
// pieces have run, and the commands of all are made, whatever the number of workers.
func TestParallelPanics(t *testing.T) {
	bad := errors.New("bad")
	digests := map[uint64]bool{}
	for _, n := range crews {
		c := newThrong(t, ecs.WithPieces(ecs.Options{Workers: n}, 1), 600)
		type row struct {
			At   ecs.Write[spot]
			Fire ecs.Later[age]
			E    []ecs.Entity
		}
		ecs.System(c.w, "panics", func(c *row) {
			for i := range c.At {
				if c.Fire.Put(c.E[i], age{9}); c.At[i].X%97 == 0 {
					panic(fmt.Errorf("%w: %v", bad, c.E[i]))
				}
				c.At[i].X++
			}
		}, ecs.Parallel())
		var first any
		for range 4 {
			func() {
				defer func() {
					v := recover()
					err, is := v.(error)
					if !is || !errors.Is(err, bad) || !strings.Contains(err.Error(), "parallel_test.go") {
						t.Errorf("%d workers: panic of %v", n, v)
					}
					first = errors.Unwrap(err).Error()
				}()
				t.Error("the frame has ended: ", c.w.Run(t.Context()))
			}()
			if err := c.w.Run(t.Context()); !errors.Is(err, ecs.ErrAbandoned) || !strings.Contains(err.Error(), `"panics"`) {
				t.Errorf("the next Run: %v", err)
			}
		}
		h := fnv.New64a()
		fmt.Fprint(h, first)
		digests[c.digest()^h.Sum64()] = true
		if c.w.RemoveSystem("panics"); len(digests) > 1 {
			t.Fatalf("%d workers have another state after panics", n)
		}
		if err := c.w.Run(t.Context()); err != nil {
			t.Error(err)
		}
		c.close(t)
	}
}

// A panic is the same value however many pieces there are, and whatever runs beside.
func TestParallelPanicsAreAlike(t *testing.T) {
	bad := errors.New("bad")
	for _, rows := range []int{1, 100_000} {
		for _, beside := range []bool{false, true} {
			w := ecs.New(ecs.Options{Workers: 2})
			defer w.Close()
			ecs.Register[spot](w, "spot")
			ok(0, ecs.SpawnerOf[struct{ S spot }](w).SpawnN(make([]ecs.Entity, rows), make([]struct{ S spot }, 1)))
			ecs.System(w, "panics", func(*struct{ S []spot }) { panic(bad) }, ecs.Parallel())
			if beside {
				ecs.System(w, "beside", func(*struct{ S []spot }) {}, ecs.Parallel())
			}
			func() {
				defer func() {
					v := recover()
					if err, is := v.(error); !is || errors.Unwrap(err) != bad || !strings.Contains(err.Error(), "parallel_test.go") {
						t.Errorf("%d rows, beside another: %v: a panic with a %T", rows, beside, v)
					}
				}()
				_ = w.Run(t.Context())
			}()
		}
	}
}

// TestParallelLeavesNothing: no goroutine is left after Close, and a context that is cancelled changes nothing.
func TestParallelLeavesNothing(t *testing.T) {
	c := newThrong(t, ecs.WithPieces(ecs.Options{Workers: 8}, 1), 400)
	for range 5 {
		if err := c.w.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := workers(); n != 7 {
		t.Errorf("%d goroutines of the crew, want 7", n)
	}
	was := c.digest()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.w.Run(ctx); !errors.Is(err, context.Canceled) || c.digest() != was {
		t.Errorf("a cancelled frame: %v", err)
	}
	c.close(t)
	for n := 0; workers() > 0 && n < 1000; n++ {
		time.Sleep(time.Millisecond) // they are on their last instruction
	}
	if n := workers(); n > 0 {
		t.Errorf("%d goroutines of the crew are left", n)
	}
}

// workers counts the goroutines of crews alone: others of this process come and go.
func workers() int {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	return bytes.Count(stacks, []byte("created by github.com/ashlar-go/ashlar/ecs/internal/crew.(*"))
}

// TestParallelPromise: the world's commands are refused within a Parallel system, systems that could read what
// they write run in order, and a piece that ends its goroutine is a panic.
func TestParallelPromise(t *testing.T) {
	w := world(t, ecs.WithPieces(ecs.Options{Workers: 3}, 1))
	spots := ecs.Register[spot](w, "spot")
	ecs.Register[shell](w, "shell")
	sp := ecs.SpawnerOf[struct {
		S spot
		B shell
	}](w)
	var es []ecs.Entity
	for range 400 {
		es = append(es, ok(sp.Spawn(struct {
			S spot
			B shell
		}{})))
	}
	var order []ecs.Entity
	type look struct {
		At   ecs.Write[spot]
		Near ecs.Look[spot]
		E    []ecs.Entity
		_    ecs.With[shell]
	}
	ecs.System(w, "in-order", func(c *look) { order = append(order, c.E...) }, ecs.Parallel())
	type writes struct {
		E    []ecs.Entity
		Spot *ecs.Pool[spot]
		_    ecs.With[shell]
	}
	ecs.System(w, "in-order-too", func(c *writes) {
		for _, e := range c.E {
			c.Spot.Mut(es[0]).X = uint32(e)
		}
	}, ecs.Parallel())
	if err := w.Run(t.Context()); err != nil || !slices.Equal(order, es) || spots.Get(es[0]).X != uint32(es[399]) {
		t.Errorf("%v, rows in order: %v", err, slices.Equal(order, es))
	}
	spotted := ecs.SpawnerOf[struct{ S spot }](w)
	panics := func(what, want string, f func(e ecs.Entity)) {
		ecs.System(w, what, func(c *struct {
			E []ecs.Entity
			_ ecs.With[shell]
		}) {
			f(c.E[0])
		}, ecs.Parallel())
		defer func() {
			if v := fmt.Sprint(recover()); !strings.Contains(v, want) {
				t.Errorf("%s: %s", what, v)
			}
			if err := w.Run(t.Context()); !errors.Is(err, ecs.ErrAbandoned) {
				t.Error(err)
			}
			ok(0, w.RemoveSystem(what))
		}()
		_ = w.Run(t.Context())
	}
	panics("commands", "give its struct a field of type *ecs.Commands", func(e ecs.Entity) { w.Commands().Destroy(e) })
	panics("births", "give its struct a field of type *ecs.Commands", func(ecs.Entity) { w.Commands().Spawn() })
	panics("spawners", "give its struct a field of type *ecs.Commands", func(ecs.Entity) { spotted.Later(w.Commands()).Spawn(struct{ S spot }{}) })
	panics("destroys", "of a system's struct: it is made", func(e ecs.Entity) { ok(0, w.Destroy(e)) })
	panics("spawns", "spawns, which several workers may run", func(ecs.Entity) { ok(w.Spawn()) })
	blows := ecs.EventsOf[blow](w)
	last := blows.Reader()
	panics("reads", "give its struct a field of type ecs.Events", func(ecs.Entity) { last.Len() })
	panics("read", "All of events of type ecs_test.blow within", func(ecs.Entity) {
		for range last.All() {
		}
	})
	panics("readers", "give its struct a field of type ecs.Events", func(ecs.Entity) { blows.Reader() })
	panics("stats", "call it in a system without the option", func(ecs.Entity) { w.Stats() })
	panics("entities", "leave the option out, or give its struct a field *ecs.Query", func(ecs.Entity) {
		for range w.All() {
		}
	})
	q := ecs.QueryOf[struct{ S []spot }](w)
	panics("queries", "which several workers may run", func(ecs.Entity) {
		for range q.All() {
		}
	})
	panics("pools", "which several workers may run", func(ecs.Entity) {
		for range spots.All() {
		}
	})
	panics("structure", "iterates", func(e ecs.Entity) { _ = w.Destroy(e) })
	panics("goexit", "Goexit", func(e ecs.Entity) {
		if e == es[399] || e.Index()%3 == 0 {
			return
		}
		panic("Goexit is tested in package crew")
	})
	if err := w.Run(t.Context()); err != nil {
		t.Error(err)
	}
}
