package ecs

import (
	"math"
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/views"
)

// A sweep over more than the last-level cache holds waits for memory. The processor
// fetches ahead by itself, but it has to notice each run of lines first, and in chunks
// it has to do so again every few hundred rows:
//
//	chunk i                 chunk i+1
//	┌──────────────────┐    ┌──────────────────┐
//	│░░░░░░▒▒▒▓▓▓      │    │                  │
//	└──────────────────┘    └──────────────────┘
//	  done  │  └──┴ asked for
//	        └ passed to the system
//
// So such a sweep goes in steps of stepBytes, and asks for what comes stepsAhead steps
// later (docs/rationale.md has figures). Steps of more lines gain much less, as more are
// asked for at once than a core can have under way; shorter ones cost more calls.
const (
	stepBytes  = 64 * chunk.Line
	stepsAhead = 2
)

// FarBytesDefault is Options.FarBytes unless it is set: more than most cores have of
// the last-level cache for themselves. It is the same on every machine, as what a
// batch holds should be.
const FarBytesDefault = 12 << 20

// stepOf is how many rows make a step, whole lines of columns whose size is a multiple
// of 4, and up to how many rows a sweep goes by chunks: always, for rows of which a step
// would hold only a few.
func stepOf(rowBytes uintptr, farBytes int) (step, near int) {
	if rowBytes > 0 {
		step = int(stepBytes/rowBytes) &^ 15
	}
	if step == 0 {
		return 0, math.MaxInt
	}
	return step, farBytes / int(rowBytes)
}

// sweepFar is sweep in steps.
func (q *query) sweepFar(s *memmgr.Sequence, columns []column, into unsafe.Pointer, call func(unsafe.Pointer) bool) bool {
	tick := q.w.m.Tick()
	next := ahead{s: s, columns: columns, step: q.step}
	for range stepsAhead {
		next.ask()
	}
	plain := q.entities < 0 && len(q.presences) == 0
	for i := range s.ChunkCount() {
		id, n := s.Chunk(i)
		for row := 0; row < n; row += q.step {
			next.ask()
			k := min(q.step, n-row)
			for j := range columns {
				c := &columns[j]
				cell := c.pool.dir.Cell(id)
				h := (*header)(unsafe.Add(into, c.offset))
				h.data, h.len, h.cap = unsafe.Add(cell.Addr, uintptr(row)*c.pool.size), k, k
				if c.write {
					cell.Stamp = tick
				}
			}
			if !plain {
				q.extras(columns, id, row, k, into)
			}
			if q.fn != nil {
				q.fn(into)
			} else if !call(into) {
				return false
			}
		}
	}
	return true
}

// ahead is how far a sweep has asked for memory.
type ahead struct {
	s       *memmgr.Sequence
	columns []column
	step    int
	i, row  int
}

// ask asks for one step more, if there is one.
func (a *ahead) ask() {
	if a.i == a.s.ChunkCount() {
		return
	}
	id, n := a.s.Chunk(a.i)
	k := min(a.step, n-a.row)
	for j := range a.columns {
		p := a.columns[j].pool
		views.Prefetch(unsafe.Add(p.dir.Addr(id), uintptr(a.row)*p.size), uintptr(k)*p.size)
	}
	if a.row += k; a.row == n {
		a.i, a.row = a.i+1, 0
	}
}
