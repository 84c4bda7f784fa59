package life

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
	"github.com/ashlar-go/ashlar/bench/internal/reference"
	"github.com/ashlar-go/ashlar/ecs"
)

// Threads are contests with one thread and with two, which the thesis leaves open. Cells know their neighbours by handle, but
// for arrays. Ashlar has two workers. Elsewhere two goroutines go over halves of the rows, system by system.
func Threads(n, frames int) candidate.Contest {
	c := candidate.Contest{Part: "ablation", Name: "threads: life systems by handle", Entities: n, Ops: 1, Cores: 2, Samples: frames, Turn: min(turn, frames/turnsLeast)}
	for _, p := range threaded() {
		c.Entries = append(c.Entries, candidate.Entry{Storage: p.Storage, Guide: p.Guide, Open: func() candidate.Body { return body(p.Open(GridOf(n), false), n) }})
	}
	return c
}

// threaded are the candidates of Threads.
func threaded() []Candidate {
	return []Candidate{
		{candidate.Ashlar, ByHandle, "systems.md", openHandles},
		{candidate.Ashlar + "+threads", ByHandle, "several-cores.md", openWorkers},
		{candidate.Sparse, ByHandle, "", openSparseHandles},
		{candidate.Sparse + "+threads", ByHandle, "", openSparseHalves},
		{candidate.Archetype, ByHandle, "", openArchetypeHandles},
		{candidate.Archetype + "+threads", ByHandle, "", openArchetypeHalves},
		{candidate.Arrays, ByRow, "", openArrays},
		{candidate.Arrays + "+threads", ByRow, "", openArrayHalves},
	}
}

// openWorkers promises that the systems keep to their rows.
func openWorkers(g Grid, draws bool) Game {
	return byHandle(newWorldOf(g, draws, 2), g, ecs.Parallel())
}

// spin is how long a second goroutine waits for work before it sleeps: to wake it costs more. Ashlar's workers do the same.
const spin = 50 * time.Microsecond

// second is a goroutine that takes half of the rows. Its owner sets work, and second sets it to nil when it is done.
type second struct {
	work   atomic.Pointer[func()]
	asleep atomic.Bool
	wake   chan bool // false: the end
}

func newSecond() *second {
	s := &second{wake: make(chan bool, 1)}
	go func() {
		for last := time.Now(); ; {
			if do := s.work.Load(); do != nil {
				(*do)()
				s.work.Store(nil)
				last = time.Now()
			} else if time.Since(last) > spin {
				if s.asleep.Store(true); s.work.Load() == nil && !<-s.wake {
					return
				}
				s.asleep.Store(false)
				last = time.Now()
			}
		}
	}()
	return s
}

// halves goes over n rows.
func (s *second) halves(n int, f func(from, to int)) {
	do := func() { f(0, n/2) }
	if s.work.Store(&do); s.asleep.Load() {
		select {
		case s.wake <- true:
		default: // it has been woken
		}
	}
	f(n/2, n)
	for s.work.Load() != nil {
		runtime.Gosched()
	}
}

// Close ends the goroutine.
func (s *second) Close() {
	go func() { s.wake <- false }()
}

type sparseHalves struct {
	*sparse[reference.Entity]
	*second
}

func openSparseHalves(g Grid, draws bool) Game {
	return sparseHalves{openSparseHandles(g, draws).(*sparse[reference.Entity]), newSecond()}
}

// Close ends the second goroutine.
func (s sparseHalves) Close() { s.second.Close() }

// Step has both systems, each in halves.
func (s sparseHalves) Step() {
	s.halves(len(s.cells), func(from, to int) {
		near, states, counts, at := s.nears.Values(), s.states, s.counts.Values(), s.count.Rows(0)[from:to]
		for i, row := range s.count.Rows(1)[from:to] {
			n := uint8(0)
			for _, other := range near[row].Of {
				n += states.Get(other).Alive
			}
			counts[at[i]].N = n
		}
	})
	s.halves(len(s.cells), func(from, to int) {
		states, counts, at := s.states.Values(), s.counts.Values(), s.rule.Rows(1)[from:to]
		for i, row := range s.rule.Rows(0)[from:to] {
			state := &states[row]
			state.Alive = next(state.Alive, counts[at[i]].N)
		}
	})
}

type tableHalves struct {
	*tables[reference.Entity]
	*second
}

func openArchetypeHalves(g Grid, draws bool) Game {
	return tableHalves{openArchetypeHandles(g, draws).(*tables[reference.Entity]), newSecond()}
}

// Close ends the second goroutine.
func (s tableHalves) Close() { s.second.Close() }

// Step has both systems, each in halves.
func (s tableHalves) Step() {
	for _, t := range s.tables.count.Tables() {
		near, count := s.nears.Column(t), s.counts.Column(t)
		s.halves(len(near), func(from, to int) {
			count, states := count[from:to], s.states
			for i := range count {
				n := uint8(0)
				for _, e := range near[from+i].Of {
					n += states.Get(e).Alive
				}
				count[i].N = n
			}
		})
	}
	for _, t := range s.tables.rule.Tables() {
		state, count := s.states.Column(t), s.counts.Column(t)
		s.halves(len(state), func(from, to int) { rule(state[from:to], count[from:to]) })
	}
}

type arrayHalves struct {
	*arrays
	*second
}

func openArrayHalves(g Grid, draws bool) Game {
	return arrayHalves{openArrays(g, draws).(*arrays), newSecond()}
}

// Close ends the second goroutine.
func (s arrayHalves) Close() { s.second.Close() }

// Step has both systems, each in halves.
func (s arrayHalves) Step() {
	s.halves(len(s.state), func(from, to int) { countRows(s.count[from:to], s.near[from:to], s.state) })
	s.halves(len(s.state), func(from, to int) { rule(s.state[from:to], s.count[from:to]) })
}
