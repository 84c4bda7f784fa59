package memmgr

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr/plan"
	"github.com/ashlar-go/ashlar/profile"
)

// What each kind of action gains alone. A layout that asks for it is built three times: as
// "without", as "alike", which is the same again, and as "with", where the actions that
// a plan asks for are carried out. Then all three are swept in turn:
//
//	without ┐
//	alike   ├─ sweep, sweep, …   alike / without: the noise
//	with    ┘                    with / without: the gain

// layout is a manager and what a frame of its program sweeps.
type layout struct {
	m     *Manager
	swept []*Sequence
	facts profile.Profile // of frames that sweep so often
	often uint64          // 0 is once
}

// vec is a value of a column.
type vec struct{ X, Y uint64 }

// groups makes n sequences of an entity and two vectors.
func (l *layout) groups(b *testing.B, n int) (seqs []*Sequence) {
	for range n {
		seqs = append(seqs, sequence(b, l.m, fmt.Sprintf("g%d", l.m.Sequences()), 8, 16, 16))
	}
	return seqs
}

// grow fills chunks of a sequence.
func grow(b *testing.B, s *Sequence, chunks int) {
	var serial uint64
	appendRows(b, s, chunks*int(s.shape.Full.Capacity()), &serial)
}

// inTurns grows sequences by so many chunks each, a chunk at a time in random turns.
func inTurns(b *testing.B, seqs []*Sequence, chunks ...int) {
	var turns []*Sequence
	for i, s := range seqs {
		turns = append(turns, slices.Repeat([]*Sequence{s}, chunks[i])...)
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(turns), func(i, j int) { turns[i], turns[j] = turns[j], turns[i] })
	for _, s := range turns {
		grow(b, s, 1)
	}
}

// sweep goes over the rows of sequences as a system does.
func sweep(seqs []*Sequence) {
	for _, s := range seqs {
		for id := range s.Chunks() {
			at := Slice[vec](s, 1, id)
			by := Slice[vec](s, 2, id)[:len(at)]
			for i := range at {
				at[i].X += by[i].X
				at[i].Y += by[i].Y
			}
		}
	}
}

// close gives the memory back, so that turns don't share it.
func (l *layout) close(b *testing.B) {
	if err := l.m.Close(); err != nil {
		b.Fatal(err)
	}
}

// sweeps are the facts of many frames in which systems sweep sequences one after the other,
// each so often.
func sweeps(seqs []*Sequence, often uint64) (p profile.Profile) {
	const frames = 1000
	runs := often * frames
	p.Frames = frames
	for _, s := range seqs {
		n, c := uint64(s.Len()), uint64(s.ChunkCount())
		p.Groups = append(p.Groups, profile.Group{Name: s.name, Rows: n * frames, Chunks: c * frames, Peak: n, Last: n})
		p.Systems = append(p.Systems, profile.System{Name: "sweep " + s.name, Frames: runs, Access: []profile.Access{
			{Group: s.name, Component: "at", Write: true, Rows: n * runs, Chunks: c * runs, Bytes: 16 * n * runs},
			{Group: s.name, Component: "by", Rows: n * runs, Chunks: c * runs, Bytes: 16 * n * runs},
		}})
	}
	return p
}

// carryOut does what plans ask for of one kind, and fails if nothing is. It returns how many
// moves that took, and the time that plans say it saves a sweep. With cold and
// hot groups comes what this has others do: regions that it leaves sparse are evacuated.
func (l *layout) carryOut(b *testing.B, k plan.Kind) (moves int, saves time.Duration) {
	a := newAdapter(l.m, AdaptOptions{Profile: l.facts, Budget: profile.Budget{Time: time.Hour, Bytes: 1 << 40}}.withDefaults())
	for {
		in := l.m.Placement()
		a.weigh(in.Regions)
		all := plan.Plan(l.facts, l.m.Topology(), in)
		if len(all) == 0 || all[0].Kind != k && !(k == plan.Ranges && all[0].Kind == plan.Evacuate) {
			break // done, or something else comes first
		}
		a.queue, a.seqs, a.job = all[:1], l.m.seqs, nil
		for l.m.adapt = a; a.job == nil || a.job.state == moving; {
			safePoint(b, l.m)
		}
		l.m.adapt = nil
		moves += len(a.job.made)
		saves += all[0].Gain.Time / plan.Horizon
		safePoint(b, l.m) // nothing is in quarantine
		safePoint(b, l.m)
	}
	if moves == 0 {
		b.Fatalf("no plan asks for %v", k)
	}
	return moves, saves / time.Duration(max(1, l.often))
}

