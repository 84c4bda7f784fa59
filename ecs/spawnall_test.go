package ecs_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// step carries out a random command. Known are some handles, of entities that may be dead.
func (w *unseenWorld) step(next func(int) int, known []ecs.Entity) []ecs.Entity {
	pick := func() ecs.Entity {
		if len(known) == 0 {
			return 0
		}
		return known[next(len(known))]
	}
	switch op := next(100); {
	case op < 22:
		ok(0, w.many([]int{1, 300, 512, 700, 5_000, 12_000}[next(6)]))
	case op < 40: // the handles of a few chunks, as far as one row in one of them
		at, skip := 0, next(40_000)
		for e := range w.serial.All() {
			if at++; at > skip {
				known = append(known, e)
			}
			if at > skip+next(20) {
				break
			}
		}
	case op < 42:
		for c := range w.handles.All() {
			known = append(known, c.E[next(len(c.E))])
			if next(3) == 0 {
				break
			}
		}
	case op < 58:
		_ = w.Destroy(pick())
	case op < 60: // so many that unseen rows become the last ones
		at := 0
		for e := range w.serial.All() {
			if known = append(known, e); at == 1000 {
				break
			}
			at++
		}
		if next(2) == 0 {
			for _, e := range known[len(known)-at:] {
				w.Commands().Destroy(e)
			}
			ok(0, w.SafePoint())
			break
		}
		for _, e := range known[len(known)-at:] {
			_ = w.Destroy(e)
		}
	case op < 72:
		_ = w.mark.Add(pick(), unseenMark{uint64(op)})
	case op < 82:
		_ = w.mark.Remove(pick())
	case op < 85: // few rows, or seldom many
		every := uint32([]int{7, 5_000, 5_000, 5_000}[next(4)])
		first, band := uint32(next(int(w.next)+1)), next(2) == 0 // with rows behind that move up
		ok(w.columns.DestroyWhere(func(c *unseenColumns, i int) bool {
			if n := c.Serial[i].N; band {
				return n-first < 2_000
			} else {
				return n%every == 0
			}
		}))
	case op < 87:
		w.serial.Sort(func(a, b *unseenSerial) int { return int(a.N%1000) - int(b.N%1000) }, ecs.First(1+next(5_000)), ecs.SortWay(1+next(3)))
	case op < 88 && next(6) == 0:
		ecs.Restore(w.World, next)
	case op < 91 && next(9) == 0:
		w.Reset()
	case op < 92:
		e := ok(w.spawn.Spawn(unseenAgent{unseenSerial{w.next}, unseenPlace{}}))
		known = append(known, e)
	case op < 93 && next(2) == 0: // all handles, by index
		for e := range w.All() {
			if known = append(known, e); next(50) == 0 {
				break
			}
		}
	case op < 94:
		ok(0, w.Resume("look"))
		ok(0, w.Run(context.Background()))
		ok(0, w.Pause("look"))
	default:
		ok(0, w.Run(context.Background()))
	}
	return known
}

