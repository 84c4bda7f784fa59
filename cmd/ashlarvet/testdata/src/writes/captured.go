// Package writes has systems that promise ecs.Parallel, and keep the promise or break it.
package writes

import (
	"bytes"
	container "container/list"
	"encoding/binary"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	std "slices"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/ashlar-go/ashlar/ecs"
)

type Position struct{ X, Y float64 }

type row struct {
	Ents []ecs.Entity
	Pos  ecs.Write[Position]
	Near ecs.Look[Position]
	Sum  ecs.WriteRes[int]
	List ecs.Local[[]int]
	Hits ecs.WriteEvents[int]
	Do   *ecs.Commands
}

type state struct {
	n     int
	list  []int
	names map[string]int
}

func captured(w *ecs.World) {
	total, flags, names, list, at := 0, [4]bool{}, map[string]int{}, make([]int, 4), &state{}
	ecs.System(w, "plain", func(c *row) {
		total = len(c.Pos)              // want `system "plain" promises ecs.Parallel, and writes total, which its struct does not name`
		total += len(c.Pos)             // want `writes total`
		total++                         // want `writes total`
		flags[1] = true                 // want `writes flags`
		names["a"]++                    // want `writes names`
		delete(names, "a")              // want `writes names`
		clear(names)                    // want `writes names`
		list[0] = total                 // want `writes list`
		list = append(list, 1)          // want `writes list`
		copy(list, []int{1})            // want `writes list`
		at.n = 1                        // want `writes at.n`
		at.names["a"] = 1               // want `writes at.names`
		*at = state{}                   // want `writes at`
		for i, total = range []int{1} { // want `writes total` `writes i`
		}
	}, ecs.Parallel())
	fmt.Println(total, flags, names, list, at)
}

var i int

// Aliases of captured memory are followed, and copies are the system's own.
func aliases(w *ecs.World) {
	list, at := make([]int, 4), &state{list: make([]int, 4)}
	ecs.System(w, "aliases", func(c *row) {
		mine := list[1:]
		mine[0] = 1 // want `writes list`
		p := &at.n
		*p = 2 // want `writes at.n`
		s := *at
		s.n = 3
		s.list[0] = 4            // want `writes s.list`
		other := append(list, 1) // want `writes list`
		other = append(list[:2:2], 1)
		other = append([]int(nil), list...)
		other[0] = 5
		if len(other) > 2 {
			mine = other
		} else {
			mine = make([]int, 1)
		}
		mine[0] = 6
		q := &state{}
		if len(mine) > 1 {
			q = at
		}
		q.n = 7 // want `writes n`
	}, ecs.InSet("a"), ecs.Parallel())
}

// The promise covers functions that are not literals, and all that they call.
func bound(w *ecs.World, parallel bool) {
	n := 0
	count := func(c *row) {
		n++ // want `system "bound" promises ecs.Parallel, and writes n`
	}
	ecs.System(w, "bound", count, ecs.Parallel())
	var options []ecs.SystemOption
	if parallel {
		options = append(options, ecs.Parallel())
	}
	ecs.System(w, "perhaps", func(c *row) {
		n-- // want `system "perhaps" promises ecs.Parallel, and writes n`
	}, options...)
	g := &game{}
	ecs.System(w, "method", g.step, ecs.Parallel())
	ecs.System(w, "value", game{}.look, ecs.Parallel())
	ecs.System(w, "named", named, ecs.Parallel())
	ecs.System(w, "made", counter(), ecs.Parallel())
	register(w, "wrapped", g.wrapped, ecs.Parallel())
	register(w, "alone", g.alone)
	again(w, 1, g.alone)
	var more []ecs.SystemOption
	for range 2 {
		more = append(more, ecs.InSet("a"))
	}
	ecs.System(w, "no promise", func(c *row) { i++ }, more...)
}

func again(w *ecs.World, n int, fn func(*row)) {
	if n > 0 {
		again(w, n-1, fn)
	}
	ecs.System(w, "again", fn)
}

func register[S any](w *ecs.World, name string, fn func(*S), options ...ecs.SystemOption) {
	ecs.System(w, name, fn, options...)
}

type game struct {
	sum  int
	last Position
}

func (g *game) step(c *row) {
	g.sum++ // want `system "method" promises ecs.Parallel, and writes g.sum`
	g.deep(c.Pos)
	note(&g.last, c.Pos[0])
	local := game{}
	local.own()
}

func (g *game) deep(pos []Position) {
	pos[0].X = 1
	g.last.X = pos[0].X // want `system "method" promises ecs.Parallel, and writes g.last.X`
}

func (g *game) own() { g.sum++ }

func note(at *Position, p Position) {
	*at = p // want `system "method" promises ecs.Parallel, and writes at`
}

func (g game) look(c *row) { g.sum++ }

func (g *game) wrapped(c *row) {
	g.sum = 1 // want `system "wrapped" promises ecs.Parallel, and writes g.sum`
}

func (g *game) alone(c *row) { g.sum = 2 }

var seen int

func named(c *row) {
	seen++ // want `system "named" promises ecs.Parallel, and writes seen`
	helper()
}

func helper() {
	seen = 0 // want `system "named" promises ecs.Parallel, and writes seen`
}

