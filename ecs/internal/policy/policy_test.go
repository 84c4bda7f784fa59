package policy

import "testing"

// world is counts of a store: components of 16 bytes that a part of the rows has, at random, beside
// others that all have.
type world struct {
	rows, columns, counted int64
	half                   bool  // of the rows have each; else one in twenty
	removes                int64 // of each component in a frame
	systems                []System
}

// facts are a store's answer with some components fixed.
func (w world) facts(f *Facts, components []int) {
	part := int64(20)
	if w.half {
		part = 2
	}
	for _, c := range components {
		f.Counted = append(f.Counted, Counted{Component: c, Size: 16, Have: w.rows / part})
	}
	n, left := int64(1)<<len(components), w.rows
	for set := n - 1; set >= 0; set-- {
		rows := w.rows
		for i := range components {
			if rows /= part; set>>i&1 == 0 {
				rows *= part - 1
			}
		}
		if set == 0 {
			rows = left
		}
		if left -= rows; rows > 0 {
			f.Sets = append(f.Sets, Set{Bits: uint64(set), Rows: rows, Width: 16 * (w.columns + int64(len(components))/part)})
		}
	}
	f.Living = int64(len(f.Sets))
	place := func(set uint64) (of uint64) {
		for i, c := range components {
			of |= set >> c & 1 << i
		}
		return of
	}
	for _, x := range w.systems {
		f.Systems = append(f.Systems, System{place(x.Required), place(x.Excluded), place(x.Maybe), x.Pieces, x.Met})
	}
}

// policy returns a policy for the world after frames. The first ones were busy.
func (w *world) play(busy, frames int) (*Policy, []int) {
	var changed []int
	p := New(Options{}, func(list []int, f *Facts, passed int) { w.facts(f, list) })
	for range w.counted {
		p.Add()
	}
	for i := range frames {
		if i < busy {
			for c := range w.counted {
				p.Removed(int(c), int(w.removes))
			}
		}
		if len(p.EndFrame(Tables{Living: 1 << w.counted, Rows: int(w.rows)})) > 0 {
			changed = append(changed, i)
		}
	}
	return p, changed
}

// ways are a letter for each component: fixed, plain or ordered.
func (p *Policy) ways() (list string) {
	for i := range p.components {
		list += [...]string{Fixed: "f", Optional: "p", Thin: "t", Ordered: "o"}[p.Way(i)]
	}
	return list
}

// Counts in, ways out: 800 busy frames, then 1,000 without changes.
func TestDecisions(t *testing.T) {
	reads := func(met int64) []System { return []System{{Required: 1, Pieces: 3, Met: met}} }
	for name, c := range map[string]struct {
		world
		busy, quiet string
	}{
		"nothing changes":                  {world{1 << 18, 3, 1, true, 0, reads(1 << 17)}, "f", "f"},
		"one in 10,000, read by a system":  {world{1 << 18, 3, 1, true, 13, reads(1 << 17)}, "f", "f"},
		"one in 200, wide rows":            {world{1 << 18, 12, 1, true, 600, reads(1 << 17)}, "o", "o"},
		"one in ten, wide rows":            {world{1 << 18, 12, 1, true, 13000, reads(1 << 17)}, "p", "o"},
		"five in a hundred, narrow, small": {world{1 << 14, 3, 1, true, 400, append(reads(1<<13), reads(1<<13)...)}, "o", "o"},
		"changes, and nobody reads it":     {world{1 << 18, 3, 1, true, 1000, nil}, "p", "p"},
		"few have it, and it is excluded":  {world{1 << 18, 12, 1, false, 1000, []System{{Excluded: 1, Pieces: 3, Met: 249_000}}}, "p", "o"},
		"a field that may be":              {world{1 << 18, 3, 1, true, 50, []System{{Maybe: 1, Pieces: 3, Met: 1 << 18}}}, "f", "f"},
	} {
		p, _ := c.play(800, 800)
		if got := p.ways(); got != c.busy {
			t.Errorf("%s, busy: %s, want %s", name, got, c.busy)
		}
		if p, _ = c.play(800, 1800); p.ways() != c.quiet {
			t.Errorf("%s, quiet: %s, want %s", name, p.ways(), c.quiet)
		}
	}
}

