package memmgr_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/memmgr"
)

// packing is the same rows in a sequence and in slices.
type packing struct {
	seq  *memmgr.Sequence
	key  memmgr.Col[uint64]
	byh  [][]uint64
	keep []bool
}

func newPacking(b *testing.B, rows, columns int) *packing {
	m := manager(b, memmgr.Options{})
	specs := make([]memmgr.ColumnSpec, columns)
	for i := range specs {
		specs[i].Spec = memmgr.SpecOf[uint64]()
	}
	s, err := m.MakeSequence("rows", specs)
	if err != nil {
		b.Fatal(err)
	}
	p := &packing{seq: s, key: memmgr.ColOf[uint64](s, 0), byh: make([][]uint64, columns), keep: make([]bool, rows)}
	for i := range p.byh {
		p.byh[i] = make([]uint64, rows)
	}
	return p
}

// fill makes all rows anew.
func (p *packing) fill(b *testing.B, value func(i int) uint64) {
	rows := cap(p.byh[0])
	for n := rows - p.seq.Len(); n > 0; {
		_, k, err := p.seq.AppendRun(n)
		if err != nil {
			b.Fatal(err)
		}
		n -= k
	}
	if err := p.seq.Manager().SafePoint(); err != nil {
		b.Fatal(err)
	}
	for c := range p.byh {
		p.byh[c] = p.byh[c][:rows]
		for i := range p.byh[c] {
			p.byh[c][i] = value(i) + uint64(c)<<32
		}
		col, i := memmgr.ColOf[uint64](p.seq, c), 0
		for id := range p.seq.Chunks() {
			i += copy(col.Slice(memmgr.MakeLoc(id, 0)), p.byh[c][i:])
		}
	}
}

// byHand packs the slices in the faster of two usual ways.
func (p *packing) byHand(gone func(uint64) bool) {
	keep := p.keep[:len(p.byh[0])]
	for i, v := range p.byh[0] {
		keep[i] = !gone(v)
	}
	for c, column := range p.byh {
		to := 0
		for i, v := range column {
			column[to] = v
			if keep[i] {
				to++
			}
		}
		p.byh[c] = column[:to]
	}
}

// BenchmarkRemoveFunc removes a third of the rows at random, in order, beside the same in slices.
func BenchmarkRemoveFunc(b *testing.B) { benchmarkRemove(b, true) }

// BenchmarkRemoveMarked is the same with one call for each run of rows.
func BenchmarkRemoveMarked(b *testing.B) { benchmarkRemove(b, false) }

func benchmarkRemove(b *testing.B, byLoc bool) {
	const rows = 2_000_000
	for _, columns := range []int{2, 20, 50} {
		for _, run := range []int{1, 8, 64} {
			b.Run(fmt.Sprintf("columns=%d/run=%d", columns, run), func(b *testing.B) {
				p := newPacking(b, rows, columns)
				r := rand.New(rand.NewPCG(1, 2))
				gone := func(v uint64) bool { return uint32(v)%3 == 0 }
				var ours, hand, ratio []float64
				for b.Loop() {
					seeds := make([]uint64, rows/run+1)
					for i := range seeds {
						seeds[i] = uint64(r.Uint32())
					}
					p.fill(b, func(i int) uint64 { return seeds[i/run] })
					begin := time.Now()
					p.byHand(gone)
					took := time.Since(begin)
					begin = time.Now()
					if byLoc {
						p.seq.RemoveFunc(func(l memmgr.Loc) bool { return gone(*p.key.At(l)) })
					} else {
						p.seq.RemoveMarked(func(first memmgr.Loc, drop []bool) {
							for i, v := range p.key.Slice(first) {
								drop[i] = gone(v)
							}
						})
					}
					mine := time.Since(begin)
					if p.seq.Len() != len(p.byh[0]) {
						b.Fatal("rows differ")
					}
					ours = append(ours, mine.Seconds()*1e3)
					hand = append(hand, took.Seconds()*1e3)
					ratio = append(ratio, mine.Seconds()/took.Seconds())
				}
				b.ReportMetric(median(ours), "ashlar-ms")
				b.ReportMetric(median(hand), "slices-ms")
				b.ReportMetric(median(ratio), "ratio")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}
