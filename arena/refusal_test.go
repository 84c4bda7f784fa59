package arena

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// A refused request gives empty regions of all ranges back and is made again; the
// rest is refused.
func TestRefusalGivesBack(t *testing.T) {
	for from := range ranges {
		for to := range ranges {
			for _, how := range []string{"limit", "budget", "system", "limit of the heap"} {
				t.Run(fmt.Sprintf("%v for %v/%s", from, to, how), func(t *testing.T) {
					full := false
					o := Options{}
					switch how {
					case "limit":
						o.Limit = 4 * RegionBytes
					case "budget":
						o.Budget = NewBudget(4 * RegionBytes)
					case "limit of the heap":
						o.Limit, o.Backend = 4*RegionBytes, Heap
					case "system":
						var committed uint64 // the system has so much, and no more
						o.fault = func(c call) error {
							switch {
							case c.op == OpCommit && committed+c.bytes > 4*RegionBytes:
								return errors.New("out of memory")
							case c.op == OpCommit:
								committed += c.bytes
							case c.op == OpDecommit:
								committed -= c.bytes
							}
							return nil
						}
					}
					a := open(t, o)
					if how == "system" && a.Backend() == Heap {
						t.Skip("the heap back end asks for nothing")
					}
					var slots []Slot
					for range 4 * SlotsPerRegion {
						s, err := a.Alloc(from)
						if err != nil {
							t.Fatal(err)
						}
						slots = append(slots, s)
					}
					refused := func(when string, err error) {
						t.Helper()
						if full = err != nil; !full || how != "system" && !errors.Is(err, ErrLimit) || how == "system" && !strings.Contains(err.Error(), "out of memory") {
							t.Errorf("%s: %v", when, err)
						}
					}
					_, err := a.Alloc(to)
					refused("nothing is idle", err)
					r := MakeArray[uint64](a, 1<<20, PurposeSlots)
					refused("an array, nothing is idle", r.Grow(0))
					for _, s := range slots[:2*SlotsPerRegion] { // two regions become empty
						a.Free(s)
					}
					s, ok, err := a.AllocAt(to, 4*SlotsPerRegion+7)
					if !ok || err != nil {
						t.Fatalf("a place, two regions idle: %v, %v", ok, err)
					}
					mark(a, s)
					first, second := uint64(4*RegionBytes), uint64(3*RegionBytes)
					if a.byPieces(a.serves(to)) { // one slot counts of a region, and the array has room beside it
						first, second = 3*RegionBytes+SlotBytes, 3*RegionBytes+SlotBytes
						if how == "system" {
							second = 2*RegionBytes + SlotBytes
						}
					}
					if c := a.Stats().committedBy[PurposeChunks]; c != first {
						t.Errorf("%d bytes committed: more was given back than needed", c)
					}
					if err := r.Grow(1 << 16); err != nil {
						t.Fatalf("an array, a region idle: %v", err)
					}
					if c := a.Stats().committedBy[PurposeChunks]; c != second {
						t.Errorf("%d bytes committed to chunks", c)
					}
					*r.Ptr(1 << 16) = 5
					for i := 2 * SlotsPerRegion; i < 3*SlotsPerRegion-1; i++ { // one stays in use
						a.Free(slots[i])
					}
					seen := map[Slot]bool{}
					for range 2*SlotsPerRegion - 2 { // the rest of the two regions, whatever range they are of
						s, err := a.Alloc(to)
						if err != nil || seen[s] {
							t.Fatalf("slot %d after %d, %v: the other ranges have room", s, len(seen), err)
						}
						seen[s] = true
						if err := a.Check(); err != nil {
							t.Fatal(err)
						}
					}
					if *r.Ptr(1 << 16) != 5 || !marked(a, s) {
						t.Error("contents are lost")
					}
				})
			}
		}
	}
}

// A limit that was lowered has all that is idle given back at the next need.
func TestLoweredLimitGivesBack(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		a := open(t, o)
		var slots []Slot
		for range 6 * SlotsPerRegion {
			s, err := a.Alloc(Normal)
			if err != nil {
				t.Fatal(err)
			}
			slots = append(slots, s)
		}
		a.SetLimit(3 * RegionBytes)
		for _, s := range slots[SlotsPerRegion:] {
			a.Free(s)
		}
		if _, ok, err := a.AllocAt(Cold, 0); !ok || err != nil || a.Stats().Committed > 3*RegionBytes {
			t.Errorf("%v, %v, %d bytes committed", ok, err, a.Stats().Committed)
		}
	})
}

