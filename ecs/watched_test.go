package ecs_test

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
)

// A checked build names the system that breaks its promise by a call or in memory, and the component or resource. Systems
// that keep it run as ever.
func TestPromiseIsWatched(t *testing.T) {
	if !arena.Checked {
		t.Skip("only in checked builds: -tags ashlarcheck")
	}
	type both struct {
		A c0
		B c1
	}
	type one struct{ B *c1 }
	type writing struct{ B ecs.WriteOne[c1] }
	for _, tt := range []struct {
		name string
		add  func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity)
		want string // "": it keeps its promise
	}{
		{"columns, look-ups and values of before", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ecs.System(w, "s", func(c *struct {
				A    ecs.Write[c0]
				B    []c1
				Look ecs.Look[c1]
				Was  ecs.Prior[c0]
				Sum  ecs.Res[total]
			}) {
				c.A[0].V += c.Look.Get(e).V + c.Was.Get(e).V + b.Get(e).V + ecs.Resource[total](w).V
			}, ecs.Parallel())
		}, ""},
		{"a pool", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ecs.System(w, "s", func(c *struct {
				A   ecs.Write[c0]
				B   *ecs.Pool[c1]
				Sum ecs.WriteRes[total]
			}) {
				c.B.Mut(e).V++
				c.Sum.Mut().V = ecs.Resource[total](w).V + 1
				ok(0, c.B.Set(e, c1{3}))
			}, ecs.Parallel())
		}, ""},
		{"without the promise", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ecs.System(w, "s", func(c *struct{ A ecs.Write[c0] }) { b.Mut(e).V++ })
		}, ""},
		{"Get", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ecs.System(w, "s", func(c *struct{ A ecs.Write[c0] }) { b.Get(e) }, ecs.Parallel())
		}, `"s" has the option ecs.Parallel and calls Get of component "c1", which its struct does not name: give it a field ecs.Look`},
		{"Has, without rows", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ecs.System(w, "s", func(c *struct{ Sum ecs.WriteRes[total] }) { b.Has(e) }, ecs.Parallel())
		}, `calls Has of component "c1", which its struct does not name`},
		{"Enabled", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ecs.System(w, "s", func(c *struct{ A ecs.Write[c0] }) { b.Enabled(e) }, ecs.Parallel())
		}, `calls Enabled of component "c1"`},
		{"Get of what it writes", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ecs.System(w, "s", func(c *struct{ A ecs.Write[c0] }) { a.Get(e) }, ecs.Parallel())
		}, `calls Get of component "c0", which it writes: give its struct a field ecs.Prior`},
		{"Mut", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ecs.System(w, "s", func(c *struct{ B []c1 }) { b.Mut(e) }, ecs.Parallel())
		}, `calls Mut of component "c1", which it must not write by handle`},
		{"Set", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ecs.System(w, "s", func(c *struct{ B []c1 }) { ok(0, b.Set(e, c1{})) }, ecs.Parallel())
		}, `calls Set of component "c1", which it must not write by handle`},
		{"Len of a pool", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ecs.System(w, "s", func(c *struct{ A ecs.Write[c0] }) { b.Len() }, ecs.Parallel())
		}, `calls Len of component "c1", which its struct does not name`},
		{"Len of a pool of its own", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ecs.System(w, "s", func(c *struct {
				A ecs.Write[c0]
				B []c1
			}) {
				b.Len()
				a.Len()
			}, ecs.Parallel())
		}, ""},
		{"Len of the world", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ecs.System(w, "s", func(c *struct{ A ecs.Write[c0] }) { w.Len() }, ecs.Parallel())
		}, `"s" has the option ecs.Parallel and calls Len of the world`},
		{"Pause", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ecs.System(w, "s", func(c *struct{ A ecs.Write[c0] }) { ok(0, w.Pause("beside")) }, ecs.Parallel())
		}, `"s" has the option ecs.Parallel and calls Pause of the world`},
		{"Query.Get", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			q := ecs.QueryOf[one](w)
			ecs.System(w, "s", func(c *struct{ A ecs.Write[c0] }) { q.Get(e) }, ecs.Parallel())
		}, `calls Query.Get of component "c1", which its struct does not name`},
		{"Query.Get that writes", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			q := ecs.QueryOf[writing](w)
			ecs.System(w, "s", func(c *struct{ B []c1 }) { q.Get(e) }, ecs.Parallel())
		}, `calls Query.Get of component "c1", which it must not write by handle`},
		{"Schema.Get", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			s := ecs.SchemaOf[one](w)
			bound := ok(s.Bind(e))
			ecs.System(w, "s", func(c *struct{ A ecs.Write[c0] }) { s.Get(&bound) }, ecs.Parallel())
		}, `calls Schema.Get of component "c1", which its struct does not name`},
		{"a loop", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ecs.System(w, "s", func(c *struct{ A ecs.Write[c0] }) {
				for range b.All() {
				}
			}, ecs.Parallel())
		}, `Pool(c1).All iterates within s, which several workers may run`},
		{"a resource", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ecs.System(w, "s", func(c *struct{ A ecs.Write[c0] }) { ecs.Resource[total](w) }, ecs.Parallel())
		}, `asks for resource ecs_test.total, which its struct does not name`},
		{"memory", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			v := b.Get(e)
			ecs.System(w, "s", func(c *struct{ A ecs.Write[c0] }) { v.V++ }, ecs.Parallel())
		}, `"s" has the option ecs.Parallel and changed values of component "c1", which its struct does not write`},
		{"a resource by Get", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ecs.System(w, "s", func(c *struct{ Sum ecs.Res[total] }) { c.Sum.Get().V++ }, ecs.Parallel())
		}, `"s" has the option ecs.Parallel and changed resource ecs_test.total, which its struct does not write: give it a field ecs.WriteRes`},
		{"a resource that was captured", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			list := ecs.Provide(w, struct{ L [2]struct{ At []int } }{})
			list.L[1].At = make([]int, 3)
			ecs.System(w, "s", func(c *struct{ A ecs.Write[c0] }) { list.L[1].At[2]++ }, ecs.Parallel())
		}, `changed resource struct { L [2]struct { At []int } }`},
		{"a map", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			names := ecs.Provide(w, map[int]string{})
			ecs.System(w, "s", func(c *struct{ A ecs.Write[c0] }) { (*names)[len(*names)] = "" }, ecs.Parallel())
		}, `changed resource map[int]string`},
		{"a resource that guards itself", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			type calls struct{ N [1]atomic.Int64 }
			ecs.Provide(w, calls{})
			ecs.System(w, "s", func(c *struct{ Calls ecs.Res[calls] }) { c.Calls.Get().N[0].Add(1) }, ecs.Parallel())
		}, ""},
		{"a resource that it writes", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ecs.Provide(w, []uint8{1})
			ecs.System(w, "s", func(c *struct{ B ecs.WriteRes[[]uint8] }) { (*c.B.Mut())[0]++ }, ecs.Parallel())
		}, ""},
		{"values of before", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ecs.System(w, "s", func(c *struct {
				A   ecs.Write[c0]
				Was ecs.Prior[c0]
			}) {
				c.Was.Get(e).V++
			}, ecs.Parallel())
		}, `changed values of before of component "c0", which others read: an ecs.Prior is for reading`},
		{"a look", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ecs.System(w, "s", func(c *struct{ B ecs.Look[c1] }) { c.B.Get(e).V++ }, ecs.Parallel())
		}, `changed values of component "c1"`},
		{"events that were captured", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			blows := ecs.EventsOf[blow](w)
			ecs.System(w, "s", func(c *struct{ A ecs.Write[c0] }) { blows.Write(blow{}) }, ecs.Parallel())
		}, `"s" has the option ecs.Parallel and writes events of type ecs_test.blow, which its struct does not name: give it a field ecs.WriteEvents`},
		{"events of a field", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ecs.EventsOf[blow](w)
			ecs.System(w, "s", func(c *struct{ Blows ecs.WriteEvents[blow] }) { c.Blows.Write(blow{}) }, ecs.Parallel())
		}, ""},
		{"memory, and then a panic of its own", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			v := b.Get(e)
			ecs.System(w, "s", func(c *struct{ A ecs.Write[c0] }) {
				v.V++
				panic("its own")
			}, ecs.Parallel())
		}, `its own`},
		{"Spawn", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ecs.System(w, "s", func(c *struct{ A ecs.Write[c0] }) { _, _ = w.Spawn() }, ecs.Parallel())
		}, `Spawn within s, which several workers may run`},
		{"memory, among many bytes", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			ok(0, ecs.SpawnerOf[both](w).SpawnN(make([]ecs.Entity, 200_000), make([]both, 1)))
			v := b.Get(e)
			ecs.System(w, "s", func(c *struct{ Sum ecs.WriteRes[total] }) { v.V++ }, ecs.Parallel())
		}, `changed values of component "c1"`},
		{"a resource, among many bytes", func(w *ecs.World, a *ecs.Pool[c0], b *ecs.Pool[c1], e ecs.Entity) {
			grid := ecs.Provide(w, make([]uint32, 1_000_000))
			ecs.System(w, "s", func(c *struct{ A []c0 }) { (*grid)[999_999]++ }, ecs.Parallel())
		}, `changed resource []uint32`},
	} {
		for _, workers := range []int{1, 2} {
			w := ecs.New(ecs.Options{Workers: workers})
			a, b := ecs.Register[c0](w, "c0"), ecs.Register[c1](w, "c1")
			ecs.Provide(w, total{})
			e := ok(ecs.SpawnerOf[both](w).Spawn(both{c0{1}, c1{2}}))
			tt.add(w, a, b, e)
			ecs.System(w, "beside", func(c *struct{ Sum ecs.Res[total] }) {}, ecs.Parallel())
			said := ""
			for range 10 {
				func() {
					defer func() {
						if v := recover(); v != nil {
							said = fmt.Sprint(v)
						}
					}()
					_ = w.Run(t.Context())
				}()
			}
			if (tt.want == "") != (said == "") || !strings.Contains(said, tt.want) {
				t.Errorf("%s, %d workers: %q, want %q", tt.name, workers, said, tt.want)
			}
			ok(0, w.Close())
		}
	}
}

