// Package referee measures contests: all entries in turns, in shuffled order, on one thread.
//
//	round:  shuffle → for each entry: a Work that is not counted → its samples
//
// The first Work of a turn finds the caches of another entry, so it has no sample. The collector is
// off while entries run, and runs between rounds when garbage has come together.
package referee

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
	"github.com/ashlar-go/ashlar/bench/internal/counters"
)

// Options say how contests are measured. The zero value is not useful.
type Options struct {
	Samples int             // of a contest that does not say how many
	Seed    uint64          // of the order of turns
	Meter   *counters.Meter // its cycles are used if they are counted; nil: none
}

// Measured is the samples of an entry.
type Measured struct {
	Storage, Guide string
	Times          []float64 // nanoseconds for each of the contest's Ops, in order of time
	Turn           int       // samples of a turn: the nth turns of all entries are of one round
	Cycles         []float64 // the same in cycles, of whole turns; empty if they are not counted
	Rows           int       // visited by all samples' works
	Works          int       // counted or not
	Digest         uint64
}

// garbageMost is how much the heap may grow before the collector runs between two rounds.
const garbageMost = 256 << 20

// sampleLeast is how long a sample should take where it may have several works.
const sampleLeast = 200 * time.Microsecond

// repeatMost bounds the works of a sample.
const repeatMost = 2000

// runner is a contest that runs.
type runner struct {
	c      candidate.Contest
	o      Options
	bodies []candidate.Body
	found  []Measured
	repeat int
	clock  time.Duration // that two readings of the clock take
	heap   uint64        // after the last collection
}

// Run measures a contest. If ctx ends, it returns the samples so far, with the context's error. Entries
// that end with other digests or have visited other numbers of rows are an error.
func Run(ctx context.Context, c candidate.Contest, o Options) ([]Measured, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	r := &runner{c: c, o: o, clock: clockCost()}
	for _, e := range c.Entries {
		r.bodies = append(r.bodies, e.Open())
		r.found = append(r.found, Measured{Storage: e.Storage, Guide: e.Guide, Turn: max(c.Turn, 1)})
	}
	defer func() {
		for _, b := range r.bodies {
			if b.Close != nil {
				b.Close()
			}
		}
		runtime.GC()
	}()
	r.calibrate()
	r.collect(true)
	samples, turn := c.Samples, max(c.Turn, 1)
	if samples == 0 {
		samples = o.Samples
	}
	dice := rand.New(rand.NewPCG(o.Seed, uint64(c.Entities)))
	order := dice.Perm(len(c.Entries))
	for done := 0; done < samples && ctx.Err() == nil; done += turn {
		dice.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			r.turn(i, min(turn, samples-done))
		}
		r.collect(false)
	}
	if err := r.compare(); err != nil {
		return r.found, err
	}
	return r.found, ctx.Err()
}

// calibrate finds how many works a sample has: as many for all entries, and one if bodies measure themselves.
func (r *runner) calibrate() {
	r.repeat = 1
	least := time.Duration(1 << 62)
	for i := range r.bodies {
		for range 2 { // the first makes tables, pages and columns
			took, _ := r.work(i, 1)
			least = min(least, max(took, 1))
		}
	}
	measures := func(b candidate.Body) bool { return b.Took != nil }
	if r.c.Turn <= 1 && !slices.ContainsFunc(r.bodies, measures) {
		r.repeat = int(min(max(sampleLeast/least, 1), repeatMost))
	}
}

// work runs a body's work n times and returns the time of the works alone.
func (r *runner) work(i, n int) (took time.Duration, rows int) {
	b := &r.bodies[i]
	r.found[i].Works += n
	if b.Prepare == nil && b.Took == nil {
		start := time.Now()
		for range n {
			rows += b.Work()
		}
		return max(time.Since(start)-r.clock, 0), rows
	}
	for range n {
		if b.Prepare != nil {
			b.Prepare()
		}
		start := time.Now()
		rows += b.Work()
		one := time.Since(start) - r.clock
		if b.Took != nil {
			one = b.Took()
		}
		took += max(one, 0)
	}
	return took, rows
}

// turn measures samples of an entry.
func (r *runner) turn(i, samples int) {
	m := &r.found[i]
	r.work(i, 1)
	counted := r.o.Meter.Counts() && r.bodies[i].Prepare == nil
	if counted {
		r.o.Meter.Start()
	}
	each := float64(r.repeat * r.c.Ops)
	for range samples {
		took, rows := r.work(i, r.repeat)
		m.Times = append(m.Times, float64(took.Nanoseconds())/each)
		m.Rows += rows
	}
	if counted {
		m.Cycles = append(m.Cycles, r.o.Meter.Stop()/each/float64(samples))
	}
}

// collect runs the collector if there is much to collect, or if always is set.
func (r *runner) collect(always bool) {
	var s runtime.MemStats
	if runtime.ReadMemStats(&s); !always && s.HeapAlloc < r.heap+garbageMost {
		return
	}
	runtime.GC()
	runtime.ReadMemStats(&s)
	r.heap = s.HeapAlloc
}

// compare holds the entries against the first one.
func (r *runner) compare() error {
	for i, b := range r.bodies {
		m, first := &r.found[i], &r.found[0]
		if m.Works != first.Works {
			continue // interrupted within a round
		}
		m.Digest = b.Digest()
		if m.Digest != first.Digest || m.Rows != first.Rows {
			return fmt.Errorf("%s of %d entities: %s ends with checksum %016x after %d rows, and %s with %016x after %d: they did not do the same work",
				r.c.Name, r.c.Entities, m.Storage, m.Digest, m.Rows, first.Storage, first.Digest, first.Rows)
		}
	}
	return nil
}

// clockCost is the least that a measurement of nothing takes.
func clockCost() time.Duration {
	const n = 101
	var all [n]time.Duration
	for i := range all {
		start := time.Now()
		all[i] = time.Since(start)
	}
	least := all[0]
	for _, d := range all {
		least = min(least, d)
	}
	return least
}
