package views

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// simulated is what each strategy costs a row, in nanoseconds, in a workload.
type simulated struct {
	name    string
	rows    int
	order   float64
	stale   float64
	readers int
	applies Set
	read    float64 // of a kept view
	gather  float64 // of a row's value
	direct  float64
}

// frame is a frame with a strategy. Gathering what is kept costs a write more.
func (w simulated) frame(s Strategy, noise float64) Frame {
	ns := map[Strategy]float64{
		Direct:   w.direct,
		Gathered: w.gather + w.read/2,
		Cached:   w.read + w.stale*(w.gather+1),
	}[s]
	f := Frame{Rows: w.rows, Stale: w.stale, Order: w.order, Applies: w.applies, Readers: w.readers}
	if s == Cached {
		f.Build = time.Duration(noise * float64(w.rows) * (ns - w.read))
	}
	f.Took = time.Duration(noise * float64(w.rows) * ns)
	return f
}

// best is the cheapest strategy and what it costs a row.
func (w simulated) best() (best Strategy, cost float64) {
	cost = math.Inf(1)
	for s := Direct; int(s) < strategies; s++ {
		if c := w.frame(s, 1).cost(); w.applies.Has(s) && c < cost {
			best, cost = s, c
		}
	}
	return best, cost
}

const (
	random  = Set(1<<Gathered | 1<<Cached)
	ordered = random | Set(1<<Direct)
)

func workloads() []simulated {
	return []simulated{
		{"random, unchanged", 262144, 0, 0, 1, random, 1.2, 9, 0},
		{"random, a tenth changed", 262144, 0, 0.1, 1, random, 1.2, 9, 0},
		{"random, all changed, one reader", 262144, 0, 1, 1, random, 1.2, 9, 0},
		{"random, all changed, five readers", 262144, 0, 1, 5, random, 1.2, 9, 0},
		{"ordered, all changed, one reader", 262144, 1, 1, 1, ordered, 1.2, 5, 5},
		{"ordered, unchanged", 262144, 1, 0, 1, ordered, 1.2, 5, 5},
		{"few rows", 16384, 0, 1, 1, random, 1, 2.5, 0},
	}
}

// Whatever the noise, the choice ends within a few percent of the best one, and
// stays: it does not flap.
func TestChoiceSettles(t *testing.T) {
	for _, w := range workloads() {
		for _, sigma := range []float64{0, 0.03, 0.15} {
			t.Run(fmt.Sprintf("%s/noise=%v", w.name, sigma), func(t *testing.T) {
				r := rand.New(rand.NewPCG(1, 2))
				_, best := w.best()
				c := Start(Unset, Unset, w.applies)
				changes, settled := 0, 0
				for frame := range 5000 {
					noise := math.Exp(sigma * r.NormFloat64())
					if r.IntN(50) == 0 {
						noise *= 4 // somebody else's frame
					}
					use := c.Use()
					c = c.Next(w.frame(use, noise))
					if c.Trying() && frame > 30 {
						t.Fatalf("frame %d: a trial without a shift", frame)
					}
					if c.Use() != use && !c.Trying() {
						changes, settled = changes+1, frame
					}
				}
				if cost := w.frame(c.Use(), 1).cost(); cost > best*(1.06+2*sigma) {
					t.Errorf("settled on %v for %.2f ns, the best is %.2f ns", c.Use(), cost, best)
				}
				if changes > 1 || settled > int(strategies)*(trialFrames+1) {
					t.Errorf("%d changes, the last in frame %d", changes, settled)
				}
			})
		}
	}
}