// Entities that are spawned without their handles have the handles, rows and values that they would have otherwise,
// whoever looks, and whatever happens to some of them.
func TestSpawnAllIsSpawnN(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]ecs.Options{
		"plain":  {},
		"heap":   {Memory: memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}},
		"stress": {Memory: memmgr.Options{Stress: true}},
		"FIFO":   {FIFO: true, Tag: 3},
		"shared": ecs.WithPieces(ecs.Options{Workers: 3}, 500),
	} {
		if race.Enabled && name != "shared" {
			continue // all memory is on the Go heap, and plain runs have these
		}
		t.Run(name, func(t *testing.T) {
			unseen, seeds := 0, uint64(4)
			if race.Enabled {
				seeds = 1
			}
			for seed := range seeds {
				var worlds [2]*unseenWorld
				var known [2][]ecs.Entity
				var rands [2]*rand.Rand
				for i := range worlds {
					worlds[i], rands[i] = newUnseen(t, o, i == 1), rand.New(rand.NewPCG(seed, 7))
				}
				for step := range 120 {
					for i, w := range worlds {
						known[i] = w.step(rands[i].IntN, known[i])
						if err := w.Check(); err != nil {
							t.Fatalf("seed %d, step %d: %v", seed, step, err)
						}
					}
					a, b := worlds[0], worlds[1]
					if a.sum() != b.sum() || a.Len() != b.Len() || !slices.Equal(known[0], known[1]) {
						t.Fatalf("seed %d, step %d: columns, numbers or handles differ: %d and %d entities", seed, step, a.Len(), b.Len())
					}
					if n := b.Stats().Unseen; n > 0 {
						unseen++
					}
					if rands[0].IntN(40)+rands[1].IntN(40) < 2 && !slices.Equal(a.rows(), b.rows()) {
						t.Fatalf("seed %d, step %d: rows differ", seed, step)
					}
				}
				if !slices.Equal(worlds[0].rows(), worlds[1].rows()) || worlds[1].Stats().Unseen != 0 {
					t.Errorf("seed %d: rows differ, or rows that were looked at are unseen", seed)
				}
				for _, w := range worlds {
					ok(0, w.Check())
				}
			}
			if unseen < int(seeds)*10 {
				t.Errorf("entities were unseen after %d of %d steps", unseen, seeds*120)
			}
		})
	}
}

// A call that is refused leaves nothing, whichever request to the system is refused, and a second one works.
func TestSpawnAllRefused(t *testing.T) {
	refused, system := 0, false
	for n := 1; n < 24; n++ {
		asked, fault := 0, func(op arena.Op, nth int, _ uint64) error {
			if op == arena.OpCommit && nth == n {
				return errors.New("refused by the test")
			}
			return nil
		}
		o := ecs.Options{MaxEntities: 1 << 18, Memory: memmgr.Options{Arena: arena.Options{SmallPages: true, Reserve: 1 << 30}.WithFault(fault)}}
		w := newUnseen(t, o, true)
		system = w.Manager().Arena().Backend() == arena.OS
		for _, size := range []int{700, 60_000, 5_000, 90_000} {
			for {
				was, rows := w.Len(), w.sum()
				err := w.many(size)
				ok(0, w.Check())
				if err == nil {
					break
				}
				if refused++; w.Len() != was || w.sum() != rows {
					t.Fatalf("request %d: %v, and %d entities, before %d", n, err, w.Len(), was)
				}
				if asked++; asked > 1 {
					t.Fatalf("request %d: refused again: %v", n, err)
				}
			}
		}
		if err := w.many(1 << 18); !errors.Is(err, arena.ErrFull) || !strings.Contains(err.Error(), "Options.MaxEntities") {
			t.Errorf("more than Options.MaxEntities: %v", err)
		}
		if rows := w.rows(); len(rows) != 155_700 || w.Len() != 155_700 {
			t.Errorf("request %d: %d rows of %d entities", n, len(rows), w.Len())
		}
		ok(0, w.Check())
	}
	if refused == 0 && system {
		t.Error("nothing was refused")
	}
}

