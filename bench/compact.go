package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile/counters"
)

// Compaction, for -compact: what a manager keeps after a peak of short sequences, beside long ones
// that stay.

const (
	compactShort  = 40_000  // sequences at the peak
	compactStay   = 12      // of these, one in so many stays
	compactLong   = 4       // sequences that stay whole
	compactRows   = 800_000 // in each of them
	compactFrames = 1500
	compactFrame  = 5 * time.Millisecond // from one frame to the next
	compactDecay  = 2 * time.Second
	compactSweeps = 61
)

// peakHerd is the sequences of a manager, all with the same columns.
type peakHerd struct {
	m     *memmgr.Manager
	seqs  []*memmgr.Sequence
	cols  []peakColumns // of each
	meter *counters.Meter
}

type peakColumns struct {
	pos, vel memmgr.Col[[2]float64]
	key      memmgr.Col[uint64]
}

func newPeakHerd(meter *counters.Meter) *peakHerd {
	return &peakHerd{m: must(memmgr.New(memmgr.Options{})), meter: meter}
}

// add makes a sequence of so many rows.
func (h *peakHerd) add(rows int) {
	var c peakColumns
	s := must(h.m.NewSequence(fmt.Sprint("s", len(h.seqs)), &c.pos, &c.vel, &c.key))
	for left := rows; left > 0; {
		l, n, err := s.AppendRun(left)
		check(err)
		pos, vel, key := c.pos.Slice(l)[:n], c.vel.Slice(l)[:n], c.key.Slice(l)[:n]
		for i := range pos {
			pos[i], vel[i], key[i] = [2]float64{float64(i), 1}, [2]float64{1, 2}, uint64(i)
		}
		left -= n
	}
	h.seqs, h.cols = append(h.seqs, s), append(h.cols, c)
}

// keep drops all sequences but those for which stays returns true.
func (h *peakHerd) keep(stays func(i int) bool) {
	var seqs []*memmgr.Sequence
	var cols []peakColumns
	for i, s := range h.seqs {
		if stays(i) {
			seqs, cols = append(seqs, s), append(cols, h.cols[i])
		} else {
			s.Drop()
		}
	}
	h.seqs, h.cols = seqs, cols
}

// sweep moves all rows of the sequences from the first-th on.
func (h *peakHerd) sweep(first int) {
	for i, s := range h.seqs[first:] {
		c := &h.cols[first+i]
		for l, pos := range c.pos.Chunks(s) {
			vel := c.vel.Slice(l)[:len(pos)]
			for k := range pos {
				pos[k][0] += vel[k][0]
				pos[k][1] += vel[k][1]
			}
		}
	}
}

// state is what the manager and the process have, as cells of a table: rows, resident, committed,
// huge pages.
func (h *peakHerd) state() string {
	debug.FreeOSMemory()
	st := h.m.Stats()
	return fmt.Sprintf("%s | %s | %s | %s", mebibytes(float64(st.Payload)), mebibytes(1024*resident()), mebibytes(float64(st.Arena.Committed)), mebibytes(1024*anonHugeKiB()))
}

// anonHugeKiB is what the process has of huge pages.
func anonHugeKiB() (sum float64) {
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if text, ok := strings.CutPrefix(lines.Text(), "AnonHugePages:"); ok {
			var n float64
			fmt.Sscan(text, &n)
			sum += n
		}
	}
	return sum
}

// compactWays are how a manager adapts, by name. The second gives memory back and moves nothing.
var compactWays = []struct {
	name string
	how  memmgr.AdaptOptions
}{
	{"off", memmgr.AdaptOptions{Off: true}},
	{"no region is emptied", memmgr.AdaptOptions{Decay: compactDecay, Every: 1 << 30}},
	{"on", memmgr.AdaptOptions{Decay: compactDecay}},
}

// measureCompact prints what is left after a peak, and what the frames took in which it was given
// back.
func measureCompact(q request) int {
	fmt.Fprintf(q.out, "\n| adapting | when | rows | resident | committed | huge pages | frame, cycles: p50 | p99 | of that its end: p50 | p99 | most | moves | regions emptied | sweep, by new |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, w := range compactWays {
		h := newPeakHerd(q.meter)
		h.m.Adapt(w.how)
		h.live(w.name, q.divide, q.out)
		check(h.m.Close())
	}
	return 0
}

// live goes through a peak and what follows, and prints a line for each.
func (h *peakHerd) live(name string, divide int, out io.Writer) {
	r := rand.New(rand.NewPCG(3, 4))
	for range compactLong {
		h.add(compactRows / divide)
	}
	for range compactShort / divide {
		h.add(4<<r.IntN(9) + r.IntN(16)) // 4 to 1,039 rows: blocks of all classes, and slots
	}
	h.frames(20)
	fmt.Fprintf(out, "| %s | peak | %s | | | | | | | | |\n", name, h.state())
	stays := make([]bool, len(h.seqs))
	for i := range stays {
		stays[i] = i < compactLong || r.IntN(compactStay) == 0
	}
	h.keep(func(i int) bool { return stays[i] })
	whole, end := h.frames(compactFrames)
	a := h.m.Stats().Adapting
	fmt.Fprintf(out, "| %s | %v later | %s | %s | %s | %s | %s | %s | %d | %d | %.2f |\n", name, (compactFrames * compactFrame).Round(time.Second), h.state(),
		million(median(whole)), million(quantile(whole, 0.99)), million(median(end)), million(quantile(end, 0.99)), million(quantile(end, 1)), a.Moves, a.Emptied, h.byNew())
}

func million(cycles float64) string { return fmt.Sprintf("%.3gM", cycles/1e6) }

// frames runs so many frames, and returns how many cycles of the thread each took, and of that its
// end.
func (h *peakHerd) frames(n int) (whole, end []float64) {
	due := time.Now()
	for range n {
		time.Sleep(time.Until(due))
		due = due.Add(compactFrame)
		h.meter.Start()
		h.sweep(compactLong)
		swept := h.meter.Stop().Cycles
		h.meter.Start()
		check(h.m.EndFrame())
		end = append(end, h.meter.Stop().Cycles)
		whole = append(whole, swept+end[len(end)-1])
	}
	return whole, end
}

// byNew is how long a sweep of the short sequences takes by that of the same rows in a new manager.
func (h *peakHerd) byNew() float64 {
	fresh := newPeakHerd(h.meter)
	defer fresh.m.Close()
	for _, s := range h.seqs {
		fresh.add(s.Len())
	}
	check(fresh.m.EndFrame())
	var ratios []float64
	for range compactSweeps {
		begin := time.Now()
		h.sweep(compactLong)
		mine := time.Since(begin)
		begin = time.Now()
		fresh.sweep(compactLong)
		ratios = append(ratios, float64(mine)/float64(time.Since(begin)))
	}
	return median(ratios)
}