// A trial is due where another strategy may have become the cheapest, and not where it is
// known that it has not.
func TestWhenATrialIsDue(t *testing.T) {
	type costs = map[Strategy]time.Duration // of a row, in nanoseconds
	first := Frame{Rows: 1000, Readers: 5, Applies: random}
	for _, tt := range []struct {
		name          string
		before, after costs
		then          func(*Frame)
		trials        int // of those after the first
		use           Strategy
	}{
		{"nothing happens", costs{Cached: 4, Gathered: 30}, costs{Cached: 4, Gathered: 30}, func(f *Frame) {}, 0, Cached},
		{"more rows, far cheaper", costs{Cached: 4, Gathered: 30}, costs{Cached: 5, Gathered: 40}, func(f *Frame) { f.Rows = 5000 }, 0, Cached},
		{"more rows, hardly cheaper", costs{Cached: 10, Gathered: 30}, costs{Cached: 28, Gathered: 40}, func(f *Frame) { f.Rows = 5000 }, 1, Cached},
		{"fewer rows, cheaper", costs{Cached: 10, Gathered: 30}, costs{Cached: 9, Gathered: 20}, func(f *Frame) { f.Rows = 500 }, 1, Cached},
		{"fewer rows, far cheaper", costs{Cached: 5, Gathered: 30}, costs{Cached: 4, Gathered: 20}, func(f *Frame) { f.Rows = 500 }, 0, Cached},
		{"another order", costs{Cached: 10, Gathered: 30}, costs{Cached: 10, Gathered: 8}, func(f *Frame) { f.Order = 1 }, 1, Gathered},
		{"more to build, still cheaper", costs{Cached: 4, Gathered: 30}, costs{Cached: 20, Gathered: 30}, func(f *Frame) { f.Readers, f.Stale = 1, 1 }, 0, Cached},
		{"more to build, hardly cheaper", costs{Cached: 4, Gathered: 30}, costs{Cached: 27, Gathered: 30}, func(f *Frame) { f.Readers, f.Stale = 1, 1 }, 1, Cached},
		{"more to build for many readers", costs{Cached: 20, Gathered: 30}, costs{Cached: 25, Gathered: 10}, func(f *Frame) { f.Stale = 1 }, 0, Cached},
		{"rows that move", costs{Cached: 20, Gathered: 30}, costs{Cached: 45, Gathered: 30}, func(f *Frame) { f.Readers, f.Moved = 1, 1 }, 1, Gathered},
		{"dearer for no reason", costs{Cached: 20, Gathered: 30}, costs{Cached: 45, Gathered: 30}, func(f *Frame) {}, 1, Gathered},
		{"all dearer for no reason", costs{Cached: 20, Gathered: 30}, costs{Cached: 45, Gathered: 60}, func(f *Frame) {}, 1, Cached},
		{"less to build", costs{Cached: 45, Gathered: 30}, costs{Cached: 4, Gathered: 30}, func(f *Frame) { f.Stale = 0 }, 1, Cached},
	} {
		c, trials, f := Start(Unset, Unset, random), -1, first
		if tt.name == "less to build" {
			f.Stale, f.Readers = 1, 1
		}
		run := func(frames int, cost costs) {
			for n := 0; n < frames; {
				g := f
				if g.Walks = 8; c.Trying() {
					g.Walks = 1
				}
				n += g.Walks
				g.Took = time.Duration(g.Rows) * cost[c.Use()]
				was := c.Trying()
				if c = c.Next(g); was && !c.Trying() {
					trials++
				}
			}
		}
		run(400, tt.before)
		if trials != 0 {
			t.Errorf("%s: %d trials before anything happened", tt.name, 1+trials)
		}
		tt.then(&f)
		run(400, tt.after)
		if trials != tt.trials || c.Use() != tt.use {
			t.Errorf("%s: %d trials, and %v in use; want %d, %v", tt.name, trials, c.Use(), tt.trials, tt.use)
		}
	}
}

// A frame that stands for eight does what eight of them do.
func TestFrameStandsForSeveral(t *testing.T) {
	one, eight := Start(Cached, Unset, random), Start(Cached, Unset, random)
	for i := range 30 {
		f := Frame{Took: 1000, Rows: 100 * (1 + i), Stale: float64(i%2) / 10, Order: 0.5, Applies: random}
		for range 8 {
			one = one.Next(f)
		}
		f.Walks = 8
		eight = eight.Next(f)
		if one.Trying() || eight.Trying() {
			if i < 7 || one.Trying() != eight.Trying() {
				t.Fatalf("%d times 8 frames: a trial after single ones: %v; after such that stand for 8: %v", i+1, one.Trying(), eight.Trying())
			}
			return
		}
		if d := one.now.rows - eight.now.rows; d > 1e-6 || d < -1e-6 {
			t.Fatalf("rows average to %v and %v", one.now.rows, eight.now.rows)
		}
	}
	t.Error("no trial, although rows grew")
}

