package promise

import (
	"fmt"
	"reflect"

	"github.com/ashlar-go/ashlar/ecs/internal/queue"
)

// Trace is the results of systems, in the order in which they ended.
type Trace struct {
	order  []result
	hashes map[result]uint64
	runs   map[string]int // of systems
}

// result is a thing that a system has written in a run; system "": that a frame has left.
type result struct {
	system string
	run    int
	thing  string
}

// NewTrace is a trace without results.
func NewTrace() *Trace { return &Trace{hashes: make(map[result]uint64), runs: make(map[string]int)} }

// Ran begins the results of a run of a system; "": of a frame.
func (x *Trace) Ran(system string) { x.runs[system]++ }

// Add adds a result.
func (x *Trace) Add(system, thing string, hash uint64) {
	r := result{system, x.runs[system], thing}
	for x.hashes[r] != 0 { // written at several safe points
		r.thing += " again"
	}
	x.order = append(x.order, r)
	x.hashes[r] = hash
}

// Asked adds the commands that wait, by system. The function typeOf has the type of a component by its number in commands.
func (x *Trace) Asked(q *queue.Queue, typeOf func(of uint32) reflect.Type) {
	hashes := make(map[uint32]uint64)
	for i := range q.Ops {
		o := &q.Ops[i]
		h := hashes[o.Asker] + 1
		h = Mix(Mix(h, uint64(o.Op)), uint64(o.Entity))
		switch o.Op {
		case queue.Destroy:
			for _, e := range q.Dying(o) {
				h = Mix(h, uint64(e))
			}
		case queue.Add, queue.Set, queue.Put:
			h = Digest(Mix(h, uint64(o.Of)), reflect.NewAt(typeOf(o.Of), q.At(o.Value)).Elem())
		case queue.Remove, queue.Enable, queue.Disable:
			h = Mix(h, uint64(o.Of))
		}
		hashes[o.Asker] = h
	}
	for asker, system := range q.Askers {
		if h := hashes[uint32(asker)]; h != 0 && system != "" {
			x.Add(system, "commands", h)
		}
	}
}

// culprit says which systems may be at fault, and how to find the one.
const culprit = "it, or a Parallel system before it or beside it, touches something that its struct does not name; ashlarvet and -tags ashlarcheck find most of these"

func shuffledBy(seed uint64) string {
	return fmt.Sprintf(" if systems and pieces of rows run in another legal order, by Options.Shuffle %d", seed)
}

// Panicked is the error of a program that panics with a value in the order of a seed alone.
func Panicked(seed uint64, abandoned error, v any) error {
	return fmt.Errorf("ecs: a system panics%s: %s. %w\n%v", shuffledBy(seed), culprit, abandoned, v)
}

// Compare returns an error for the first result that differs in the trace of a seed's order.
func (x *Trace) Compare(y *Trace, seed uint64) error {
	for _, r := range x.order {
		if x.hashes[r] == y.hashes[r] {
			continue
		}
		if r.system == "" {
			return fmt.Errorf("ecs: frame %d ends with other values of %s%s, and systems that may write it had no other results: some system touches something that its struct does not name; ashlarvet and -tags ashlarcheck find most of these", r.run, r.thing, shuffledBy(seed))
		}
		return fmt.Errorf("ecs: system %q has another result in run %d, in %s,%s: %s", r.system, r.run, r.thing, shuffledBy(seed), culprit)
	}
	return nil
}
