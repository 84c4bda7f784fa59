package queue

import (
	"math"

	"github.com/ashlar-go/ashlar/ecs/internal/burst"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Queue is commands in the order in which they were asked for. The zero value is empty. It allocates nothing once it has grown.
type Queue struct {
	Ops     []Command
	Askers  []string                           // systems that asked for the waiting commands, one after the other
	Waiting int                                // changes in Ops
	values  []uint64                           // copies of the values, each at a multiple of 8 bytes
	bundles []*store.Bundle                    // of the waiting commands, one after the other
	lately  struct{ ops, values burst.Buffer } // how full they were
}

// Push writes a command behind the last one. The caller counts it in Waiting.
func (q *Queue) Push(op Op, asker uint32, e store.Entity, of, value uint32) {
	n := len(q.Ops)
	if n == cap(q.Ops) {
		q.Ops = grown(q.Ops, 1)
	}
	q.Ops = q.Ops[:n+1]
	o := &q.Ops[n]
	o.Op, o.Asker, o.Of, o.Value, o.Entity = op, asker, of, value, e
}

// PushDying has the last command, which is of Destroy, be of one entity more.
func (q *Queue) PushDying(e store.Entity) {
	q.values = append(q.values, uint64(e))
	q.Ops[len(q.Ops)-1].Of++
	q.Waiting++
}

// Asker is the place of a system in Askers, where it becomes the last.
func (q *Queue) Asker(system string) uint32 {
	if last := len(q.Askers) - 1; last < 0 || q.Askers[last] != system {
		q.Askers = append(q.Askers, system)
	}
	return uint32(len(q.Askers) - 1)
}

// Bundled is the number of a bundle for a command. It becomes the last in the queue's list.
func (q *Queue) Bundled(b *store.Bundle) uint32 {
	if last := len(q.bundles) - 1; last < 0 || q.bundles[last] != b {
		q.bundles = append(q.bundles, b)
	}
	return uint32(len(q.bundles))
}

// Bundle has the components that a command gives an entity; nil: none.
func (q *Queue) Bundle(o *Command) *store.Bundle {
	if o.Of == 0 {
		return nil
	}
	return q.bundles[o.Of-1]
}

// Keep copies a value into the queue and returns where. One of no size is at the beginning: behind the end there
// may be another object.
func (q *Queue) Keep(v raw.Ptr, bytes uintptr) uint32 {
	if bytes == 0 {
		return 0
	}
	words := int(bytes+7) / 8
	values := q.room(words)
	at := len(values)
	q.values = values[:at+words]
	q.values[at+words-1] = 0 // of a value that ends within it
	raw.CopyAll(q.At(uint32(at)), v, bytes)
	return uint32(at)
}

// begin writes word 0, which is no value, before all others.
func (q *Queue) begin() {
	if len(q.values) == 0 {
		q.values = append(q.values, 0)
	}
}

// room is the values with room for n more words.
func (q *Queue) room(n int) []uint64 {
	q.begin()
	if uint64(len(q.values)+n) > math.MaxUint32 { // more than a command can say
		panic("ecs: more than 32 GiB of values wait in one queue of commands: let a safe point come before")
	}
	return grown(q.values, n)
}

// At is the address of a value that Keep has copied. It is good until the next one.
func (q *Queue) At(value uint32) raw.Ptr {
	return raw.At(raw.Data(q.values), uintptr(value)*8)
}

// Dying are the entities of a command that destroys.
func (q *Queue) Dying(o *Command) []store.Entity {
	return raw.Slice[store.Entity](q.At(o.Value), int(o.Of))
}

// Applied takes the first n commands out of the queue. It returns how many changes are left. The values of
// all stay.
func (q *Queue) Applied(n int) (left int) {
	q.Ops = q.Ops[:copy(q.Ops, q.Ops[n:])]
	q.Waiting = Changes(q.Ops)
	return q.Waiting
}

// Reset empties the queue, and keeps its memory.
func (q *Queue) Reset() {
	q.lately.ops.Met(len(q.Ops))
	q.lately.values.Met(len(q.values))
	clear(q.Askers)
	clear(q.bundles)
	q.Ops, q.Askers, q.values, q.bundles, q.Waiting = q.Ops[:0], q.Askers[:0], q.values[:0], q.bundles[:0], 0
}

// Mark is a place between two commands.
type Mark struct{ ops, values int }

// Mark is the end of the queue.
func (q *Queue) Mark() Mark {
	q.begin()
	return Mark{len(q.Ops), len(q.values)}
}

// Since are the commands behind a mark.
func (q *Queue) Since(m Mark) []Command { return q.Ops[m.ops:] }

// Adopt appends commands of a worker's queue, from a mark to another one, as commands of a system.
func (q *Queue) Adopt(of *Queue, from, end Mark, system string) {
	if from.ops == end.ops {
		return
	}
	asker := q.Asker(system)
	values := q.room(end.values - from.values)
	further := uint32(len(values) - from.values)
	q.values = append(values, of.values[from.values:end.values]...)
	q.Ops = grown(q.Ops, end.ops-from.ops)
	for _, o := range of.Ops[from.ops:end.ops] {
		if o.Asker = asker; o.Value > 0 {
			o.Value += further
		}
		q.Waiting++
		switch o.Op {
		case Fill, PutEach:
			if o.Of > 0 {
				o.Of = q.Bundled(of.bundles[o.Of-1])
			}
		case Destroy:
			q.Waiting += int(o.Of) - 1
			if last := len(q.Ops) - 1; last >= 0 && q.Ops[last].Op == Destroy && q.Ops[last].Asker == asker {
				q.Ops[last].Of += o.Of // the handles are side by side, as if one piece had asked
				continue
			}
		}
		q.Ops = append(q.Ops, o)
	}
}
