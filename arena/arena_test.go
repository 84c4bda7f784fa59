package arena

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
)

// open makes an arena and, at the end of the test, checks and closes it.
func open(t testing.TB, o Options) *Arena {
	t.Helper()
	if o.Reserve == 0 {
		o.Reserve = 1 << 30
	}
	a, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Check(); err != nil {
			t.Error(err)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// both runs a test on each back end.
func both(t *testing.T, f func(t *testing.T, o Options)) {
	for _, o := range []Options{{SmallPages: true}, {}, {SmallPages: true, Backend: Heap}} {
		t.Run(fmt.Sprintf("%v/huge=%v", o.Backend, !o.SmallPages), func(t *testing.T) { f(t, o) })
	}
}

func regions(a *Arena) (all []RegionInfo) {
	for r := range a.Regions() {
		all = append(all, r)
	}
	return all
}

func TestSlotStates(t *testing.T) {
	type masks struct{ free, committed, dirty, quarantined uint32 }
	steps := []struct {
		name string
		do   func(a *Arena)
		want masks
	}{
		{"alloc", func(a *Arena) { a.Alloc(Normal) }, masks{^uint32(1), ^uint32(0), 1, 0}},
		{"alloc again", func(a *Arena) { a.Alloc(Normal) }, masks{^uint32(3), ^uint32(0), 3, 0}},
		{"quarantine the first", func(a *Arena) { a.Quarantine(0) }, masks{^uint32(3), ^uint32(0), 3, 1}},
		{"alloc skips it", func(a *Arena) { a.Alloc(Normal) }, masks{^uint32(7), ^uint32(0), 7, 1}},
		{"free the quarantined", func(a *Arena) { a.Free(0) }, masks{^uint32(6), ^uint32(0), 7, 0}},
		{"alloc takes the dirty one", func(a *Arena) { a.Alloc(Normal) }, masks{^uint32(7), ^uint32(0), 7, 0}},
		{"free the middle", func(a *Arena) { a.Free(1) }, masks{^uint32(5), ^uint32(0), 7, 0}},
	}
	both(t, func(t *testing.T, o Options) {
		a := open(t, o)
		for _, s := range steps {
			s.do(a)
			r := regions(a)[0]
			if a.Backend() == OS { // slots count one by one
				s.want.committed = s.want.dirty
			}
			if got := (masks{r.Free, r.Committed, r.Dirty, r.Quarantined}); got != s.want {
				t.Fatalf("%s: got %032b, want %032b", s.name, got, s.want)
			}
			if err := a.Check(); err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
		}
		freed, err := a.Purge(1 << 30)
		r := regions(a)[0]
		if a.Backend() == OS && (err != nil || freed != SlotBytes || r.Dirty != 5) {
			t.Errorf("purge of one slot: %d, %v, dirty %b", freed, err, r.Dirty)
		}
		a.Free(0)
		a.Free(2)
		if _, err = a.Purge(1 << 30); err != nil {
			t.Error(err)
		}
		if r := regions(a)[0]; r.Committed != 0 || r.Dirty != 0 || a.Stats().Committed != 0 {
			t.Errorf("purge of a free region: committed %b, dirty %b", r.Committed, r.Dirty)
		}
		if s, err := a.Alloc(Normal); err != nil || s != 0 {
			t.Errorf("alloc after purge: %d, %v", s, err)
		}
	})
}

func TestBrokenContracts(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		a := open(t, o)
		s, err := a.Alloc(Normal)
		if err != nil {
			t.Fatal(err)
		}
		a.Free(s)
		const gone = "which is not in use: it was freed before, or is another arena's"
		panicsWith(t, "arena: Free of slot 0, "+gone, func() { a.Free(s) })
		panicsWith(t, "arena: Free of slot 999, "+gone, func() { a.Free(s + 999) })
		panicsWith(t, "arena: Quarantine of slot 0, "+gone, func() { a.Quarantine(s) })
		s, _ = a.Alloc(Normal)
		a.Quarantine(s)
		panicsWith(t, "arena: Quarantine of slot 0, which is in quarantine already", func() { a.Quarantine(s) })
	})
}

