package arena

import (
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

// fillUp takes slots of a range until it is refused.
func fillUp(t *testing.T, a *Arena, r Range) (slots []Slot, err error) {
	t.Helper()
	for {
		s, err := a.Alloc(r)
		if err != nil {
			if !errors.Is(err, ErrLimit) && !errors.Is(err, ErrFull) {
				t.Fatal(err)
			}
			return slots, err
		}
		mark(a, s)
		slots = append(slots, s)
	}
}

// Two arenas share a budget: bytes that one gives back, in whatever way, the other gets.
func TestBudget(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		b := NewBudget(4*RegionBytes + 64<<10)
		o.Budget = b
		x, y := open(t, o), open(t, o)
		r := MakeArray[uint64](y, 1<<20, PurposeSlots)
		if err := r.Grow(SlotBytes/8 - 1); err != nil {
			t.Fatal(err)
		}
		slots, err := fillUp(t, x, Normal)
		if len(slots) != 4*SlotsPerRegion || !strings.Contains(err.Error(), "shared Options.Budget are taken, ") || !strings.Contains(err.Error(), " more wanted; Purge of another world or manager gives back") || !strings.Contains(err.Error(), "only a new Budget can be larger") {
			t.Fatalf("%d slots, then %v", len(slots), err)
		}
		if b.Used() != 4*RegionBytes+64<<10 || b.Limit() != b.Used() {
			t.Errorf("%d of %d used", b.Used(), b.Limit())
		}
		if _, err := y.Alloc(Normal); !errors.Is(err, ErrLimit) || y.Stats().Committed != SlotBytes {
			t.Errorf("the other arena: %v, %d committed", err, y.Stats().Committed)
		}
		if err := r.Grow(SlotBytes / 8); !errors.Is(err, ErrLimit) {
			t.Errorf("behind the last: %v", err)
		}
		if err := r.Free(); err != nil {
			t.Fatal(err)
		}
		for _, s := range slots[:SlotsPerRegion] {
			x.Free(s)
		}
		if _, err := x.PurgeRegions(RegionBytes); err != nil {
			t.Fatal(err)
		}
		one := uint64(SlotBytes)
		if y.Backend() == Heap {
			one = RegionBytes
		}
		if _, err := y.Alloc(Normal); err != nil || b.Used() != 3*RegionBytes+one {
			t.Errorf("after a purge of the first: %v, %d used", err, b.Used())
		}
		if err := x.Close(); err != nil || b.Used() != one {
			t.Errorf("closed: %v, %d used", err, b.Used())
		}
		if err := errors.Join(x.Close(), y.Close()); err != nil || b.Used() != 0 {
			t.Errorf("all closed: %v, %d used", err, b.Used())
		}
	})
}

func TestBudgetTable(t *testing.T) {
	for _, tt := range []struct {
		limit, used, bytes uint64
		ok                 bool
	}{
		{0, 1 << 40, 1, true},
		{10, 0, 10, true},
		{10, 0, 11, false},
		{10, 9, 1, true},
		{10, 10, 0, true},
		{10, 10, 1, false},
		{10, 5, ^uint64(0), false},
	} {
		b := NewBudget(tt.limit)
		b.used.Store(tt.used)
		want := tt.used
		if tt.ok {
			want += tt.bytes
		}
		if ok := b.take(tt.bytes); ok != tt.ok || b.Used() != want {
			t.Errorf("%+v: %v, %d used", tt, ok, b.Used())
		}
	}
}

// Arenas on several goroutines never take more than the budget together, and in the end
// it is all there.
func TestBudgetShared(t *testing.T) {
	b := NewBudget(6 * RegionBytes)
	var wg sync.WaitGroup
	var arenas []*Arena
	for range 4 {
		arenas = append(arenas, open(t, Options{SmallPages: true, Budget: b}))
	}
	for n, a := range arenas {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(n), 9))
			r := MakeArray[uint64](a, 1<<20, PurposeSlots)
			var live []Slot
			for range 2000 {
				if s, err := a.Alloc(Range(rnd.IntN(3))); err == nil {
					live = append(live, s)
				} else if !errors.Is(err, ErrLimit) {
					t.Error(err)
					return
				}
				if err := r.Grow(uint32(rnd.IntN(1 << 17))); err != nil && !errors.Is(err, ErrLimit) {
					t.Error(err)
				}
				if used := b.Used(); used > b.Limit() {
					t.Errorf("%d of %d used", used, b.Limit())
				}
				if rnd.IntN(40) == 0 {
					for _, s := range live {
						a.Free(s)
					}
					live = live[:0]
					if _, err := a.Purge(uint64(rnd.IntN(8)) * RegionBytes); err != nil {
						t.Error(err)
					}
					if err := r.Free(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	var sum uint64
	for _, a := range arenas {
		sum += a.Stats().Committed
	}
	if sum != b.Used() || sum == 0 {
		t.Errorf("%d bytes committed, %d used of the budget", sum, b.Used())
	}
	for _, a := range arenas {
		if err := errors.Join(a.Check(), a.Close()); err != nil {
			t.Error(err)
		}
	}
	if b.Used() != 0 {
		t.Errorf("%d used after Close", b.Used())
	}
}

// A limit that is no multiple of a region is usable to its last 64 KiB, by arrays.
func TestLimitToTheLastUnit(t *testing.T) {
	for _, first := range []uint32{0, arrayStep / 8, 4 * arrayStep / 8} {
		o := Options{SmallPages: true, Limit: 2*RegionBytes + 5*arrayStep + 100}
		a := open(t, o)
		r := MakeArray[uint64](a, 1<<20, PurposeSlots)
		if err := r.Grow(max(first, 1) - 1); err != nil {
			t.Fatal(err)
		}
		for range 2 * SlotsPerRegion {
			if _, err := a.Alloc(Normal); err != nil {
				t.Fatal(err)
			}
		}
		var err error
		for i := uint32(0); err == nil; i += PageLen {
			err = r.Grow(i)
		}
		if rest := o.Limit - a.Stats().Committed; !errors.Is(err, ErrLimit) || rest >= arrayStep {
			t.Errorf("%d elements first: %v with %d bytes of the limit left", first, err, rest)
		}
	}
}

// Idle memory stays where it is less than the missing bytes: a request that is refused after all
// costs no request to the system, and positions are taken again as they are.
func TestRefusalKeepsIdle(t *testing.T) {
	for _, shared := range []bool{false, true} {
		o := Options{SmallPages: true, Limit: 2 * RegionBytes}
		if shared {
			o = Options{SmallPages: true, Budget: NewBudget(2 * RegionBytes)}
		}
		a := open(t, o)
		first := takeStriped(t, a, Normal, 0, 1, 2)
		fillUp(t, a, Normal)
		a.Free(first + 1)
		before := a.Stats()
		if _, err := a.AllocRun(Normal, 4); !errors.Is(err, ErrLimit) {
			t.Fatal(err)
		}
		r := MakeArray[byte](a, 1<<30, PurposeSlots)
		if err := r.Grow(8 << 20); !errors.Is(err, ErrLimit) {
			t.Fatal(err)
		}
		if after := a.Stats(); after != before {
			t.Errorf("shared: %v: a refusal changed\n%+v to\n%+v", shared, before, after)
		}
		if err := a.Take(first + 1); err != nil {
			t.Error(err)
		}
		if err := a.Check(); err != nil {
			t.Error(err)
		}
	}
}
