package arena

import (
	"strings"
	"testing"
)

// Check names the fault: each count and bit is broken on purpose.
func TestCheckNames(t *testing.T) {
	region := func(a *Arena) *region { return &a.tables[Normal].regions[0] }
	const idle, live, quarantined = 4, 0, 1 // slots by their state
	for _, tt := range []struct {
		what string
		do   func(a *Arena)
		want string
	}{
		{"a slot quarantined and free", func(a *Arena) { region(a).quarantined |= 1 << idle }, "quarantined and free"},
		{"a slot in use and not committed", func(a *Arena) { region(a).committed &^= 1 << live }, "in use and not committed"},
		{"a slot in use and not dirty", func(a *Arena) { region(a).dirty &^= 1 << live }, "in use and not dirty"},
		{"a slot dirty and not committed", func(a *Arena) { region(a).committed &^= 1 << idle }, "dirty and not committed"},
		{"a slot given out and not counted", func(a *Arena) {
			region(a).free &^= 1 << 9
			region(a).dirty |= 1 << 9
			region(a).committed |= 1 << 9
		}, "live"},
		{"a slot dirty and not counted", func(a *Arena) { region(a).dirty |= 1 << 9; region(a).committed |= 1 << 9 }, "accounted"},
		{"live", func(a *Arena) { a.stats.Live += SlotBytes }, "live"},
		{"quarantined", func(a *Arena) { a.stats.Quarantined += SlotBytes }, "quarantined"},
		{"a slot out of quarantine", func(a *Arena) { region(a).quarantined = 0; a.stats.Live += SlotBytes }, "quarantined"},
		{"idle", func(a *Arena) { a.stats.Idle -= SlotBytes }, "idle:"},
		{"idle regions", func(a *Arena) { a.stats.idleRegions += SlotBytes }, "idle regions"},
		{"dirty chunks", func(a *Arena) { a.stats.dirtyBy[PurposeChunks] += SlotBytes; a.stats.Dirty += SlotBytes }, "dirty chunks"},
		{"committed chunks", func(a *Arena) { a.stats.committedBy[PurposeChunks] += 1; a.stats.Committed += 1 }, "committed chunks"},
		{"committed", func(a *Arena) { a.stats.Committed++ }, "committed:"},
		{"dirty", func(a *Arena) { a.stats.Dirty++; a.stats.Live++ }, "dirty:"},
		{"reserved", func(a *Arena) { a.stats.Reserved = a.stats.Committed - 1 }, "exceeds reserved"},
		{"dirty beyond committed", func(a *Arena) {
			a.stats.committedBy[PurposeSlots]--
			a.stats.Committed = sum(a.stats.committedBy)
			a.stats.dirtyBy[PurposeSlots] = a.stats.committedBy[PurposeSlots] + 3<<20
			a.stats.Live += sum(a.stats.dirtyBy) - a.stats.Dirty
			a.stats.Dirty = sum(a.stats.dirtyBy)
		}, "exceeds committed"},
		{"an array beyond its piece", func(a *Arena) { a.extents[0].committed = a.extents[0].bytes + 1 }, "bytes committed of"},
		{"a piece that was not carved", func(a *Arena) { a.carved = 0 }, "are carved in all"},
		{"arrays and what they hold", func(a *Arena) { a.extents[0].committed -= 4096 }, "arrays"},
		{"the budget", func(a *Arena) { a.budget.give(1) }, "of the budget"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			a, err := New(Options{SmallPages: true, Reserve: 64 << 20, Budget: NewBudget(0)})
			if err != nil {
				t.Fatal(err)
			}
			r := MakeArray[uint64](a, 1000, PurposeSlots)
			if err := r.Grow(1); err != nil {
				t.Fatal(err)
			}
			for range 5 {
				if _, err := a.Alloc(Normal); err != nil {
					t.Fatal(err)
				}
			}
			a.Free(idle)
			a.Quarantine(quarantined)
			if strings.Contains(tt.what, "array") || strings.Contains(tt.what, "piece") {
				if a.Backend() == Heap {
					a.Close()
					t.Skip("arrays are Go slices")
				}
			}
			if err := a.Check(); err != nil {
				t.Fatal(err)
			}
			kept := *a
			tables := region(a)
			was := *tables
			extents := append([]extent(nil), a.extents...)
			tt.do(a)
			if err := a.Check(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Check says %v, want %q", err, tt.want)
			}
			a.stats, a.carved = kept.stats, kept.carved
			*tables = was
			a.extents = extents
			a.budget.used.Store(a.stats.Committed)
			if err := a.Check(); err != nil {
				t.Fatal(err)
			}
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// Statistics go back to where they were when all is freed and given back, by purpose.
func TestStatisticsGoBack(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		o.Limit, o.Budget = 16<<20, NewBudget(16<<20)
		a := open(t, o)
		before := a.Stats()
		for round := range int(purposes) - 1 {
			var slots []Slot
			for i := range 100 {
				s, err := a.Alloc(Range(i % 3))
				if err != nil {
					t.Fatalf("round %d: %v", round, err)
				}
				slots = append(slots, s)
			}
			r := MakeArray[uint64](a, 1<<16, Purpose(1+round))
			if err := r.Grow(1<<16 - 1); err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
			if st := a.Stats(); st.Live == 0 || st.committedBy[1+round] == 0 || st.dirtyBy[1+round] != st.committedBy[1+round] || o.Budget.Used() != st.Committed {
				t.Errorf("in use: %+v, %d of the budget", st, o.Budget.Used())
			}
			for i, s := range slots {
				if i%2 == 0 {
					a.Quarantine(s)
				}
				a.Free(s)
			}
			if err := r.Free(); err != nil {
				t.Fatal(err)
			}
			if _, err := a.Purge(1 << 40); err != nil {
				t.Fatal(err)
			}
			after := a.Stats()
			after.calls, after.refused = before.calls, before.refused
			if before != after || o.Budget.Used() != 0 {
				t.Errorf("round %d: %+v, %d of the budget; before %+v", round, after, o.Budget.Used(), before)
			}
			if err := a.Check(); err != nil {
				t.Error(err)
			}
		}
	})
}