func TestRangesGrowTowardsEachOther(t *testing.T) {
	a := open(t, Options{Reserve: 8 * RegionBytes})
	n, err := a.Alloc(Normal)
	h, err2 := a.Alloc(Huge)
	if n != 0 || h != 3*SlotsPerRegion || err != nil || err2 != nil {
		t.Fatalf("first slots %d and %d, %v %v", n, h, err, err2)
	}
	seen := map[Slot]bool{n: true, h: true}
	for i := range 4*SlotsPerRegion - 2 {
		s, err := a.Alloc(Range(i % 2))
		if err != nil || seen[s] {
			t.Fatalf("slot %d of %d: %d, %v, seen %v", i, 4*SlotsPerRegion, s, err, seen[s])
		}
		seen[s] = true
	}
	if _, err := a.Alloc(Huge); !errors.Is(err, ErrFull) {
		t.Errorf("got %v, want ErrFull", err)
	}
}

func TestLimit(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		o.Limit = 2 * RegionBytes
		a := open(t, o)
		var slots []Slot
		for {
			s, err := a.Alloc(Normal)
			if err != nil {
				if !errors.Is(err, ErrLimit) {
					t.Fatal(err)
				}
				break
			}
			slots = append(slots, s)
		}
		if len(slots) != 2*SlotsPerRegion || a.Stats().Committed != o.Limit {
			t.Errorf("%d slots, %d bytes committed under a limit of %d", len(slots), a.Stats().Committed, o.Limit)
		}
		r := MakeArray[uint64](a, 1<<20, PurposeSlots)
		if err := r.Grow(5); !errors.Is(err, ErrLimit) {
			t.Errorf("an array grew past the limit: %v", err)
		}
		for _, s := range slots {
			a.Free(s)
		}
		if _, err := a.Purge(RegionBytes); err != nil {
			t.Fatal(err)
		}
		if err := r.Grow(5); err != nil {
			t.Errorf("no room after a purge: %v", err)
		}
	})
}

// Whatever request is refused, the caller has an error, accounting balances, and
// going on works.
func TestFaults(t *testing.T) {
	injected := errors.New("refused")
	for op := range ops {
		for n := 1; n < 40; n++ {
			hits := 0
			a, err := New(Options{Reserve: 1 << 30, fault: func(c call) error {
				if c.op == op && c.n == n {
					hits++
					return injected
				}
				return nil
			}})
			if a != nil && a.Backend() != OS {
				a.Close()
				t.Skip("the heap back end asks the operating system for nothing")
			}
			if err != nil {
				if op != OpReserve || !errors.Is(err, injected) {
					t.Fatalf("%v %d: New: %v", op, n, err)
				}
				continue
			}
			r := MakeArray[uint64](a, 1<<22, PurposeEntities)
			var live []Slot
			var errs []error
			for i := range 200 {
				s, err := a.Alloc(Range(i % 2))
				if err == nil {
					live = append(live, s)
					a.Fill(s, byte(i))
				}
				errs = append(errs, err, r.Grow(uint32(i)*20000))
				if i%3 == 0 && len(live) > 1 {
					a.Free(live[0])
					live = live[1:]
				}
				if i%50 == 49 {
					for _, s := range live {
						a.Free(s)
					}
					live = live[:0]
					_, err := a.Purge(1 << 30)
					_, err2 := r.Purge(func(lo, hi uint32) bool { return true })
					errs = append(errs, err, err2)
				}
				if err := a.Check(); err != nil {
					t.Fatalf("%v %d: %v", op, n, err)
				}
			}
			errs = append(errs, r.Free())
			err = errors.Join(errs...)
			for range 2 { // a refused release can be asked for again
				errClose := a.Close()
				err = errors.Join(err, errClose)
			}
			if !a.closed {
				t.Fatalf("%v %d: not closed", op, n)
			}
			absorbed := op == OpAdvise || op == OpCommit // an array asks for less
			if got := errors.Is(err, injected); got && hits == 0 || !got && hits > 0 && !absorbed {
				t.Fatalf("%v %d: refused %d times, reported: %v", op, n, hits, err)
			}
			if hits == 0 {
				break
			}
		}
	}
}