func safePoint(b *testing.B, m *Manager) {
	if err := m.SafePoint(); err != nil {
		b.Fatal(err)
	}
}

// settle gives free memory back and returns what is resident.
func (l *layout) settle(b *testing.B) float64 {
	if _, err := l.m.Release(); err != nil {
		b.Fatal(err)
	}
	n, err := l.m.arena.Resident()
	if err != nil {
		b.Skipf("resident memory can't be measured here: %v", err)
	}
	return float64(n) / (1 << 20)
}

// gain measures what actions of a kind are worth to a layout.
func gain(b *testing.B, k plan.Kind, times int, build func(b *testing.B, l *layout)) {
	const without, alike, with = 0, 1, 2
	var ratios, turns [3][]float64
	var resident [3]float64
	moves, saves := 0, time.Duration(0)
	var plain []float64 // ns without
	for turn := 0; b.Loop(); turn++ {
		var ls [3]*layout
		for i := range ls { // in another order in each turn: the first gets the better memory
			i = (i + turn) % len(ls)
			m, err := New(Options{Topology: huge()})
			if err != nil {
				b.Fatal(err)
			}
			ls[i] = &layout{m: m}
			if m.arena.Backend() != arena.OS {
				ls[i].close(b)
				b.Skip("ranges are all alike on the Go heap")
			}
			build(b, ls[i])
			if i == with {
				moves, saves = ls[i].carryOut(b, k)
			}
			resident[i] = ls[i].settle(b)
		}
		var of [3][]float64
		for n := range times {
			var ns [3]float64
			for i := range ls {
				i = (i + n) % len(ls)
				ns[i] = took(func() { sweep(ls[i].swept) })
			}
			if n >= times/10 { // warm
				plain = append(plain, ns[without])
				for i := range ls {
					of[i] = append(of[i], ns[i]/ns[without])
				}
			}
		}
		for i, l := range ls {
			ratios[i] = append(ratios[i], of[i]...)
			turns[i] = append(turns[i], mid(of[i]))
			l.close(b)
		}
	}
	b.ReportMetric(mid(ratios[with]), "x")
	b.ReportMetric(1-float64(saves)/mid(plain), "predicted-x")
	b.ReportMetric(slices.Min(turns[with]), "least-x")
	b.ReportMetric(slices.Max(turns[with]), "most-x")
	b.ReportMetric(mid(ratios[alike]), "alike-x")
	b.ReportMetric(slices.Min(turns[alike]), "alike-least-x")
	b.ReportMetric(slices.Max(turns[alike]), "alike-most-x")
	b.ReportMetric(resident[without], "MiB-without")
	b.ReportMetric(resident[with], "MiB-with")
	b.ReportMetric(float64(moves), "moves")
	b.ReportMetric(0, "ns/op")
}

func mid(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}

func BenchmarkGain(b *testing.B) {
	// Groups that rose one after the other, and of which a tenth is left.
	b.Run("evacuate", func(b *testing.B) {
		gain(b, plan.Evacuate, 200, func(b *testing.B, l *layout) {
			l.swept = l.groups(b, 24)
			for _, s := range l.swept {
				grow(b, s, 64)
			}
			for _, s := range l.swept {
				s.Truncate(s.Len() / 10)
			}
			l.settle(b)
		})
	})
	// Groups that were larger once, and have 4 rows in a chunk laid out in full.
	b.Run("tails", func(b *testing.B) {
		gain(b, plan.Tails, 4000, func(b *testing.B, l *layout) {
			l.swept = l.groups(b, 256)
			for _, s := range l.swept {
				grow(b, s, 1)
				s.Truncate(4)
			}
		})
	})
}

// took is how many nanoseconds a function takes.
func took(f func()) float64 {
	start := time.Now()
	f()
	return float64(time.Since(start))
}