// Wide components that come and go become optional as long as a row has room for all of them.
func TestRoomMost(t *testing.T) {
	w := world{rows: 1 << 16, columns: 12, counted: 6, half: true}
	for size, want := range map[int64]int{16: 6, roomMost / 6: 6, roomMost / 4: 4, roomMost: 1, roomMost + 1: 0} {
		f := Facts{making: 100_000}
		w.facts(&f, []int{0, 1, 2, 3, 4, 5})
		for i := range f.Counted {
			f.Counted[i].Size, f.Counted[i].changes = size, 200_000
		}
		f.complete()
		a, _ := f.choose()
		optional := 0
		for _, way := range a[:6] {
			if way != Fixed {
				optional++
			}
		}
		if optional != want || f.wide(&a) {
			t.Errorf("%d bytes each: %d of 6 are optional, want %d", size, optional, want)
		}
	}
}

// Rows have one order, by three components at most. Of some that are read alike, fewer changes decide.
func TestOrderMost(t *testing.T) {
	w := world{rows: 1 << 16, columns: 12, counted: 6, half: true}
	for i := range 5 {
		w.systems = append(w.systems, System{Required: 1 << i, Pieces: 3, Met: w.rows / 2})
	}
	for changes, want := range map[int64]int{20: 3, 8000: 1, 200_000: 0} {
		f := Facts{making: 100_000}
		w.facts(&f, []int{0, 1, 2, 3, 4, 5})
		for i := range f.Counted {
			f.Counted[i].changes = changes << (i % 2)
		}
		f.complete()
		a, _ := f.choose()
		n := 0
		for i, way := range a[:6] {
			if way == Fixed || way == Ordered && (i == 5 || want == 1 && i%2 != 0) {
				t.Errorf("%d changes: %v", changes, a[:6])
			}
			if way == Ordered {
				n++
			}
		}
		if n != want {
			t.Errorf("%d changes: %d components order rows, want %d", changes, n, want)
		}
	}
}

// A change-over waits until the loss exceeds its price, and one burst moves nothing.
func TestLossAndPrice(t *testing.T) {
	w := world{1 << 18, 12, 1, true, 6500, nil}
	_, busy := w.play(400, 400)
	if len(busy) != 1 || busy[0] < lookEvery {
		t.Errorf("changes over in frames %v", busy)
	}
	if _, burst := w.play(1, 400); len(burst) != 0 {
		t.Errorf("one burst, and it changes over in frames %v", burst)
	}
	rows := w.rows * 16 * 13
	loss := 2 * w.removes * MoveCost(16*13, rows)
	if price := w.rows * MoveCost(16*13, rows); int64(busy[0])*loss < price*9/10 {
		t.Errorf("changes over in frame %d: the loss was %d, the price %d", busy[0], int64(busy[0])*loss, price)
	}
}

// A component that is stated keeps its way, and is decided on again once it is released.
func TestStated(t *testing.T) {
	w := world{1 << 18, 12, 1, true, 6500, nil}
	p, _ := w.play(0, 8)
	p.State(0, Fixed)
	churn := func() {
		for range 400 {
			p.Removed(0, int(w.removes))
			p.EndFrame(Tables{Living: 2, Rows: int(w.rows)})
		}
	}
	if churn(); p.Way(0) != Fixed || p.Report(0).Reason != Stated {
		t.Error("what is stated has changed over")
	}
	p.Release(0)
	if churn(); p.Way(0) != Optional || p.Report(0).Reason != RemovedOften || p.Report(0).Removed < 6000 {
		t.Errorf("released: %+v", p.Report(0))
	}
}