// What a trial costs is bounded: it is over after a few frames, and of a strategy
// that is clearly slower it sees two frames, of a much slower one one.
func TestTrialsAreShort(t *testing.T) {
	cost := map[Strategy]time.Duration{Cached: 10, Gathered: 16, Direct: 50}
	used := map[Strategy]int{}
	c := Start(Cached, Unset, ordered)
	frames := 0
	for ; frames < waitFrames; frames++ {
		if c.Trying() {
			t.Fatalf("frame %d: a trial, although the recorded strategy is fine", frames)
		}
		c = c.Next(Frame{Took: cost[c.Use()] * 1000, Rows: 1000, Applies: ordered})
	}
	for ; c.Trying(); frames++ {
		used[c.Use()]++
		c = c.Next(Frame{Took: cost[c.Use()] * 1000, Rows: 1000, Applies: ordered})
	}
	want := map[Strategy]int{Cached: 6, Gathered: 2, Direct: 1}
	if fmt.Sprint(used) != fmt.Sprint(want) || c.Use() != Cached {
		t.Errorf("frames %v, want %v; chosen %v", used, want, c.Use())
	}
	if c.Cost(Cached) != 10 || c.Cost(Gathered) != 16 {
		t.Errorf("costs %v, %v", c.Cost(Cached), c.Cost(Gathered))
	}
}

// After a shift the choice follows; trials that change nothing become rare.
func TestChoiceFollows(t *testing.T) {
	all := workloads()
	c := Start(Unset, Unset, random)
	trials := 0
	run := func(frames int, w func(frame int) simulated) {
		for i := range frames {
			was := c.Trying()
			c = c.Next(w(i).frame(c.Use(), 1))
			if c.Trying() && !was {
				trials++
			}
		}
	}
	for i, want := range []Strategy{Cached, Gathered, Cached, Gathered} {
		w := all[(i%2)*2] // unchanged, all changed
		run(400, func(int) simulated { return w })
		if c.Use() != want {
			t.Errorf("phase %d, %s: %v, want %v", i, w.name, c.Use(), want)
		}
	}
	if trials != 3 {
		t.Errorf("%d trials for 3 shifts", trials)
	}
	trials = 0
	run(20000, func(i int) simulated { // stays cheapest, whatever the rows do
		w := all[1]
		w.stale = 0.75 // else it is so much cheaper that there is no need to try
		w.rows <<= i / 100 % 2 * 2
		return w
	})
	if c.Use() != Cached || trials < 2 || trials > 16 {
		t.Errorf("%v after %d trials in 20,000 frames of shifts that change nothing", c.Use(), trials)
	}
}

func TestChoiceTable(t *testing.T) {
	frame := func(applies Set) Frame { return Frame{Took: 1000, Rows: 100, Applies: applies} }
	tests := []struct {
		name             string
		recorded, intent Strategy
		applies          Set
		frames           []Frame
		want             Strategy
		trying           bool
	}{
		{"nothing known: a trial", Unset, Unset, random, nil, Cached, true},
		{"in order: direct comes first", Unset, Unset, ordered, nil, Direct, true},
		{"recorded comes first", Gathered, Unset, random, nil, Gathered, false},
		{"recorded does not apply", Direct, Unset, random, nil, Cached, true},
		{"intent overrules what is recorded", Gathered, Cached, random, []Frame{frame(random)}, Cached, false},
		{"intent that does not apply", Unset, Direct, random, []Frame{frame(random)}, Cached, true},
		{"intent that applies later", Unset, Direct, random, []Frame{frame(ordered)}, Direct, false},
		{"intent that applies no more", Unset, Direct, ordered, []Frame{frame(random)}, Cached, true},
		{"what is used applies no more", Direct, Unset, ordered, []Frame{frame(random)}, Cached, true},
		{"what is tried applies no more", Unset, Unset, ordered, []Frame{frame(random)}, Cached, true},
		{"only one applies", Unset, Unset, SetOf(Gathered), []Frame{
			frame(SetOf(Gathered)), frame(SetOf(Gathered)), frame(SetOf(Gathered)), frame(SetOf(Gathered)), frame(SetOf(Gathered)), frame(SetOf(Gathered)),
		}, Gathered, false},
		{"frames without rows tell nothing", Unset, Unset, SetOf(Gathered), slices.Repeat([]Frame{{Applies: SetOf(Gathered)}}, 20), Gathered, true},
	}
	for _, tt := range tests {
		c := Start(tt.recorded, tt.intent, tt.applies)
		for _, f := range tt.frames {
			c = c.Next(f)
		}
		if c.Use() != tt.want || c.Trying() != tt.trying {
			t.Errorf("%s: %v, trying %v; want %v, %v", tt.name, c.Use(), c.Trying(), tt.want, tt.trying)
		}
	}
}

