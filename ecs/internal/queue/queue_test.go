package queue

import (
	"reflect"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// keepWords keeps a copy of some words.
func (q *Queue) keepWords(v []uint64) uint32 { return q.Keep(raw.Data(v), uintptr(len(v))*8) }

// A queue of commands may be long: the collector has nothing to scan in it, and a command has 24 bytes.
func TestCommandHasNoPointers(t *testing.T) {
	of := reflect.TypeFor[Command]()
	if _, err := chunk.SpecOf(of); err != nil || of.Size() != 24 {
		t.Errorf("a command has %d bytes: %v", of.Size(), err)
	}
}

// Values are whole words, and the last is filled with zeros. One of no size is no word.
func TestKeep(t *testing.T) {
	var q Queue
	q.values = append(q.values, ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0))[:0]
	first, second := uint32(0x04030201), [2]uint64{5, 6}
	a := q.Keep(raw.Of(&first), 3)
	if b := q.Keep(raw.Of(&first), 0); b != 0 || a != 1 {
		t.Errorf("a value is at %d, one of no size at %d", a, b)
	}
	b := q.Keep(raw.Of(&second), 16)
	if got := *raw.As[uint64](q.At(a)); got != 0x030201 {
		t.Errorf("3 bytes are %#x", got)
	}
	if got := *raw.As[[2]uint64](q.At(b)); b != 2 || got != second {
		t.Errorf("16 bytes at %d are %v", b, got)
	}
}

// filled has commands of each kind that Adopt treats in its own way.
func filled(q *Queue, from uint64, bundle *store.Bundle) {
	v := []uint64{from, from + 1}
	e := store.Entity(from)
	q.Push(Add, q.Asker("x"), e, 7, q.keepWords(v))
	q.Push(Destroy, q.Asker("x"), e, 1, q.keepWords([]uint64{from + 2}))
	q.PushDying(e + 3)
	q.Push(Fill, q.Asker("x"), e, q.Bundled(bundle), q.keepWords(v))
	q.Push(Fill, q.Asker("x"), e, 0, 0)
}

// A queue that adopts pieces of others in order is like one that was asked for everything.
func TestAdopt(t *testing.T) {
	a, b := &store.Bundle{}, &store.Bundle{}
	var to Queue
	to.Push(Destroy, to.Asker("first"), 90, 1, to.keepWords([]uint64{90}))
	to.Waiting = Changes(to.Ops)
	var workers [2]Queue
	var marks [3][2]Mark
	for piece, w := range []int{1, 0, 1} { // in the order in which they run
		q := &workers[w]
		marks[piece][0] = q.Mark()
		filled(q, uint64(10*piece), []*store.Bundle{a, b, b}[piece])
		marks[piece][1] = q.Mark()
		if got := Changes(q.Since(marks[piece][0])); got != 5 {
			t.Errorf("piece %d has %d changes", piece, got)
		}
	}
	for _, piece := range []int{2, 1, 0} {
		q := &workers[[]int{1, 0, 1}[piece]]
		to.Adopt(q, marks[piece][0], marks[piece][1], "second")
	}
	if to.Adopt(&workers[0], marks[1][1], marks[1][1], "third"); len(to.Askers) != 2 {
		t.Errorf("a piece without commands has askers %q", to.Askers)
	}
	if to.Waiting != 1+3*5 || to.Waiting != Changes(to.Ops) || !slices.Equal(to.Askers, []string{"first", "second"}) {
		t.Errorf("%d changes wait, of %q", to.Waiting, to.Askers)
	}
	at := 1
	for _, piece := range []int{2, 1, 0} {
		from, ops := uint64(10*piece), to.Ops[at:][:4]
		at += 4
		if v := *raw.As[[2]uint64](to.At(ops[0].Value)); ops[0].Op != Add || ops[0].Of != 7 || v != [2]uint64{from, from + 1} {
			t.Errorf("piece %d adds %v", piece, v)
		}
		if es := to.Dying(&ops[1]); !slices.Equal(es, []store.Entity{store.Entity(from + 2), store.Entity(from + 3)}) {
			t.Errorf("piece %d destroys %v", piece, es)
		}
		if got := to.Bundle(&ops[2]); got != []*store.Bundle{a, b, b}[piece] {
			t.Errorf("piece %d spawns of another bundle", piece)
		}
		if to.Bundle(&ops[3]) != nil || ops[3].Of != 0 || ops[3].Value != 0 {
			t.Errorf("piece %d spawns no bare entity", piece)
		}
		for j := range ops {
			if to.Askers[ops[j].Asker] != "second" {
				t.Errorf("piece %d: asked by %q", piece, to.Askers[ops[j].Asker])
			}
		}
	}
	if left := to.Applied(at - 3); left != 2+1+1 || to.Waiting != left || len(to.Ops) != 3 || to.Ops[0].Op != Destroy {
		t.Errorf("%d changes are left of %v", left, to.Ops)
	}
}

// Destroys that follow each other in pieces of a system are one command, whoever ran the pieces. Another system's are
// one more.
func TestAdoptDying(t *testing.T) {
	var to Queue
	var workers [2]Queue
	for i := range 4 {
		system, q := []string{"a", "a", "a", "b"}[i], &workers[i%2]
		from := q.Mark()
		q.Push(Destroy, 0, store.Entity(i), 1, q.keepWords([]uint64{uint64(i)}))
		to.Adopt(q, from, q.Mark(), system)
	}
	if len(to.Ops) != 2 || to.Waiting != 4 || !slices.Equal(to.Dying(&to.Ops[0]), []store.Entity{0, 1, 2}) || !slices.Equal(to.Dying(&to.Ops[1]), []store.Entity{3}) {
		t.Errorf("%v, %d wait", to.Ops, to.Waiting)
	}
}

// Reset leaves nothing that keeps memory of others alive.
func TestReset(t *testing.T) {
	var q Queue
	filled(&q, 0, &store.Bundle{})
	if q.Waiting != 1 { // of PushDying: Push leaves it to its callers
		t.Errorf("%d changes wait", q.Waiting)
	}
	q.Reset()
	if len(q.Ops)+len(q.Askers)+len(q.bundles)+len(q.values)+q.Waiting != 0 || q.bundles[:1][0] != nil || q.Askers[:1][0] != "" {
		t.Errorf("after Reset: %+v", q)
	}
}