// Near a limit, a call that is refused leaves nothing either.
func TestSpawnAllLimit(t *testing.T) {
	refused := 0
	for extra := uint64(0); extra < 3<<20; extra += 100_000 {
		w := newUnseen(t, ecs.Options{Memory: memmgr.Options{Arena: arena.Options{SmallPages: true}}}, true)
		ok(0, w.many(20_000))
		memory := w.Manager().Arena()
		memory.SetLimit(memory.Stats().Committed + extra)
		for _, size := range []int{3_000, 150_000, 30_000} {
			was, rows := w.Len(), w.sum()
			if err := w.many(size); err != nil {
				if refused++; !errors.Is(err, arena.ErrLimit) || w.Len() != was || w.sum() != rows {
					t.Fatalf("%d bytes more: %v, and %d entities, before %d", extra, err, w.Len(), was)
				}
			}
			ok(0, w.Check())
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}

// A call that is refused leaves the handles of the next one as SpawnN leaves them.
func TestSpawnAllRefusedHandles(t *testing.T) {
	for _, o := range []ecs.Options{{MaxEntities: 30_000}, {MaxEntities: 30_000, FIFO: true}, {Tag: 2}} {
		if arena.Checked && o.MaxEntities == 0 {
			continue // rows that were refused keep their memory until a safe point, so handles are refused as well
		}
		o.Memory.Arena.SmallPages = true
		var rows [2][]unseenRow
		for i := range rows {
			w := newUnseen(t, o, i == 1)
			ok(0, w.many(5_000))
			memory := w.Manager().Arena()
			if o.MaxEntities == 0 {
				memory.SetLimit(memory.Stats().Committed + 2<<20)
			}
			if err := w.many(400_000); err == nil {
				t.Fatal("it was not refused")
			}
			memory.SetLimit(0)
			for range 3 {
				ok(0, w.many(7_000))
			}
			rows[i] = w.rows()
			ok(0, w.Check())
		}
		if !slices.Equal(rows[0], rows[1]) {
			t.Errorf("%d and %d entities at most, %d: rows differ", len(rows[0]), len(rows[1]), o.MaxEntities)
		}
	}
}

// Where handles are wanted at once, as observers, groups apart and thin components do, SpawnAll is SpawnN.
func TestSpawnAllSeen(t *testing.T) {
	type row struct{ A b4 }
	for name, prepare := range map[string]func(w *ecs.World, p *ecs.Pool[b4], heard *int) func([]row) error{
		"observer": func(w *ecs.World, p *ecs.Pool[b4], heard *int) func([]row) error {
			ecs.Observe(w, "hear", func(c *struct{ Came ecs.Arrived[b4] }) { *heard += c.Came.Len() })
			return ecs.SpawnerOf[row](w).SpawnAll
		},
		"group": func(w *ecs.World, p *ecs.Pool[b4], heard *int) func([]row) error {
			return ecs.Apart(ecs.GroupOf[row](w, "rows")).SpawnAll
		},
	} {
		w := world(t, ecs.Options{})
		p, heard := ecs.Register[b4](w, "a"), 0
		spawn := prepare(w, p, &heard)
		values := make([]row, 9_000)
		for i := range values {
			values[i].A = b4{byte(i), byte(i >> 8)}
		}
		ok(0, spawn(values))
		ok(0, spawn(nil))
		if w.Len() != 9_000 || p.Len() != 9_000 || w.Stats().Unseen != 0 || name == "observer" && heard != 9_000 {
			t.Errorf("%s: %d entities, %d values, %d unseen, %d heard", name, w.Len(), p.Len(), w.Stats().Unseen, heard)
		}
		i := 0
		for e, v := range p.All() {
			if *v != values[i].A || *p.Get(e) != *v {
				t.Fatalf("%s: row %d is %v, want %v", name, i, *v, values[i].A)
			}
			i++
		}
		ok(0, w.Check())
		ok(0, w.Close())
		if err := spawn(values); !errors.Is(err, ecs.ErrClosed) {
			t.Errorf("%s: of a closed world: %v", name, err)
		}
	}
}

func ExampleSpawner_SpawnAll() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	ecs.Register[Position](w, "position")
	type drop struct{ Position }
	rain := make([]drop, 100_000)
	for i := range rain {
		rain[i].X = float64(i)
	}
	if err := ecs.SpawnerOf[drop](w).SpawnAll(rain); err != nil {
		panic(err)
	}
	// A system without a field for entities leaves their handles where they are: unwritten.
	ecs.System(w, "fall", func(c *struct{ Position ecs.Write[Position] }) {
		for i := range c.Position {
			c.Position[i].Y--
		}
	})
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	fmt.Println(w.Len(), w.Stats().Unseen > 99_000)
	// Output: 100000 true
}