// The error of a limit names the call that raises it while the arena is in use.
func TestRaisedLimit(t *testing.T) {
	a := open(t, Options{SmallPages: true, Limit: 2 * RegionBytes})
	_, err := fillUp(t, a, Normal)
	if !errors.Is(err, ErrLimit) || !strings.Contains(err.Error(), "Options.Memory.Arena.Limit") {
		t.Errorf("%v", err)
	}
	a.SetLimit(4 * RegionBytes)
	if _, err := a.Alloc(Normal); err != nil {
		t.Errorf("the limit is twice as high: %v", err)
	}
}

// Regions that the system does not take back are passed over.
func TestRefusedDecommit(t *testing.T) {
	o := Options{SmallPages: true, Limit: 2 * RegionBytes, fault: failNth(OpDecommit, 1)}
	a := open(t, o)
	if a.Backend() == Heap {
		t.Skip("the heap back end asks for nothing")
	}
	slots, _ := fillUp(t, a, Normal)
	for _, s := range slots {
		a.Free(s)
	}
	if _, ok, err := a.AllocAt(Cold, 0); !ok || err != nil {
		t.Errorf("the second region was given back: %v, %v", ok, err)
	}
	a.fault = failFrom(OpDecommit, 1)
	a.SetLimit(a.Stats().Committed)
	if _, ok, err := a.AllocAt(Cold, SlotsPerRegion); ok || !errors.Is(err, ErrLimit) {
		t.Errorf("nothing is given back: %v, %v", ok, err)
	}
	a.fault = nil
}

// Where one region is given back and the next is not, the refused request is made again.
func TestRefusedDecommitAfterAnother(t *testing.T) {
	a := open(t, Options{SmallPages: true})
	if a.Backend() == Heap {
		t.Skip("the heap back end asks for nothing")
	}
	var slots []Slot
	for _, place := range []uint32{0, SlotsPerRegion} {
		s, ok, err := a.AllocAt(Normal, place)
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		slots = append(slots, s)
	}
	for _, s := range slots {
		a.Free(s)
	}
	asked := 0
	a.fault = func(c call) error {
		if c.op == OpDecommit {
			asked++
		}
		if c.op == OpDecommit && asked == 2 || c.op == OpCommit && asked == 0 {
			return errors.New("refused")
		}
		return nil
	}
	r := MakeArray[uint64](a, 1<<20, PurposeSlots)
	if err := r.Grow(1<<19 - 1); err != nil || asked != 2 {
		t.Errorf("an array of 4 MiB: %v, after %d regions were asked back", err, asked)
	}
	a.fault = nil
}

// Refusals of purge, decommit and release come back as they are, name the request,
// and leave the accounting right; the same request succeeds when the system grants it.
func TestRefusalsAreReported(t *testing.T) {
	injected := errors.New("refused by the test")
	refuse := func(a *Arena, op Op) {
		a.fault = func(c call) error {
			if c.op == op {
				return injected
			}
			return nil
		}
	}
	array := func(a *Arena) *Array[uint64] {
		r := MakeArray[uint64](a, 1<<20, PurposeSlots)
		if err := r.Grow(1 << 16); err != nil {
			t.Fatal(err)
		}
		*r.Ptr(1 << 15) = 1 // a page that is there, and empty again
		*r.Ptr(1 << 15) = 0
		return &r
	}
	for _, tt := range []struct {
		what string
		op   Op
		do   func(a *Arena, r *Array[uint64]) (uint64, error)
		says string
		all  uint64 // bytes freed at least, when it is granted
	}{
		{"regions", OpDecommit, func(a *Arena, _ *Array[uint64]) (uint64, error) { return a.PurgeRegions(1 << 40) }, "purging a region", SlotBytes},
		{"regions by Purge", OpDecommit, func(a *Arena, _ *Array[uint64]) (uint64, error) { return a.Purge(1 << 40) }, "purging a region", 2 * SlotBytes},
		{"slots", OpPurge, func(a *Arena, _ *Array[uint64]) (uint64, error) { return a.Purge(1 << 40) }, "purging slots", SlotBytes},
		{"a part of a slot", OpPurge, func(a *Arena, _ *Array[uint64]) (uint64, error) { return a.PurgePart(0, 0, 1<<12) }, "purging a part", 1 << 12},
		{"an array", OpPurge, func(a *Arena, r *Array[uint64]) (uint64, error) {
			return r.Purge(func(lo, hi uint32) bool { return lo > 0 })
		}, "purging an array", arrayStep},
		{"a tidied array", OpPurge, func(a *Arena, r *Array[uint64]) (uint64, error) {
			_, freed, err := r.Tidy(1<<15, 1<<12)
			return freed, err
		}, "tidying an array", 1 << 12},
		{"a freed array", OpDecommit, func(a *Arena, r *Array[uint64]) (uint64, error) { return 0, r.Free() }, "freeing an array", 0},
		{"the reservation", OpRelease, func(a *Arena, r *Array[uint64]) (uint64, error) { return 0, a.Close() }, "releasing the reservation", 0},
	} {
		t.Run(tt.what, func(t *testing.T) {
			a := open(t, Options{SmallPages: true})
			if a.Backend() == Heap {
				t.Skip("the heap back end asks for nothing")
			}
			for _, place := range []uint32{0, 1, SlotsPerRegion} { // 0 stays, 1 and the region of the last become idle
				if _, ok, err := a.AllocAt(Normal, place); !ok || err != nil {
					t.Fatal(ok, err)
				}
			}
			a.Free(1)
			a.Free(SlotsPerRegion)
			mark(a, 0)
			r := array(a)
			before := a.Stats()
			if tt.op == OpPurge && strings.HasPrefix(tt.says, "purging slots") { // the region before it is given back
				if _, err := a.PurgeRegions(1 << 40); err != nil {
					t.Fatal(err)
				}
				before = a.Stats()
			}
			refuse(a, tt.op)
			freed, err := tt.do(a, r)
			if !errors.Is(err, injected) || !strings.Contains(err.Error(), tt.says) || freed != 0 {
				t.Errorf("refused: %d, %v; want what the system said, with %q", freed, err, tt.says)
			}
			after := a.Stats()
			if after.refused[tt.op] != 1 {
				t.Errorf("%d refusals counted", after.refused[tt.op])
			}
			before.calls, before.refused = after.calls, after.refused
			if before != after || !marked(a, 0) {
				t.Errorf("a refusal changed\n%+v to\n%+v", before, after)
			}
			if err := a.Check(); err != nil {
				t.Error(err)
			}
			a.fault = nil
			if freed, err = tt.do(a, r); err != nil || freed < tt.all {
				t.Errorf("granted: %d, %v; want at least %d", freed, err, tt.all)
			}
		})
	}
}