// Whatever happens, a strategy is in use that applies, and a trial comes to an end.
func TestChoiceAlwaysApplies(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		any := func() Set { return Set(r.IntN(8))<<1 | SetOf(Gathered) }
		applies := any()
		c := Start(Strategy(r.IntN(strategies)), Strategy(r.IntN(strategies)*r.IntN(2)), applies)
		trying := 0
		for frame := range 2000 {
			if !applies.Has(c.Use()) {
				t.Fatalf("seed %d, frame %d: %v is in use and only %v apply", seed, frame, c.Use(), applies)
			}
			if trying++; !c.Trying() {
				trying = 0
			}
			if trying > strategies*(trialFrames+1) {
				t.Fatalf("seed %d, frame %d: a trial of %d frames", seed, frame, trying)
			}
			if r.IntN(200) == 0 {
				applies = any()
			}
			c = c.Next(Frame{Took: time.Duration(r.IntN(1e6)), Rows: 1 + r.IntN(1000), Stale: r.Float64(), Order: r.Float64(), Readers: r.IntN(4), Applies: applies})
		}
	}
}

// What was measured of a strategy that ceases to apply in its trial is no cost of it, though it
// applies again when the trial ends.
func TestCostsOfWhatAppliedNoMore(t *testing.T) {
	cost := map[Strategy]time.Duration{Direct: 1, Cached: 10, Gathered: 16}
	c := Start(Unset, Unset, ordered)
	for i := 0; c.Trying(); i++ {
		applies := ordered
		if i == 3 { // two frames of it are measured
			if c.Use() != Direct || c.Cost(Direct) != 1 {
				t.Fatalf("%v is tried for %v ns", c.Use(), c.Cost(Direct))
			}
			applies = random
		}
		c = c.Next(steady(cost, c.Use(), 1000, applies))
	}
	if c.Use() != Cached || c.Cost(Direct) != 0 || c.Cost(Cached) != 10 {
		t.Errorf("%v is used; direct costs %v ns, cached %v ns", c.Use(), c.Cost(Direct), c.Cost(Cached))
	}
}

func TestStrategyWords(t *testing.T) {
	for word, want := range map[string]Strategy{"": Unset, "direct": Direct, "gathered": Gathered, "none": Gathered, "cached": Cached} {
		if got, err := StrategyOf(word); got != want || err != nil {
			t.Errorf("%q: %v, %v", word, got, err)
		}
	}
	if _, err := StrategyOf("best"); err == nil {
		t.Error("an unknown word is no error")
	}
	if s := ordered.String(); s != "direct, gathered, cached" {
		t.Error(s)
	}
}

// What a system builds is charged to all readers alike, and what it does besides to itself.
func TestBuildsAreShared(t *testing.T) {
	for readers, want := range map[int]float64{0: 10, 1: 10, 4: 4} {
		c := Start(Unset, Unset, random)
		for range 1 + trialFrames {
			c = c.Next(Frame{Took: 1000, Build: 800, Readers: readers, Rows: 100, Applies: random})
		}
		if cost := c.Cost(Cached); cost != want {
			t.Errorf("%d readers: a row costs %v ns, want %v", readers, cost, want)
		}
	}
}

// steady is a frame of one cost for each strategy, and nothing built.
func steady(cost map[Strategy]time.Duration, use Strategy, rows int, applies Set) Frame {
	return Frame{Took: cost[use] * time.Duration(rows), Rows: rows, Applies: applies}
}