func TestClosed(t *testing.T) {
	a, err := New(Options{SmallPages: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(a.Close(), a.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Alloc(Normal); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
	r := MakeArray[uint64](a, 10, PurposeSlots)
	if err := r.Grow(0); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
}

// A stream of commands against a map: every slot in use keeps its own number.
func commands(t *testing.T, o Options, next func(int) int, n int) {
	a := open(t, o)
	type use struct{ quarantined bool }
	model := map[Slot]*use{}
	var order []Slot
	for range n {
		switch k := next(8); {
		case k < 4:
			s, err := a.Alloc(Range(next(2)))
			if err != nil {
				t.Fatal(err)
			}
			if model[s] != nil {
				t.Fatalf("slot %d was handed out twice", s)
			}
			model[s] = &use{}
			order = append(order, s)
			mark(a, s)
		case k < 7 && len(order) > 0:
			i := next(len(order))
			s := order[i]
			if !marked(a, s) {
				t.Fatalf("slot %d lost its contents", s)
			}
			if k == 4 && !model[s].quarantined {
				a.Quarantine(s)
				model[s].quarantined = true
				continue
			}
			a.Free(s)
			delete(model, s)
			order[i] = order[len(order)-1]
			order = order[:len(order)-1]
		default:
			if _, err := a.Purge(uint64(next(64)) * SlotBytes); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.Check(); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range order {
		if !marked(a, s) {
			t.Fatalf("slot %d lost its contents", s)
		}
	}
}

func TestCommands(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		for seed := range uint64(8) {
			commands(t, o, rand.New(rand.NewPCG(seed, 3)).IntN, 1500)
		}
	})
}

// M1: Slots are taken and freed in any order, and no two users share one.
func FuzzSlots(f *testing.F) {
	f.Add([]byte{0, 1, 4, 5, 7, 9})
	f.Fuzz(func(t *testing.T, data []byte) {
		data = data[:min(len(data), 2000)]
		for _, b := range []Backend{OS, Heap} {
			at := 0
			commands(t, Options{Backend: b}, func(n int) int {
				if at >= len(data) {
					return 0
				}
				at++
				return int(data[at-1]) % n
			}, len(data)/2)
		}
	})
}

func TestNextCommit(t *testing.T) {
	const k, m = 1 << 10, 1 << 20
	for _, tt := range []struct{ committed, want, lead, max, next uint64 }{
		{0, 8, 2 * m, 1 << 30, 64 * k},
		{0, 100 * k, 2 * m, 1 << 30, 128 * k},
		{64 * k, 65 * k, 2 * m, 1 << 30, 128 * k},
		{m, m + 8, 2 * m, 1 << 30, 2 * m},
		{2 * m, 2*m + 8, 2 * m, 1 << 30, 4 * m},
		{8 * m, 8*m + 8, 2 * m, 1 << 30, 10 * m},
		{8 * m, 50*m + 8, 2 * m, 1 << 30, 52 * m},
		{8 * m, 8*m + 8, 2 * m, 9 * m, 9 * m},
		{0, 100 * k, 128 * k, 1 << 30, 128 * k},
		{128 * k, 130 * k, 128 * k, 1 << 30, 2*m + 128*k},
		{m, m + 8, m + 512*k, 1 << 30, 3*m + 512*k},
		{0, 5 * m, m, 1 << 30, 5 * m},
	} {
		if got := nextCommit(tt.committed, tt.want, tt.lead, tt.max); got != tt.next {
			t.Errorf("%+v: got %d", tt, got)
		}
	}
}

func TestArrays(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		a := open(t, o)
		r := MakeArray[uint64](a, 1<<22, PurposeSlots)
		if r.Load(7) != 0 || r.Ptr(7) != nil || r.Len() != 0 || len(r.Span(0)) != 0 {
			t.Error("an empty array is not empty")
		}
		model := map[uint32]uint64{}
		rnd := rand.New(rand.NewPCG(1, 1))
		for range 3000 {
			i := uint32(rnd.IntN(1 << (3 + rnd.IntN(20))))
			if i >= 1<<22 {
				if err := r.Grow(i); !errors.Is(err, ErrFull) {
					t.Fatalf("element %d: %v", i, err)
				}
				continue
			}
			if err := r.Grow(i); err != nil {
				t.Fatal(err)
			}
			if *r.Ptr(i) != model[i] || r.Load(i) != model[i] || r.Span(i)[0] != model[i] {
				t.Fatalf("element %d: %d, want %d", i, r.Load(i), model[i])
			}
			*r.Ptr(i), model[i] = uint64(i)+1, uint64(i)+1
		}
		if r.Reserved() != (a.Backend() == OS) {
			t.Errorf("in reserved space: %v", r.Reserved())
		}
		for i := range uint32(1 << 20) { // unwritten elements read as zero
			if r.Load(i) != model[i] {
				t.Fatalf("element %d: %d, want %d", i, r.Load(i), model[i])
			}
		}
		// Purge the empty pieces, and then pieces made empty.
		empty := func(lo, hi uint32) bool {
			for i := lo; i < hi; i++ {
				if model[i] != 0 {
					return false
				}
			}
			return true
		}
		if _, err := r.Purge(empty); err != nil {
			t.Fatal(err)
		}
		for i := range model {
			if i >= 1<<16 {
				delete(model, i)
				*r.Ptr(i) = 0
			}
		}
		freed, err := r.Purge(empty)
		if err != nil || freed == 0 {
			t.Errorf("purged %d bytes, %v", freed, err)
		}
		for i := range uint32(1 << 18) {
			if r.Load(i) != model[i] {
				t.Fatalf("after the purge, element %d: %d, want %d", i, r.Load(i), model[i])
			}
		}
		if err := r.Grow(1 << 21); err != nil {
			t.Fatal(err)
		}
		if err := r.Free(); err != nil || r.Load(3) != 0 || r.Len() != 0 {
			t.Errorf("freed: %v, %d elements", err, r.Len())
		}
		if err := r.Grow(3); err != nil || r.Load(3) != 0 {
			t.Errorf("grown again: %v, %d", err, r.Load(3))
		}
	})
}

// The maximum holds to the element, whatever sizes are rounded to.
func TestArrayMaximum(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		r := MakeArray[uint64](open(t, o), 600, PurposeSlots)
		if err := r.Grow(599); err != nil {
			t.Fatal(err)
		}
		if r.Ptr(599) == nil || r.Ptr(600) != nil || r.Len() != 600 || !errors.Is(r.Grow(600), ErrFull) {
			t.Errorf("%d elements, number 600 at %p", r.Len(), r.Ptr(600))
		}
	})
}

func BenchmarkNewClose(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		a, err := New(Options{SmallPages: true})
		if err != nil {
			b.Fatal(err)
		}
		a.Close()
	}
}

func BenchmarkAllocFree(b *testing.B) {
	a, err := New(Options{SmallPages: true})
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close()
	for b.Loop() {
		s, _ := a.Alloc(Normal)
		a.Free(s)
	}
}

// failNth returns a function for Options.fault that refuses the n-th request of
// the given kind and grants all others.
func failNth(op Op, n int) func(call) error {
	return func(c call) error {
		if c.op == op && c.n == n {
			return fmt.Errorf("injected: %v %d", op, n)
		}
		return nil
	}
}

// failFrom returns a function for Options.fault that refuses the n-th and every
// later request of the given kind.
func failFrom(op Op, n int) func(call) error {
	return func(c call) error {
		if c.op == op && c.n >= n {
			return fmt.Errorf("injected: %v from %d", op, n)
		}
		return nil
	}
}
