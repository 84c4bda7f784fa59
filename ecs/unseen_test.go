package ecs_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

type (
	unseenSerial struct{ N uint32 }
	unseenPlace  struct{ X, Y int32 }
	unseenMark   struct{ N uint64 }
	unseenAgent  struct {
		Serial unseenSerial
		Place  unseenPlace
	}
	unseenColumns struct {
		Serial []unseenSerial
		Place  []unseenPlace
	}
	unseenWalk struct {
		Serial []unseenSerial
		Place  ecs.Write[unseenPlace]
	}
	unseenLook struct {
		E     []ecs.Entity
		Place ecs.Write[unseenPlace]
	}
	unseenHandles struct {
		E []ecs.Entity
		_ ecs.With[unseenMark]
	}
	unseenRow struct {
		e ecs.Entity
		unseenAgent
		mark uint64 // 0: it has none
	}
)

// unseenWorld is a world that spawns many, with or without their handles.
type unseenWorld struct {
	*ecs.World
	serial  *ecs.Pool[unseenSerial]
	place   *ecs.Pool[unseenPlace]
	mark    *ecs.Pool[unseenMark]
	spawn   *ecs.Spawner[unseenAgent]
	columns *ecs.Query[unseenColumns]
	handles *ecs.Query[unseenHandles]
	all     bool // by SpawnAll
	next    uint32
}

func newUnseen(t testing.TB, o ecs.Options, all bool) *unseenWorld {
	w := ecs.New(o)
	t.Cleanup(func() { ok(0, w.Close()) })
	u := &unseenWorld{
		World: w, serial: ecs.Register[unseenSerial](w, "serial"), place: ecs.Register[unseenPlace](w, "place"),
		mark: ecs.Register[unseenMark](w, "mark"), spawn: ecs.SpawnerOf[unseenAgent](w), all: all,
		columns: ecs.QueryOf[unseenColumns](w), handles: ecs.QueryOf[unseenHandles](w),
	}
	ecs.System(w, "walk", func(c *unseenWalk) {
		for i, s := range c.Serial {
			c.Place[i].Y += int32(s.N)
		}
	}, ecs.Parallel())
	ecs.System(w, "look", func(c *unseenLook) {
		for i, e := range c.E {
			c.Place[i].X = int32(e.Index())
		}
	}, ecs.Parallel())
	ok(0, w.Pause("look"))
	return u
}

func (w *unseenWorld) many(n int) error {
	values := make([]unseenAgent, n)
	for i := range values {
		w.next++
		values[i] = unseenAgent{unseenSerial{w.next}, unseenPlace{int32(w.next), -int32(w.next)}}
	}
	if w.all {
		return w.spawn.SpawnAll(values)
	}
	return w.spawn.SpawnN(make([]ecs.Entity, n), values)
}

// sum goes over columns without handles: it depends on the order of rows.
func (w *unseenWorld) sum() (sum uint64) {
	for c := range w.columns.All() {
		for i, s := range c.Serial {
			sum = sum*31 + uint64(s.N) + uint64(uint32(c.Place[i].X))<<32
		}
	}
	return sum
}

// rows are all entities, in the order of rows.
func (w *unseenWorld) rows() (list []unseenRow) {
	for e, s := range w.serial.All() {
		r := unseenRow{e: e, unseenAgent: unseenAgent{Serial: *s}}
		if p := w.place.Get(e); p != nil {
			r.Place = *p
		}
		if m := w.mark.Get(e); m != nil {
			r.mark = m.N
		}
		list = append(list, r)
	}
	return list
}

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