// Whatever is refused at random, and however often, the accounting balances after each
// step, contents stay, and every refusal is absorbed or comes back.
func TestRandomRefusals(t *testing.T) {
	for seed := range uint64(12) {
		rnd := rand.New(rand.NewPCG(seed, 11))
		often := 2 + rnd.IntN(20)
		o := Options{SmallPages: seed%2 != 0, Limit: uint64(rnd.IntN(8)) * 3 << 20, Reserve: 64 << 20, fault: func(c call) error {
			if c.op != OpReserve && c.op != OpRelease && rnd.IntN(often) == 0 {
				return errors.New("refused at random")
			}
			return nil
		}}
		if seed%3 == 0 {
			o.Budget = NewBudget(7 << 20)
		}
		a := open(t, o)
		r := MakeArray[uint64](a, 1<<20, PurposeSlots)
		model := map[uint32]uint64{}
		var live []Slot
		for step := range 3000 {
			switch k := rnd.IntN(16); {
			case k < 6:
				if s, err := a.Alloc(Range(rnd.IntN(3))); err == nil {
					mark(a, s)
					live = append(live, s)
				}
			case k < 7:
				if s, ok, err := a.AllocAt(Range(rnd.IntN(3)), uint32(rnd.IntN(200))); ok && err == nil {
					mark(a, s)
					live = append(live, s)
				}
			case k < 11 && len(live) > 0:
				i := rnd.IntN(len(live))
				if !marked(a, live[i]) {
					t.Fatalf("seed %d, step %d: slot %d lost its contents", seed, step, live[i])
				}
				a.Free(live[i])
				live[i] = live[len(live)-1]
				live = live[:len(live)-1]
			case k < 13:
				if i := uint32(rnd.IntN(1 << (4 + rnd.IntN(14)))); r.Grow(i) == nil {
					*r.Ptr(i), model[i] = uint64(i)+1, uint64(i)+1
				}
			case k == 13 && rnd.IntN(4) == 0:
				if r.Free() == nil {
					clear(model)
				}
			case k == 14 && rnd.IntN(4) == 0:
				for _, s := range live {
					a.Free(s)
				}
				live = live[:0]
			case k == 15:
				_, _ = a.Purge(uint64(rnd.IntN(64)) * SlotBytes)
			}
			if err := a.Check(); err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, step, err)
			}
			if o.Limit != 0 && a.Stats().Committed > o.Limit || o.Budget != nil && o.Budget.Used() != a.Stats().Committed {
				t.Fatalf("seed %d, step %d: %d bytes committed under a limit of %d", seed, step, a.Stats().Committed, o.Limit)
			}
		}
		for i, v := range model {
			if r.Load(i) != v {
				t.Fatalf("seed %d: element %d is %d, want %d", seed, i, r.Load(i), v)
			}
		}
		a.fault = nil
	}
}