// While rows move nothing else changes over, and the budget grows until they have moved.
func TestBudget(t *testing.T) {
	w := world{1 << 18, 12, 1, true, 6500, []System{{Pieces: 3, Met: 1 << 18}}}
	p, changed := w.play(400, 400)
	if len(changed) != 1 {
		t.Fatal(changed)
	}
	if least := w.rows * MoveCost(16*13, w.rows*16*13) / 2; p.work < least {
		t.Errorf("the work of a change-over is %d, and rows alone cost %d", p.work, least)
	}
	p.EndFrame(Tables{Living: 2, Rows: int(w.rows)})
	first := p.Budget()
	if first < p.work/workFrames || first < p.frameCost || p.frameCost < 1<<18 {
		t.Errorf("budget %d of %d, a frame that visits %d rows costs %d", first, p.work, 1<<18, p.frameCost)
	}
	for range 100 {
		for c := range p.components {
			p.Removed(c, 0)
		}
		if len(p.EndFrame(Tables{Living: 2, Rows: int(w.rows), Busy: true})) > 0 {
			t.Fatal("it changes over while rows move")
		}
	}
	if p.began = p.frame - 2*workFrames; p.Budget() < 30*p.frameCost {
		t.Errorf("after %d frames the budget is %d, a frame costs %d", 2*workFrames, p.Budget(), p.frameCost)
	}
	if p.options.Work = 7; p.Budget() != 7 {
		t.Error("another budget than the option's")
	}
}

// Components that nobody reads keep no small tables apart. Memory that would be empty does.
func TestSmallTables(t *testing.T) {
	systems := []System{{Required: 1, Pieces: 3, Met: 4000}, {Pieces: 2, Met: 8000}}
	w := world{8000, 3, 8, true, 0, systems}
	p, _ := w.play(0, 600)
	if p.ways() != "fppppppp" {
		t.Errorf("ways %s", p.ways())
	}
	for c, want := range []Reason{Default, TablesTooSmall, TablesTooSmall} {
		if got := p.Report(c).Reason; got != want {
			t.Errorf("component %d: reason %v, want %v", c, got, want)
		}
	}
	for _, c := range []struct {
		living, rows int
		looked       bool
	}{{small + 1, (small+1)*small - 1, true}, {small + 1, (small + 1) * small, false}, {small, 1, false}} {
		p := New(Options{}, func([]int, *Facts, int) {})
		for p.Add(); p.frame < lookEvery; {
			p.EndFrame(Tables{Living: c.living, Rows: c.rows})
		}
		if looked := len(p.list) > 0; looked != c.looked {
			t.Errorf("%d rows in %d tables: components are looked at: %v", c.rows, c.living, looked)
		}
	}
	f := &Facts{Counted: []Counted{{Size: 16, Have: 1 << 10, among: 1 << 20}}}
	if f.cost(&assignment{}, 1) >= f.cost(&assignment{Optional}, 1) {
		t.Error("a column that is empty costs nothing")
	}
}

// Where a cache has all rows, a visit of a table costs less than to gather them, unless many systems visit hundreds of tables.
func TestTablesInACache(t *testing.T) {
	for _, c := range []struct {
		counted, rows int64
		ways          string
	}{{8, 1024, "ffffffff"}, {8, 16 << 10, "ffffffff"}, {10, 2048, "ooofpppppp"}} {
		w := world{c.rows, 3, c.counted, true, 0, nil}
		for i := range c.counted {
			w.systems = append(w.systems, System{Required: 1<<i | 1<<((i+1)%c.counted), Pieces: 3, Met: c.rows / 4})
		}
		if p, _ := w.play(0, 4000); p.ways() != c.ways {
			t.Errorf("%d rows in %d tables: ways %s, want %s", c.rows, 1<<c.counted, p.ways(), c.ways)
		}
	}
}

