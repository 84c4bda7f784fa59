package store

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// tableStore is a store that the benchmarks of making tables compare.
type tableStore interface {
	spawn() int
	add(entity, comp int)
	remove(entity, comp int)
}

// ours is the store, with handles by number.
type ours struct {
	*Store
	comps []Component
	es    []Entity
}

func newOurs(tb testing.TB, comps int) *ours {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	o := &ours{Store: New(m, Options{MaxEntities: 1 << 20}), comps: make([]Component, comps)}
	for i := range o.comps {
		o.Register(&o.comps[i], fmt.Sprint("component", i), chunk.Spec{Size: 8, Align: 8}, Fixed, true)
	}
	tb.Cleanup(func() {
		if err := m.Close(); err != nil {
			tb.Fatal(err)
		}
	})
	return o
}

func (o *ours) spawn() int {
	e, err := o.Spawn()
	if err != nil {
		panic(err)
	}
	o.es = append(o.es, e)
	return len(o.es) - 1
}

func (o *ours) add(entity, comp int) {
	v := uint64(comp)
	if err := o.Add(&o.comps[comp], o.es[entity], raw.Of(&v)); err != nil {
		panic(err)
	}
}

func (o *ours) remove(entity, comp int) {
	if err := o.Remove(&o.comps[comp], o.es[entity]); err != nil {
		panic(err)
	}
}

// byHand is an archetype store as one writes it by hand: a map of sets to tables, edges in a map
// of each table, columns as slices.
type byHand struct {
	tables map[string]*handTable
	at     []handRow // by entity
}

type handRow struct {
	t   *handTable
	row int
}

type handTable struct {
	comps    []uint32
	entities []int
	columns  [][]uint64
	added    map[uint32]*handTable
	removed  map[uint32]*handTable
}

func newByHand() *byHand { return &byHand{tables: make(map[string]*handTable)} }

func (h *byHand) table(comps []uint32) *handTable {
	var key []byte
	for _, c := range comps {
		key = binary.LittleEndian.AppendUint32(key, c)
	}
	t := h.tables[string(key)]
	if t == nil {
		t = &handTable{comps: comps, columns: make([][]uint64, len(comps)), added: make(map[uint32]*handTable), removed: make(map[uint32]*handTable)}
		h.tables[string(key)] = t
	}
	return t
}

func (h *byHand) spawn() int {
	h.at = append(h.at, handRow{})
	return len(h.at) - 1
}

func (h *byHand) add(entity, comp int) {
	from, c := h.at[entity].t, uint32(comp)
	var to *handTable
	if from == nil {
		to = h.table([]uint32{c})
	} else if to = from.added[c]; to == nil {
		i, _ := slices.BinarySearch(from.comps, c)
		to = h.table(slices.Insert(slices.Clone(from.comps), i, c))
		from.added[c] = to
	}
	h.move(entity, to)
	i, _ := slices.BinarySearch(to.comps, c)
	to.columns[i][len(to.entities)-1] = uint64(comp)
}

func (h *byHand) remove(entity, comp int) {
	from, c := h.at[entity].t, uint32(comp)
	to := from.removed[c]
	if to == nil {
		i, _ := slices.BinarySearch(from.comps, c)
		to = h.table(slices.Delete(slices.Clone(from.comps), i, i+1))
		from.removed[c] = to
	}
	h.move(entity, to)
}

// move takes an entity's row to another table, with the values that both have.
func (h *byHand) move(entity int, to *handTable) {
	at := h.at[entity]
	k := 0
	for i, c := range to.comps {
		v := uint64(0)
		if from := at.t; from != nil {
			for k < len(from.comps) && from.comps[k] < c {
				k++
			}
			if k < len(from.comps) && from.comps[k] == c {
				v = from.columns[k][at.row]
			}
		}
		to.columns[i] = append(to.columns[i], v)
	}
	to.entities = append(to.entities, entity)
	h.at[entity] = handRow{to, len(to.entities) - 1}
	if from := at.t; from != nil {
		last := len(from.entities) - 1
		for i, col := range from.columns {
			col[at.row] = col[last]
			from.columns[i] = col[:last]
		}
		moved := from.entities[last]
		from.entities[at.row] = moved
		from.entities = from.entities[:last]
		if moved != entity {
			h.at[moved].row = at.row
		}
	}
}

