package record

import (
	"cmp"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/profile"
)

// In one frame of sampleEvery, from sampleFirst on, reads by handle are counted. Each of them
// takes the slow way, which is 4.4 times as long: 1.3 % of a program that does nothing else.
const (
	sampleEvery = 256
	sampleFirst = 5
)

// Counts counts reads by handle.
type Counts struct {
	// On begins to count, or ends it.
	On func(bool)
	// Take passes on the reads of each component since the last call.
	Take func(note func(c *store.Component, n store.Reads))
}

// looks counts reads by handle of one system, or of the program between systems, in sampled frames.
type looks struct {
	runs  uint64 // that were sampled
	reads map[*store.Component]store.Reads
}

// take adds the reads since the last call.
func (l *looks) take(from Counts) {
	from.Take(func(c *store.Component, n store.Reads) {
		if l.reads == nil {
			l.reads = make(map[*store.Component]store.Reads)
		}
		was := l.reads[c]
		l.reads[c] = store.Reads{Values: was.Values + n.Values, Far: was.Far + n.Far, Contracts: was.Contracts + n.Contracts}
	})
}

// sample is a run with counted reads by handle. It is not timed.
func (r *Recorder) sample(x *schedule.System, n *noted) {
	n.frames++
	n.looks.runs++
	r.between.take(r.options.Counts)
	defer n.looks.take(r.options.Counts)
	x.Walk()
}

// endSample is the end of a frame. It says whether the next one is sampled.
func (r *Recorder) endSample() {
	if r.options.Counts.On == nil {
		return
	}
	if r.sampling {
		r.between.take(r.options.Counts)
		r.between.runs++
	}
	if next := r.frames%sampleEvery == sampleFirst; next != r.sampling {
		r.sampling = next
		r.options.Counts.On(next)
	}
}

// lookups are the reads by handle, brought up to all frames.
func (r *Recorder) lookups(systems []*noted) (list []profile.Lookup) {
	list = r.between.facts("", r.frames)
	for _, n := range systems {
		list = append(list, n.looks.facts(n.name, n.frames)...)
	}
	slices.SortStableFunc(list, func(a, b profile.Lookup) int { return cmp.Compare(a.Component, b.Component) })
	return list
}

// facts are the reads of as many runs as there were.
func (l *looks) facts(system string, runs uint64) (list []profile.Lookup) {
	for c, n := range l.reads {
		all := func(n uint64) uint64 { return uint64(float64(n) * float64(runs) / float64(l.runs)) }
		list = append(list, profile.Lookup{Component: c.Name, System: system, Reads: all(n.Values), Far: all(n.Far), Contracts: all(n.Contracts)})
	}
	slices.SortFunc(list, func(a, b profile.Lookup) int { return cmp.Compare(a.Component, b.Component) })
	return list
}