// Intent that applies is used at once, without a trial; where it does not, a trial begins
// as if there were none.
func TestIntent(t *testing.T) {
	for _, tt := range []struct {
		recorded, intent Strategy
		applies          Set
		use              Strategy
		trying           bool
	}{
		{Unset, Cached, random, Cached, false},
		{Gathered, Cached, random, Cached, false},
		{Unset, Direct, random, Cached, true},
		{Gathered, Direct, random, Gathered, false},
		{Direct, Unset, random, Cached, true},
		{Unset, Unset, SetOf(Gathered), Gathered, true},
	} {
		c := Start(tt.recorded, tt.intent, tt.applies)
		if c.Use() != tt.use || c.Trying() != tt.trying {
			t.Errorf("%+v: %v is used, on trial: %v", tt, c.Use(), c.Trying())
		}
	}
	// It is used again once it applies, and left where it does not any more.
	c := Start(Unset, Direct, random)
	cost := map[Strategy]time.Duration{Direct: 9, Cached: 2, Gathered: 3}
	if c = c.Next(steady(cost, c.Use(), 10, ordered)); c.Use() != Direct || c.Trying() {
		t.Errorf("%v is used, on trial: %v", c.Use(), c.Trying())
	}
	if c = c.Next(steady(cost, c.Use(), 10, random)); c.Use() == Direct || !c.Trying() {
		t.Errorf("%v is used, on trial: %v", c.Use(), c.Trying())
	}
}

// A trial that changes the choice makes the next one due as soon as at first, however many
// before it changed nothing.
func TestChangeMakesTrialsFrequentAgain(t *testing.T) {
	cost := map[Strategy]time.Duration{Cached: 10, Gathered: 11} // near enough to be tried again
	c, rows := Start(Cached, Unset, random), 1000
	// wait runs until the next trial begins, and over it, after a shift in rows.
	wait := func() (frames int) {
		rows = 3000 - rows
		for ; !c.Trying() && frames < 1<<12; frames++ {
			c = c.Next(steady(cost, c.Use(), rows, random))
		}
		for c.Trying() {
			c = c.Next(steady(cost, c.Use(), rows, random))
		}
		return frames
	}
	var waits []int
	for i := range 6 {
		if i == 4 { // the fifth trial finds another strategy cheaper
			cost[Gathered] = 3
		}
		waits = append(waits, wait())
	}
	if want := []int{64, 128, 256, 512, 1024, 64}; !slices.Equal(waits, want) || c.Use() != Gathered {
		t.Errorf("trials after %v frames, want %v; %v is used", waits, want, c.Use())
	}
}

// What begins to apply, or ceases to, makes the next trial due, though nothing else has changed
// and what is used applies all the while.
func TestChangeOfWhatAppliesMakesTrialDue(t *testing.T) {
	cost := map[Strategy]time.Duration{Direct: 4, Cached: 10, Gathered: 16}
	for _, tt := range []struct {
		first, then Set
		use         Strategy
	}{{random, random, Cached}, {random, ordered, Direct}, {SetOf(Cached, Gathered), SetOf(Cached), Cached}} {
		c := Start(Unset, Unset, tt.first)
		frames := func(n int, applies Set) (tried bool) {
			for range n {
				c = c.Next(steady(cost, c.Use(), 1000, applies))
				tried = tried || c.Trying()
			}
			return tried
		}
		frames(4*trialFrames, tt.first)
		if c.Trying() || c.Use() != Cached {
			t.Fatalf("%v is used, on trial: %v", c.Use(), c.Trying())
		}
		if tried := frames(3*waitFrames, tt.then); tried != (tt.first != tt.then) || c.Use() != tt.use {
			t.Errorf("%v, then %v: a trial: %v, and %v is used", tt.first, tt.then, tried, c.Use())
		}
	}
}

// What did not apply during a trial was not measured, and is not preferred for being in use
// before.
func TestUnmeasuredIsNotPreferred(t *testing.T) {
	cost := map[Strategy]time.Duration{Direct: 4, Cached: 10, Gathered: 16}
	c := Start(Direct, Unset, ordered)
	for range waitFrames { // as recorded
		c = c.Next(steady(cost, c.Use(), 1000, ordered))
	}
	for c.Trying() && c.Use() != Direct { // what was in use comes last
		c = c.Next(steady(cost, c.Use(), 1000, ordered))
	}
	if !c.Trying() {
		t.Fatalf("%v is used, and there is no trial", c.Use())
	}
	c = c.Next(steady(cost, c.Use(), 1000, random)) // the order is lost, and comes back
	for c.Trying() {
		c = c.Next(steady(cost, c.Use(), 1000, ordered))
	}
	if c.Use() != Cached {
		t.Errorf("%v is used, and keep was the cheapest of what was measured", c.Use())
	}
}