// BenchmarkMakeTables is an Add that makes a table: 100 entities get 160 of 4,000 components each,
// one by one.
func BenchmarkMakeTables(b *testing.B) {
	const comps, entities, each = 4000, 100, 160
	adds := func() (list [][]int) {
		r := rand.New(rand.NewPCG(1, 2))
		for range entities {
			list = append(list, r.Perm(comps)[:each])
		}
		return list
	}()
	run := func(b *testing.B, open func() tableStore) {
		for b.Loop() {
			b.StopTimer()
			s := open()
			runtime.GC()
			before := heap()
			b.StartTimer()
			for _, comps := range adds {
				e := s.spawn()
				for _, c := range comps {
					s.add(e, c)
				}
			}
			b.StopTimer()
			runtime.GC()
			b.ReportMetric(float64(heap()-before)/entities/each, "B/table")
			runtime.KeepAlive(s)
			b.StartTimer()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/entities/each, "ns/add")
	}
	b.Run("store", func(b *testing.B) { run(b, func() tableStore { return newOurs(b, comps) }) })
	b.Run("by hand", func(b *testing.B) { run(b, func() tableStore { return newByHand() }) })
}

// BenchmarkSetsOfTwo is the Go heap that a set of two components costs, of 4,000 that are
// registered.
func BenchmarkSetsOfTwo(b *testing.B) {
	const comps = 4000
	for _, sets := range []int{200, 2000, 20000} {
		r := rand.New(rand.NewPCG(3, 4))
		run := func(b *testing.B, open func() tableStore) {
			for b.Loop() {
				b.StopTimer()
				s := open()
				runtime.GC()
				before := heap()
				b.StartTimer()
				for range sets {
					e, x := s.spawn(), r.IntN(comps)
					s.add(e, x)
					s.add(e, (x+1+r.IntN(comps-1))%comps)
				}
				b.StopTimer()
				runtime.GC()
				b.ReportMetric(float64(heap()-before)/float64(sets), "B/set")
				runtime.KeepAlive(s)
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(sets), "ns/set")
		}
		b.Run(fmt.Sprintf("store/sets=%d", sets), func(b *testing.B) { run(b, func() tableStore { return newOurs(b, comps) }) })
		b.Run(fmt.Sprintf("by hand/sets=%d", sets), func(b *testing.B) { run(b, func() tableStore { return newByHand() }) })
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkAddRemove is Add and Remove of one component, of as many as edges are known of, while
// nothing, a lock of another entity, or a component of one that is disabled stands in the way.
func BenchmarkAddRemove(b *testing.B) {
	for _, n := range []int{1 << 10, 16 << 10} {
		for _, comps := range []int{1, 8, 64} {
			for _, while := range []string{"nothing", "locked", "disabled"} {
				if while != "nothing" && comps > 1 {
					continue
				}
				b.Run(fmt.Sprintf("entities=%d/components=%d/elsewhere=%s", n, comps, while), func(b *testing.B) {
					o := newOurs(b, 2+comps)
					for range n + 1 {
						e := o.spawn()
						o.add(e, 0)
						o.add(e, 1)
					}
					switch while {
					case "locked":
						o.Hold(&Lock{Name: "l"}, o.es[n], "holder")
					case "disabled":
						o.SetEnabled(&o.comps[1], o.es[n], false)
					}
					r := rand.New(rand.NewPCG(5, 6))
					r.Shuffle(n, func(i, j int) { o.es[i], o.es[j] = o.es[j], o.es[i] })
					v := uint64(1)
					for b.Loop() {
						for i, e := range o.es[:n] {
							c := &o.comps[2+i%comps]
							if o.Add(c, e, raw.Of(&v)) != nil || o.Remove(c, e) != nil {
								b.Fatal(e)
							}
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/pair")
				})
			}
		}
	}
}