// A policy begins as a layout says, leaves that for the first frames, and weighs on then.
func TestBegin(t *testing.T) {
	w := world{1 << 18, 12, 1, true, 0, []System{{Required: 1, Pieces: 3, Met: 1 << 17}}}
	p := New(Options{}, func(list []int, f *Facts, passed int) { w.facts(f, list) })
	p.Add()
	p.Begin(0, Optional)
	if r := p.Report(0); p.Way(0) != Optional || r.Reason != Approved {
		t.Fatalf("%v, %+v", p.Way(0), r)
	}
	left := 0
	for frame := 1; frame < 2000 && left == 0; frame++ { // a system tests its bits, and nothing is removed
		if len(p.EndFrame(Tables{Living: 2, Rows: int(w.rows)})) > 0 {
			left = frame
		}
	}
	if left <= 32 || p.Way(0) != Fixed || p.Report(0).Reason != RarelyRemoved {
		t.Errorf("in frame %d it is %v: %v", left, p.Way(0), p.Report(0).Reason)
	}
	p.Removed(0, 5)
	p.Removed(0, 7)
	if got := p.Report(0).Removes; got != 12 {
		t.Errorf("%d removes are counted, want 12", got)
	}
}

// A row that moves costs more where tables are many, because no cache has the tables.
func TestMovesAmongManyTables(t *testing.T) {
	f := Facts{Counted: []Counted{{changes: each, move: 1000}}}
	for _, x := range []struct{ tables, want int64 }{{1, 1000}, {1023, 1000}, {1024, 1000 + CostMove}, {4095, 1000 + CostMove}, {4096, 1000 + 3*CostMove}} {
		if got := f.cost(&assignment{}, x.tables); got != x.want {
			t.Errorf("%d tables: %d, want %d", x.tables, got, x.want)
		}
	}
}

// Tables of which rows are tested cost more than tables that are passed whole, but for the first.
func TestTestedTables(t *testing.T) {
	f := Facts{Counted: make([]Counted, 2), Systems: []System{{Required: 3, Met: 1}}, visit: 100}
	for _, x := range []struct {
		ways   assignment
		tables int64
		visits int64 // of tables
		tested int64 // of them as dear as that
	}{
		{assignment{Fixed, Fixed}, 1, 1, 0},
		{assignment{Fixed, Fixed}, 64, 16, 0},
		{assignment{Fixed, Ordered}, 1, 1, 0},
		{assignment{Fixed, Ordered}, 64, 32, 31},
		{assignment{Ordered, Ordered}, 64, 64, 63},
	} {
		if got, want := f.cost(&x.ways, x.tables), x.visits*f.visit+x.tested*8*costTable; got != want {
			t.Errorf("%v, %d tables: %d, want %d", x.ways[:2], x.tables, got, want)
		}
	}
	f.Systems[0].Met = 0
	if got := f.cost(&assignment{Fixed, Ordered}, 64); got != 32*f.visit {
		t.Errorf("no rows: %d, want %d", got, 32*f.visit)
	}
}

// The price of a change-over has a way for each set of components, and nothing where none moves.
func TestPriceOfSets(t *testing.T) {
	f := Facts{Counted: []Counted{{among: 1000, Have: 500, move: 10}, {among: 1000, Have: 500, move: 10}}, rows: 1000}
	for set := range uint64(4) {
		f.Sets = append(f.Sets, Set{Bits: set, Rows: 250})
	}
	for _, x := range []struct {
		ways assignment
		want int64
	}{
		{assignment{}, 0},
		{assignment{Fixed, Optional}, 2*CostMake + 4*CostMake/8 + 1000*10},
		{assignment{Optional, Optional}, CostMake + 4*CostMake/8 + 1000*10},
	} {
		if got := f.price(&x.ways); got != x.want {
			t.Errorf("%v: %d, want %d", x.ways[:2], got, x.want)
		}
	}
}