// Functions in variables, of type parameters, and within a choice are found, too.
func chosen(w *ecs.World, fast bool) {
	n, m := 0, 0
	add := func(k int) {
		n += k // want `system "calls" promises ecs.Parallel, and writes n`
	}
	ecs.System(w, "calls", func(c *row) { add(len(c.Pos)) }, ecs.Parallel())
	fn := func(c *row) {
		m = 1 // want `system "either" promises ecs.Parallel, and writes m`
	}
	if fast {
		fn = func(c *row) {
			defer func() {
				m = 2 // want `system "either" promises ecs.Parallel, and writes m`
			}()
		}
	}
	ecs.System(w, "either", fn, ecs.Parallel())
	ecs.System(w, "variable", variable, ecs.Parallel())
	ecs.System(w, "generic", generic[int], ecs.Parallel())
	ecs.System(w, name(), generic[int8], ecs.Parallel())
	ecs.System(w, "loop", func(c *row) {
		for i := range slices(c.Pos) {
			m += i // want `system "loop" promises ecs.Parallel, and writes m`
			bytes.Equal(nil, nil)
			binary.Read(nil, binary.LittleEndian, &m) // want `passes on the address of m`
		}
	}, ecs.Parallel())
}

var variable = func(c *row) {
	seen = 3 // want `system "variable" promises ecs.Parallel, and writes seen`
}

func name() string { return "a" }

func generic[T any](c *struct{ A []T }) {
	seen = 4 // want `system "generic" promises ecs.Parallel, and writes seen`
}

func slices[T any](list []T) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range list {
			if !yield(i) {
				return
			}
		}
	}
}

func counter() func(*row) {
	n := 0
	return func(c *row) {
		n++ // want `system "made" promises ecs.Parallel, and writes n`
	}
}

// Calls of other packages write by the addresses that they are passed, and by their names.
func others(w *ecs.World, pool *ecs.Pool[Position], hits ecs.WriteEvents[int]) {
	var header struct{ N uint16 }
	var text bytes.Buffer
	var mu sync.Mutex
	var sum, ticket, most atomic.Int64
	var old int64
	var once, found int
	rng := rand.New(rand.NewPCG(1, 2))
	ecs.System(w, "others", func(c *row) {
		binary.Read(nil, binary.LittleEndian, &header) // want `passes on the address of header`
		text.WriteString("a")                          // want `calls WriteString of text`
		_ = text.Len()
		mu.Lock()
		found++ // want `writes found`
		mu.Unlock()
		sum.Add(1) // sums don't depend on the order
		atomic.AddInt64(&old, 1)
		_ = sum.Load()
		ticket.Add(2)
		c.Pos[0].X = float64(ticket.Add(1)) // want `calls Add of ticket`
		most.Store(1)                       // want `calls Store of most`
		atomic.StoreInt64(&old, 1)          // want `calls StoreInt64 of old`
		_ = rng.IntN(3)                     // want `calls IntN of rng`
		pool.Mut(c.Ents[0]).X = 1           // want `calls Mut of pool`
		hits.Write(1)                       // want `calls Write of hits`
		pool.Later(c.Do).Add(c.Ents[0], Position{})
		func() {
			once = 1 // want `writes once`
		}()
	}, ecs.Parallel())
	_, _ = once, found
}

// Functions of the standard library write what they are passed, and turns of workers decide what they draw or receive.
func library(w *ecs.World, ready chan int) {
	list, byName, row1, cache := []int{3, 1}, map[string]int{}, container.New(), &sync.Map{}
	own := make(chan int, 1)
	ecs.System(w, "library", func(c *row) {
		std.Sort(list)                               // want `has Sort of package slices write list, which its struct does not name`
		std.Reverse(list[1:])                        // want `has Reverse of package slices write list`
		sort.Ints(list)                              // want `has Ints of package sort write list`
		sort.Sort(sort.IntSlice(list))               // want `has Sort of package sort write list`
		maps.Copy(byName, map[string]int{"a": 1})    // want `has Copy of package maps write byName`
		row1.PushBack(1)                             // want `has List.PushBack of package container/list write row1`
		cache.Store(1, 2)                            // want `calls Store of cache`
		ready <- 1                                   // want `sends to ready, .* in another order in each run`
		c.Pos[0].X = float64(<-ready + rand.IntN(3)) // want `receives from ready` `calls rand.IntN of all of the program`
		select {                                     // want `selects ready`
		case <-ready:
		default:
		}
		_, _ = cache.Load(1)
		_, _ = std.Max(list)+row1.Len(), std.Sorted(std.Values(list))
		mine := std.Clone(list)
		std.Sort(mine)
		here := make(chan int, 1)
		here <- 1
		<-here
		_ = rand.New(rand.NewPCG(1, 2)).IntN(3)
	}, ecs.Parallel())
	own <- 1
	std.Sort(list)
}

// All that the struct names, and all that the call has made, may be written.
func kept(w *ecs.World) {
	limit, q := 3, ecs.QueryOf[row](w)
	table := []int{1, 2, 3}
	ecs.System(w, "kept", func(c *row) {
		pos, n := c.Pos, 0
		for i := range pos {
			pos[i].X += float64(limit + table[i])
			n++
		}
		*c.Sum.Mut() += n
		list := (*c.List.Get())[:0]
		list = append(list, table...)
		*c.List.Get() = list
		c.Hits.Write(n)
		add := func() { n++ }
		add()
		m := map[int]int{}
		for i := range table {
			m[i]++
		}
		var local state
		fill(&local)
		fmt.Sscan("1", &local.n)
	}, ecs.Parallel())
	ecs.System(w, "alone", func(c *row) { limit++ })
	ecs.Observe(w, "told", func(c *row) { limit++ })
	for c := range q.All() {
		limit += len(c.Pos)
	}
}

func fill(s *state) { s.n, s.list = 1, append(s.list, 2) }
