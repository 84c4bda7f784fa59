package ecs

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

type (
	spotted  struct{ X, Y float64 }
	speed    struct{ X, Y float64 }
	sparsely struct { // a sparse set as one writes it by hand
		entries []handEntry
		dense   []spotted
	}
	handEntry struct{ version, row uint32 }

	// lookup is the fields of a pool that Get reads, for forms of it that do less.
	lookup struct {
		words unsafe.Pointer
		count uint32
		addrs unsafe.Pointer
		mask  uint64
		dense unsafe.Pointer // the values of all rows, where there is no directory
	}
)

func (s *sparsely) get(e Entity) *spotted {
	i := e.Index()
	if int(i) >= len(s.entries) {
		return nil
	}
	if k := s.entries[i]; k.version == e.Version() {
		return &s.dense[k.row]
	}
	return nil
}

const spottedBytes = uint64(unsafe.Sizeof(spotted{}))

func (l *lookup) word(e Entity) uint64 {
	return *(*uint64)(unsafe.Add(l.words, uint64(uint32(e))*8))
}

func (l *lookup) value(s uint64) *spotted {
	base := *(*unsafe.Pointer)(unsafe.Add(l.addrs, s&l.mask*uint64(unsafe.Sizeof(uintptr(0)))))
	return (*spotted)(unsafe.Add(base, uint64(memmgr.Loc(s&(1<<memmgr.LocBits-1)).Index())*spottedBytes))
}

// noBound is Get without a test of the index, nor of the chunk having the column.
func (l *lookup) noBound(e Entity) *spotted {
	if s := l.word(e); store.Names(s, e) {
		return l.value(s)
	}
	return nil
}

// noVersion is that without a test of the version.
func (l *lookup) noVersion(e Entity) *spotted { return l.value(l.word(e)) }

// noDirectory is Get where all values lie in one array that never moves: the word
// holds the row in that.
func (l *lookup) noDirectory(e Entity) *spotted {
	if uint32(e) < l.count {
		if s := l.word(e); store.Names(s, e) {
			return (*spotted)(unsafe.Add(l.dense, s&(1<<memmgr.LocBits-1)*spottedBytes))
		}
	}
	return nil
}

// BenchmarkGet prints the cost of each part of Get with random handles: Get, a hand-written
// sparse set, and Get with parts taken away. They run in turn, and the benchmark prints the
// medians of the rounds. The text of get-2 is that of get, elsewhere in the program.
func BenchmarkGet(b *testing.B) {
	for _, n := range []int{1 << 10, 16 << 10} {
		b.Run(fmt.Sprintf("rows=%d", n), func(b *testing.B) { benchGet(b, n) })
	}
}

func benchGet(b *testing.B, n int) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	forms := getForms(b, n)
	times := make([][]float64, len(forms))
	for b.Loop() {
		for i, f := range forms {
			f.sum()
			start := time.Now()
			f.sum()
			times[i] = append(times[i], float64(time.Since(start))/float64(n*getTimes))
		}
	}
	for i, f := range forms {
		slices.Sort(times[i])
		b.ReportMetric(times[i][len(times[i])/2], "ns-"+f.name)
	}
	b.ReportMetric(0, "ns/op")
}

const getTimes = 16

type getForm struct {
	name string
	sum  func() float64
}

// getForms makes a world and a sparse set of n rows. The loops are written out, since a
// function that is passed is not inlined.
func getForms(b *testing.B, n int) []getForm {
	w := New(Options{})
	b.Cleanup(func() { _ = w.Close() })
	type body struct {
		S spotted
		V speed
	}
	pool := Register[spotted](w, "spotted")
	Register[speed](w, "speed")
	g := GroupOf[body](w, "body")
	if err := w.Err(); err != nil {
		b.Fatal(err)
	}
	es := make([]Entity, n)
	if err := g.SpawnN(es, []body{{}}); err != nil {
		b.Fatal(err)
	}
	flat := pool.pool.component.Home().Flat()
	words, count := unsafe.Pointer(&flat[0]), uint32(len(flat))
	cells := 1
	for pool.pool.component.Dir.CellOf(0) != pool.pool.component.Dir.CellOf(memmgr.Loc(cells)) {
		cells *= 2
	}
	addrs := make([]unsafe.Pointer, cells)
	for i := range addrs {
		addrs[i] = pool.pool.component.Dir.Find(uint64(i))
	}
	hand := &sparsely{make([]handEntry, n+1), make([]spotted, n)}
	rows := make([]uint64, n+1)
	for i, e := range es {
		hand.entries[e.Index()] = handEntry{e.Version(), uint32(i)}
		rows[e.Index()] = store.Word(e, memmgr.Loc(i))
	}
	l := &lookup{words, count, unsafe.Pointer(&addrs[0]), uint64(cells - 1), nil}
	d := &lookup{unsafe.Pointer(&rows[0]), uint32(len(rows)), nil, 0, unsafe.Pointer(&hand.dense[0])}
	order := slices.Clone(es)
	rand.New(rand.NewPCG(1, 2)).Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	return []getForm{
		{"hand", func() (sum float64) {
			for range getTimes {
				for _, e := range order {
					if p := hand.get(e); p != nil {
						sum += p.X
					}
				}
			}
			return sum
		}},
		{"get", func() (sum float64) {
			for range getTimes {
				for _, e := range order {
					if p := pool.Get(e); p != nil {
						sum += p.X
					}
				}
			}
			return sum
		}},
		{"get-2", func() (sum float64) {
			for range getTimes {
				for _, e := range order {
					if p := pool.Get(e); p != nil {
						sum += p.X
					}
				}
			}
			return sum
		}},
		{"no-bound", func() (sum float64) {
			for range getTimes {
				for _, e := range order {
					if p := l.noBound(e); p != nil {
						sum += p.X
					}
				}
			}
			return sum
		}},
		{"no-bound-no-version", func() (sum float64) {
			for range getTimes {
				for _, e := range order {
					if p := l.noVersion(e); p != nil {
						sum += p.X
					}
				}
			}
			return sum
		}},
		{"no-directory", func() (sum float64) {
			for range getTimes {
				for _, e := range order {
					if p := d.noDirectory(e); p != nil {
						sum += p.X
					}
				}
			}
			return sum
		}},
	}
}