// What is kept takes memory, so it is chosen where it is clearly cheaper, and not for a tie. Where
// a reader builds all of it in each frame, only the noted places are used again.
func TestKeptHasToPay(t *testing.T) {
	for _, tt := range []struct {
		gathered time.Duration
		stale    float64
		readers  int
		want     Strategy
	}{
		{100, 0, 1, Gathered},
		{104, 0, 1, Gathered},
		{107, 0, 1, Cached},
		{140, 0.8, 1, Cached},
		{115, 1, 1, Gathered},
		{130, 1, 1, Cached},
		{140, 1, 2, Cached},
	} {
		cost := map[Strategy]time.Duration{Cached: 100, Gathered: tt.gathered}
		c := Start(Unset, Unset, random)
		for c.Trying() {
			c = c.Next(Frame{Took: cost[c.Use()] * 1000, Rows: 1000, Stale: tt.stale, Readers: tt.readers, Applies: random})
		}
		if c.Use() != tt.want {
			t.Errorf("%+v: %v where keeping costs 100", tt, c.Use())
		}
	}
}

// Where a reader would build all of a view in each frame, a trial leaves it out once that is known.
func TestNothingIsKeptForATrial(t *testing.T) {
	for stale, want := range map[float64]bool{1: false, 0.5: true} {
		c, kept, trials := Start(Gathered, Unset, random), false, 0
		for frame := range 10 * waitFrames {
			f := Frame{Took: 1000, Rows: 1000, Stale: stale, Order: 1, Applies: random}
			if f.Readers = 1; frame > waitFrames {
				f.Rows, f.Took = 5000, 5000
			}
			if c = c.Next(f); c.Trying() {
				trials++
			}
			kept = kept || c.Use() == Cached
		}
		if trials == 0 || kept != want {
			t.Errorf("%v of the owner changes: kept %v in trials of %d frames, want %v", stale, kept, trials, want)
		}
	}
}

// Rows that were brought into another order are a reason to try such a view once more.
func TestOrderIsAReasonToKeep(t *testing.T) {
	for order, want := range map[float64]Strategy{0: Gathered, 1: Cached} {
		c := Start(Unset, Unset, random)
		for frame := range 4 * waitFrames {
			f := Frame{Took: 1000, Rows: 1000, Stale: 1, Readers: 1, Applies: random}
			if c.Use() == Gathered && frame > waitFrames {
				f.Took = 700
			}
			if f.Order = 0; frame > waitFrames {
				if f.Order = order; c.Use() == Cached {
					f.Took = 300
				}
			}
			c = c.Next(f)
		}
		if c.Use() != want {
			t.Errorf("%v of the rows follow in order since the trial: %v is used", order, c.Use())
		}
	}
}

// What applies no more is nothing to be cheaper than.
func TestPaysAgainstWhatApplies(t *testing.T) {
	cost := map[Strategy]time.Duration{Direct: 102, Cached: 100, Gathered: 200}
	for applies, want := range map[Set]Strategy{ordered: Direct, random: Cached} {
		c := Start(Unset, Unset, ordered)
		for c.Trying() {
			f := steady(cost, c.Use(), 1000, ordered)
			if c.Use() == Gathered {
				f.Applies = applies
			}
			c = c.Next(f)
		}
		if c.Use() != want {
			t.Errorf("%v is used, want %v", c.Use(), want)
		}
	}
}

// Where keeping does not pay, the cheapest of the other ways is chosen.
func TestCheapestOfWhatPays(t *testing.T) {
	for _, tt := range []struct {
		direct, gathered time.Duration
		stale            float64
		want             Strategy
	}{
		{110, 200, 1, Direct},
		{130, 200, 1, Cached},
		{200, 110, 1, Gathered},
		{102, 104, 0, Direct},
		{103, 102, 0, Gathered},
		{110, 200, 0, Cached},
	} {
		cost := map[Strategy]time.Duration{Direct: tt.direct, Cached: 100, Gathered: tt.gathered}
		c := Start(Unset, Unset, ordered)
		for c.Trying() {
			f := steady(cost, c.Use(), 1000, ordered)
			f.Stale = tt.stale
			c = c.Next(f)
		}
		if c.Use() != tt.want {
			t.Errorf("%+v: %v where keeping costs 100", tt, c.Use())
		}
	}
}