// Frames in which systems are watched take the same handles as others: a checked build has the same results. Few entities
// of a kind come and go here, so blocks of indexes are left and taken again; a system with commands is one piece, or
// has pieces that run in order.
func TestWatchedFramesTakeTheSameHandles(t *testing.T) {
	type shot struct{ B c1 }
	type rock struct{ A c0 }
	type ore struct {
		A c0
		C c2
	}
	type one struct {
		A  []c0
		Do *ecs.Commands
	}
	type ordered struct {
		A   []c0
		Do  *ecs.Commands
		Sum ecs.WriteRes[total]
	}
	for name, pieces := range map[string]bool{"one piece": false, "pieces in order": true} {
		play := func(watched bool) string {
			o := ecs.Options{}
			if pieces {
				o = ecs.WithPieces(o, 16)
			}
			w := world(t, o)
			ecs.WatchFrames(w, watched)
			ecs.Register[c0](w, "a")
			ecs.Register[c1](w, "b")
			ecs.Register[c2](w, "c")
			ecs.Provide(w, total{})
			shots, rocks := ecs.SpawnerOf[shot](w), ecs.SpawnerOf[rock](w)
			var live [][]ecs.Entity
			frame := 0
			shoot := func(do *ecs.Commands, rows int) {
				for range rows {
					if frame++; frame%7 < 3 {
						live = append(live, []ecs.Entity{shots.Later(do).Spawn(shot{})})
					}
				}
			}
			if pieces {
				ecs.System(w, "shoot", func(c *ordered) { shoot(c.Do, min(len(c.A), 12)) }, ecs.Parallel())
			} else {
				ecs.System(w, "shoot", func(c *one) { shoot(c.Do, min(len(c.A), 12)) }, ecs.Parallel())
			}
			ecs.System(w, "die", func(c *struct{ Do *ecs.Commands }) {
				for len(live) > 40+int(w.Frame()/40%2)*80 {
					at := frame * 31 % len(live)
					c.Do.Destroy(live[at][0])
					live = slices.Delete(live, at, at+1)
				}
			})
			ok(0, rocks.SpawnN(make([]ecs.Entity, 5*64-1), []rock{{}})) // with two parts of shots, page 0 is full
			ok(0, ecs.SpawnerOf[ore](w).SpawnN(make([]ecs.Entity, 64), []ore{{}}))
			for range 300 {
				ok(0, w.Run(t.Context()))
			}
			ok(0, w.Check())
			return fmt.Sprint(live)
		}
		if play(true) != play(false) {
			t.Errorf("%s: a watched world has other handles", name)
		}
	}
}

// Programs at random do the same whether their systems are watched or not.
func TestWatchedProgramsDoTheSame(t *testing.T) {
	t.Parallel()
	seeds, frames, things := uint64(24), 12, 500
	if testing.Short() || race.Enabled {
		seeds, frames = 6, 6
	}
	for _, o := range []ecs.Options{{}, ecs.WithPieces(ecs.Options{FIFO: true}, 64), ecs.WithPieces(ecs.Options{Workers: 1}, 1)} {
		for seed := range seeds {
			play := func(watched bool) (uint64, string) {
				m := newMedley(t, seed, o, things)
				ecs.WatchFrames(m.w, watched)
				if seed%2 == 1 {
					m.panicky, m.quieter = 41, 3
				}
				return m.run(t, frames)
			}
			got, what := play(true)
			if want, _ := play(false); got != want {
				t.Errorf("seed %d, %+v: digest %x watched, %x not: %s", seed, o, got, want, what)
			}
		}
	}
}