// A row of an unseen entity has no memory beside its values: at most 2 bytes where batches are large.
func TestUnseenMemory(t *testing.T) {
	const n, batch = 1 << 20, 1 << 17
	var per [2]float64
	for i := range per {
		w := newUnseen(t, ecs.Options{}, i == 1)
		w.many(1)
		before, err := w.Manager().Arena().Resident()
		if err != nil || w.Manager().Arena().Backend() != arena.OS {
			t.Skip("the Go heap is resident as a whole, or the system does not say what is resident; TestSpawnAllIsSpawnN counts unseen rows everywhere: ", err)
		}
		for range n / batch {
			ok(0, w.many(batch))
		}
		if w.Stats().Unseen < n*9/10 == (i == 1) {
			t.Errorf("of %d entities %d are unseen", n, w.Stats().Unseen)
		}
		if text := w.Stats().String(); strings.Contains(text, "unseen)") != (i == 1) {
			t.Errorf("of %d unseen entities Stats says %q", w.Stats().Unseen, text)
		}
		ok(0, w.Run(context.Background()))
		w.sum()
		after := ok(w.Manager().Arena().Resident())
		per[i] = float64(after-before)/n - 12
	}
	w := newUnseen(t, ecs.Options{}, true)
	for _, all := range []bool{true, false} {
		w.all = all
		ok(0, w.many(n))
		huge := 0
		for r := range w.Manager().Arena().Regions() {
			if r.Range == arena.Huge {
				huge++
			}
		}
		if all && huge > 0 || !all && huge == 0 {
			t.Errorf("%d regions of huge pages behind SpawnAll: %v", huge, all)
		}
	}
	t.Logf("%.1f bytes a row beside its values, %.1f unseen", per[0], per[1])
	if per[1] > 2 {
		t.Errorf("a row of an unseen entity takes %.1f bytes beside its values", per[1])
	}
}

// A call that is refused leaves nothing, whichever request to the system is refused, and a second one works.
func TestSpawnAllRefused(t *testing.T) {
	refused, system := 0, false
	for n := 1; n < 24; n++ {
		asked, fault := 0, func(c arena.Call) error {
			if c.Op == arena.OpCommit && c.N == n {
				return errors.New("refused by the test")
			}
			return nil
		}
		o := ecs.Options{MaxEntities: 1 << 18, Memory: memmgr.Options{HugePages: memmgr.HugePages{Off: true}, Arena: arena.Options{Reserve: 1 << 30, Fault: fault}}}
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
		w := newUnseen(t, ecs.Options{Memory: memmgr.Options{HugePages: memmgr.HugePages{Off: true}}}, true)
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

// BenchmarkUnseenSweep is a light loop over rows with handles, and over unseen ones, which lie in small pages.
func BenchmarkUnseenSweep(b *testing.B) {
	for _, n := range []int{1 << 18, 1 << 20, 10 << 20} {
		for _, all := range []bool{false, true} {
			b.Run(fmt.Sprintf("%d/unseen=%v", n, all), func(b *testing.B) {
				w := newUnseen(b, ecs.Options{}, all)
				for range n >> 17 {
					ok(0, w.many(1<<17))
				}
				for b.Loop() {
					for c := range w.columns.All() {
						place := c.Place
						for i, s := range c.Serial {
							place[i].X += int32(s.N)
						}
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/row")
			})
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

// looks are calls that read the entities of some rows, move rows, or take them away. What they return is compared.
var looks = map[string]func(w *unseenWorld) any{
	"World.All": func(w *unseenWorld) any {
		var es []ecs.Entity
		for e := range w.All() {
			es = append(es, e)
		}
		return fmt.Sprint(es)
	},
	"Destroy, row by row": func(w *unseenWorld) any {
		for _, e := range w.first(1_000) {
			ok(0, w.Destroy(e))
		}
		return w.sum()
	},
	"Destroy by commands": func(w *unseenWorld) any {
		for i, e := range w.first(3_000) {
			if i%3 > 0 {
				w.Commands().Destroy(e)
			}
		}
		ok(0, w.SafePoint())
		return w.sum()
	},
	"DestroyWhere, near the end": func(w *unseenWorld) any {
		return ok(w.columns.DestroyWhere(func(c *unseenColumns, i int) bool { return c.Serial[i].N-w.next+3_000 < 500 }))
	},
	"DestroyWhere, few": func(w *unseenWorld) any {
		return ok(w.columns.DestroyWhere(func(c *unseenColumns, i int) bool { return c.Serial[i].N%4_001 == 0 }))
	},
	"DestroyAll": func(w *unseenWorld) any { return ok(w.World.DestroyAll(w.columns)) },
	"AddAll":     func(w *unseenWorld) any { return ok(w.mark.AddAll(w.columns, unseenMark{3})) },
	"RemoveAll":  func(w *unseenWorld) any { return ok(w.place.RemoveAll(w.columns)) },
	"Clear":      func(w *unseenWorld) any { return w.place.Clear() },
	"AddFunc": func(w *unseenWorld) any {
		return ok(w.mark.AddFunc(w.columns, func(e ecs.Entity) unseenMark { return unseenMark{uint64(e)} }))
	},
	"Sort": func(w *unseenWorld) any { w.serial.Sort(unseenLess); return w.sum() },
	"Sort, by permutation": func(w *unseenWorld) any {
		w.serial.Sort(unseenLess, ecs.SortByPermutation, ecs.First(9_000))
		return w.sum()
	},
	"Sort, in place": func(w *unseenWorld) any { w.serial.Sort(unseenLess, ecs.SortInPlace, ecs.First(900)); return w.sum() },
	"Sort, through entries": func(w *unseenWorld) any {
		w.serial.Sort(unseenLess, ecs.SortThroughEntries, ecs.First(900))
		return w.sum()
	},
	"SortKey": func(w *unseenWorld) any {
		w.serial.SortKey(func(s *unseenSerial) uint64 { return uint64(s.N * 7919 % 1000) })
		return w.sum()
	},
	"InOrder":                func(w *unseenWorld) any { return fmt.Sprint(w.inOrder()) },
	"Respect":                func(w *unseenWorld) any { w.place.Respect(w.mark); return w.sum() },
	"Reset, and others come": func(w *unseenWorld) any { w.Reset(); return errors.Join(w.many(40_000), w.Check()) },
	"a group": func(w *unseenWorld) any {
		ecs.Apart(ecs.GroupOf[unseenAgent](w.World, "agents"))
		return w.Run(context.Background())
	},
	"a group for a short while": func(w *unseenWorld) any { return ecs.Apart(ecs.GroupOf[unseenAgent](w.World, "agents")).Dissolve() },
	"an observer of ends": func(w *unseenWorld) any {
		sum := ecs.Entity(0)
		ecs.Observe(w.World, "ends", func(c *struct{ Gone ecs.Left[ecs.Entity] }) {
			for es := range c.Gone.All() {
				for _, e := range es {
					sum = sum*31 + e
				}
			}
		})
		ok(w.World.DestroyAll(w.columns))
		return sum
	},
	"ways of storing": func(w *unseenWorld) any {
		r := rand.New(rand.NewPCG(1, 1))
		for range 6 {
			ecs.Restore(w.World, r.IntN)
			ok(0, w.Run(context.Background()))
		}
		return w.sum()
	},
	"a system that reads handles": func(w *unseenWorld) any {
		ok(0, w.Resume("look"))
		return w.Run(context.Background())
	},
	"a query by another component": func(w *unseenWorld) any {
		for i, e := range w.first(2_000) {
			if i%7 == 0 {
				ok(0, w.mark.Add(e, unseenMark{1}))
			}
		}
		n := 0
		for c := range w.handles.All() {
			n += len(c.E)
		}
		return n
	},
	"a group counts": func(w *unseenWorld) any {
		g := ecs.GroupOf[unseenAgent](w.World, "agents")
		was := w.Stats()
		return fmt.Sprint(g.Len(), was.Groups, w.Stats().Unseen == was.Unseen)
	},
	"an iterator that waits": func(w *unseenWorld) any {
		all, n := w.All(), 0
		ok(0, w.many(5_120))
		for range all {
			n++
		}
		return n
	},
	"others' handles, read": func(w *unseenWorld) any {
		get := ecs.QueryOf[struct {
			Serial *unseenSerial
			Place  *unseenPlace
		}](w.World)
		schema := ecs.SchemaOf[struct{ Serial *unseenSerial }](w.World)
		lock, s := w.NewLock("lock", w.serial), ""
		for i, e := range w.others(80) {
			switch i % 8 {
			case 0:
				s += fmt.Sprint(w.Alive(e), w.Alive(e+1<<36), w.Alive(e+1<<20))
			case 1:
				s += fmt.Sprint(*w.serial.Get(e), w.mark.Get(e) == nil)
			case 2:
				s += fmt.Sprint(w.serial.Has(e), w.mark.Has(e))
			case 3:
				w.place.Mut(e).X++
			case 4:
				q, is := get.Get(e)
				s += fmt.Sprint(*q.Serial, is)
			case 5:
				c := ok(schema.Bind(e))
				v, valid := schema.Get(&c)
				s += fmt.Sprint(*v.Serial, valid)
			case 6:
				s += fmt.Sprint(w.Enabled(e), w.serial.Enabled(e))
			case 7:
				s += fmt.Sprint(lock.Hold(e, "me"))
			}
		}
		return s
	},
	"others' handles, changed": func(w *unseenWorld) any {
		gone, s := ecs.ExchangeOf[struct {
			unseenMark
			_ ecs.Without[unseenPlace]
		}](w.World), ""
		for i, e := range w.others(90) {
			switch i % 9 {
			case 0:
				s += fmt.Sprint(w.Destroy(e), w.Destroy(e))
			case 1:
				s += fmt.Sprint(w.mark.Add(e, unseenMark{1}), w.serial.Add(e, unseenSerial{1}))
			case 2:
				s += fmt.Sprint(w.place.Remove(e))
			case 3:
				s += fmt.Sprint(w.serial.Set(e, unseenSerial{5}))
			case 4:
				s += fmt.Sprint(w.mark.Put(e, unseenMark{9}), w.place.Put(e, unseenPlace{9, 9}))
			case 5:
				s += fmt.Sprint(w.SetEnabled(e, false), w.Enabled(e))
			case 6:
				s += fmt.Sprint(gone.Do(e, struct {
					unseenMark
					_ ecs.Without[unseenPlace]
				}{}))
			case 7:
				w.Commands().Destroy(e)
				w.mark.Later(w.Commands()).Add(e+512*30, unseenMark{4})
			case 8:
				s += fmt.Sprint(w.serial.SetEnabled(e, false), w.serial.Enabled(e))
			}
		}
		return fmt.Sprint(s, w.SafePoint(), w.Stats().Dropped)
	},
	"others' handles, in one list": func(w *unseenWorld) any {
		for _, e := range w.others(3_000) {
			w.Commands().Destroy(e)
		}
		return fmt.Sprint(w.SafePoint(), w.Stats().Dropped, w.Len())
	},
	"disabled entities": func(w *unseenWorld) any {
		for i, e := range w.first(2_000) {
			if i%9 == 0 {
				ok(0, w.SetEnabled(e, false))
			}
		}
		return fmt.Sprint(w.sum(), ok(w.serial.SetEnabledAll(w.columns, false)), w.sum())
	},
}

// others are handles of entities that the world has not given out, as a twin of it has.
func (w *unseenWorld) others(n int) (es []ecs.Entity) {
	for i := range n {
		es = append(es, ecs.Entity(1<<36|600+uint64(i)*7919%15_000))
	}
	return es
}

func unseenLess(a, b *unseenSerial) int { return int(a.N*7919%1000) - int(b.N*7919%1000) }

// first are the entities of the first rows.
func (w *unseenWorld) first(n int) (es []ecs.Entity) {
	for e := range w.serial.All() {
		if es = append(es, e); len(es) == n {
			break
		}
	}
	return es
}

func (w *unseenWorld) inOrder() (es []ecs.Entity) {
	w.serial.Sort(unseenLess)
	for e := range w.serial.InOrder(unseenLess) {
		es = append(es, e)
	}
	return es
}

// Whoever looks first at unseen rows, and whatever moves them: all is as if they had been seen from the beginning.
func TestUnseenLooks(t *testing.T) {
	for name, look := range looks {
		t.Run(name, func(t *testing.T) {
			var results [2]any
			var rows [2][]unseenRow
			for i := range results {
				w := newUnseen(t, ecs.Options{}, i == 1)
				// Unseen rows are the last ones: after 511 indexes of the first page whole pages are taken.
				ok(0, w.many(511))
				ok(0, w.many(512*60))
				ok(0, w.Run(context.Background()))
				if n := w.Stats().Unseen; n != 512*60*i {
					t.Fatalf("%d rows are unseen", n)
				}
				results[i] = look(w)
				ok(0, w.Check())
				if err := w.many(512 * 8); err != nil {
					t.Fatal(err)
				}
				ok(0, w.Check())
				rows[i] = w.rows()
				ok(0, w.Check())
			}
			if !reflect.DeepEqual(results[0], results[1]) {
				t.Errorf("%.99v with handles, and %.99v without", results[0], results[1])
			}
			if !slices.Equal(rows[0], rows[1]) {
				t.Errorf("%d rows with handles, and %d without: they differ", len(rows[0]), len(rows[1]))
			}
		})
	}
}

// loops are walks that read no handle. They say how many rows they have passed, and how many rows are unseen behind them.
var loops = map[string]func(w *unseenWorld) (passed int){
	"slices":  func(w *unseenWorld) int { return passed(w, func(c *unseenColumns) int { return len(c.Serial) }) },
	"writing": func(w *unseenWorld) int { return passed(w, func(c *unseenWalk) int { return len(c.Serial) }) },
	"without": func(w *unseenWorld) int {
		return passed(w, func(c *struct {
			Serial []unseenSerial
			_      ecs.Without[unseenMark]
		}) int {
			return len(c.Serial)
		})
	},
	"pointers": func(w *unseenWorld) int {
		return passed(w, func(c *struct {
			Serial *unseenSerial
			Place  ecs.WriteOne[unseenPlace]
		}) int {
			c.Place.Y = int32(c.Serial.N)
			return 1
		})
	},
	"maybe": func(w *unseenWorld) int {
		return passed(w, func(c *struct {
			Serial []unseenSerial
			Mark   ecs.Maybe[unseenMark]
		}) int {
			return len(c.Serial) + len(c.Mark) - len(c.Serial)
		})
	},
	"part": func(w *unseenWorld) int {
		return passed(w, func(c *struct {
			X []int32 `ashlar:"place.X"`
		}) int {
			return len(c.X)
		})
	},
	"rows": func(w *unseenWorld) int {
		return passed(w, func(c *struct {
			Rows   ecs.Rows
			Serial []unseenSerial
		}) int {
			return len(c.Rows)
		})
	},
	"changed": func(w *unseenWorld) int {
		return passed(w, func(c *struct {
			Serial []unseenSerial
			_      ecs.Changed[unseenPlace]
		}) int {
			return len(c.Serial)
		})
	},
	"sum": func(w *unseenWorld) int {
		return int(w.columns.Sum(func(c *unseenColumns, i int) float64 { return 1 }))
	},
	"none to destroy": func(w *unseenWorld) int {
		n := 0
		ok(w.columns.DestroyWhere(func(c *unseenColumns, i int) bool { n++; return false }))
		return n
	},
}

// passed sums what a function says of the structs of a query.
func passed[S any](w *unseenWorld, f func(*S) int) (n int) {
	for c := range ecs.QueryOf[S](w.World).All() {
		n += f(c)
	}
	return n
}

// Loops that read no handle leave rows unseen.
func TestUnseenStays(t *testing.T) {
	for name, loop := range loops {
		w := newUnseen(t, ecs.Options{}, true)
		ok(0, w.many(511))
		ok(0, w.many(512*60))
		n := loop(w)
		if unseen := w.Stats().Unseen; n != w.Len() || unseen != 512*60 {
			t.Errorf("%s: %d rows of %d are passed, and %d unseen", name, n, w.Len(), unseen)
		}
		ok(0, w.Check())
	}
}

// Workers that read by handles which the world has not given out find values, as one does.
func TestUnseenShared(t *testing.T) {
	w := newUnseen(t, ecs.WithPieces(ecs.Options{Workers: 4}, 500), true)
	ok(0, w.many(511))
	ok(0, w.many(512*40))
	ecs.System(w.World, "refer", func(c *struct {
		Serial []unseenSerial
		Place  ecs.Look[unseenPlace]
		Wrong  ecs.Local[int]
	}) {
		for _, s := range c.Serial {
			other := s.N * 7919 % 20_000
			if p := c.Place.Get(ecs.Entity(1<<36 | uint64(other+1))); p == nil || p.Y != -int32(other+1) {
				*c.Wrong.Get()++
			}
		}
		if *c.Wrong.Get() > 0 {
			t.Errorf("%d values are missing or wrong", *c.Wrong.Get())
		}
	}, ecs.Parallel())
	ok(0, w.Pause("walk"))
	ok(0, w.Run(context.Background()))
	ok(0, w.Check())
}
