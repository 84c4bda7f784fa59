package arena

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestReserveFor(t *testing.T) {
	const g = 1 << 30
	for _, tt := range []struct {
		what     string
		m        machine
		reserved uint64
		want     uint64
	}{
		{"the first", machine{}, 0, 1024 * g},
		{"the first of a usual machine", machine{physical: 64 * g}, 0, 1024 * g},
		{"the first of a large machine", machine{physical: 2048 * g}, 0, 8192 * g},
		{"the second of a large machine", machine{physical: 2048 * g}, 8191 * g, 8192 * g},
		{"the first of a huge machine", machine{physical: 16384 * g}, 0, 16384 * g},
		{"a large machine whose control group has little", machine{physical: 2048 * g, group: 8 * g}, 0, 1024 * g},
		{"a large machine whose control group has a part", machine{physical: 4096 * g, group: 512 * g}, 0, 2048 * g},
		{"a control group that may have more than there is", machine{physical: 512 * g, group: 4096 * g}, 0, 2048 * g},
		{"the eighth", machine{}, 8191 * g, 1024 * g},
		{"the ninth", machine{}, 8192 * g, 128 * g},
		{"up to a half", machine{physical: 2048 * g}, 32768*g - 1, 128 * g},
		{"from then on", machine{}, 32768 * g, 32 * g},
		{"the rest becomes small", machine{}, 64512 * g, 1 * g},
		{"and is used up", machine{}, 64513 * g, 0},
		{"more than all", machine{}, 1 << 62, 0},
		{"under a limit a half of it", machine{limit: 100 * g, used: 0}, 0, 50 * g},
		{"of what others leave", machine{limit: 100 * g, used: 20 * g}, 0, 40 * g},
		{"a second one under it", machine{limit: 100 * g, used: 60 * g}, 40 * g, 0},
		{"when a smaller one came first", machine{limit: 100 * g, used: 30 * g}, 10 * g, 30 * g},
		{"ulimit -v 600000", machine{limit: 600000 << 10, used: 400000 << 10}, 0, 0},
		{"a limit that is exceeded", machine{limit: 1 * g, used: 2 * g}, 0, 0},
		{"a limit where the use is not known", machine{limit: 1}, 5 * g, 0},
		{"a limit that is larger than what is left", machine{limit: 99 << 40}, 32768 * g, 32 * g},
		{"not a whole number of regions", machine{limit: 4*g + 7*RegionBytes}, 0, 2*g + 2*RegionBytes},
	} {
		if got := reserveFor(tt.m, tt.reserved); got != tt.want {
			t.Errorf("%s: %d MiB, want %d", tt.what, got>>20, tt.want>>20)
		}
	}
}

// However many there are, each is as large as said, and they leave half of the address
// space to others.
func TestReserveForMany(t *testing.T) {
	for _, physical := range []uint64{0, 24 << 30, 3 << 40, 40 << 40} {
		var sum uint64
		for n := 1; n <= 20000; n++ {
			bytes := reserveFor(machine{physical: physical}, sum)
			sum += bytes
			if n == 200 && physical <= 24<<30 && bytes < 128<<30 || n <= 1000 && physical < 1<<40 && bytes < 14<<30 || n <= 3500 && bytes < 1<<30 {
				t.Fatalf("with %d GiB of memory number %d has %d MiB", physical>>30, n, bytes>>20)
			}
			if sum > addressSpace/2 {
				t.Fatalf("with %d GiB of memory %d arenas take %d GiB", physical>>30, n, sum>>30)
			}
		}
	}
}

// The 1,000th arena opens, Go's heap has room, and closed arenas give back.
func TestThousandArenas(t *testing.T) {
	before := reservedInProcess.Load()
	var all []*Arena
	for i := range 1000 {
		a, err := New(Options{SmallPages: true})
		if err != nil {
			t.Fatalf("arena %d: %v", i, err)
		}
		all = append(all, a)
		if s, err := a.Alloc(Normal); err != nil {
			t.Fatalf("arena %d: %v", i, err)
		} else {
			mark(a, s)
		}
		if i == 50 && a.Backend() == Heap {
			break // each has a slab of 2 MiB
		}
	}
	if heap := make([]byte, 128<<20); heap[len(heap)-1] != 0 {
		t.Error("Go's heap has no room")
	}
	if last := all[len(all)-1]; last.Backend() == OS && (last.Stats().Reserved < 10<<30 || last.Stats().Reserved > 32<<30) {
		t.Errorf("the last one reserves %d MiB", last.Stats().Reserved>>20)
	}
	for _, a := range all {
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if after := reservedInProcess.Load(); after != before {
		t.Errorf("%d bytes counted as reserved before, %d after", before, after)
	}
}

// Where the system refuses, an arena takes half of the bytes that it would have granted.
func TestRefusedReservation(t *testing.T) {
	refuse := func(above uint64) func(call) error {
		return func(c call) error {
			if c.op == OpReserve && c.bytes > above {
				return errors.New("too much")
			}
			return nil
		}
	}
	for _, tt := range []struct {
		o       Options
		above   uint64
		backend Backend
		want    uint64
		err     string
	}{
		{o: Options{SmallPages: true}, above: 1 << 33, backend: OS, want: 1 << 32},
		{o: Options{SmallPages: true}, above: 1 << 31, backend: OS, want: 1 << 30},
		{o: Options{SmallPages: true}, above: 1 << 30, backend: Heap},
		{o: Options{SmallPages: true}, above: 0, backend: Heap},
		{o: Options{SmallPages: true, Backend: OS}, above: 0, err: "set Options.Reserve"},
		{o: Options{SmallPages: true, Reserve: 1 << 34}, above: 1 << 33, err: "too much"},
	} {
		var told []string
		tt.o.fault, tt.o.Log = refuse(tt.above), func(text string) { told = append(told, text) }
		if backendForced {
			t.Skip("there is nothing to reserve")
		}
		before := reservedInProcess.Load()
		a, err := New(tt.o)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) || reservedInProcess.Load() != before {
				t.Errorf("%v of at most %d MiB: %v", tt.o.Backend, tt.above>>20, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if a.Backend() != tt.backend || a.Stats().Reserved != tt.want {
			t.Errorf("of at most %d MiB: %v with %d bytes, want %v with %d", tt.above>>20, a.Backend(), a.Stats().Reserved, tt.backend, tt.want)
		}
		if want := tt.backend == Heap; (len(told) == 1 && strings.Contains(told[0], "ulimit -v")) != want || len(told) > 1 {
			t.Errorf("of at most %d MiB: told %q", tt.above>>20, told)
		}
		if s, err := a.Alloc(Huge); err != nil {
			t.Error(err)
		} else {
			mark(a, s)
		}
		if err := a.Close(); err != nil || reservedInProcess.Load() != before {
			t.Error(err, "reserved before and after:", before, reservedInProcess.Load())
		}
	}
}

// However small the reservation, no slot is given out twice: every one keeps its own
// number until all are used, in whatever order the ranges are asked.
func TestSmallReserve(t *testing.T) {
	for reserve := uint64(1); reserve < 24*RegionBytes; reserve += 3 * RegionBytes / 2 {
		both(t, func(t *testing.T, o Options) {
			o.Reserve = reserve
			a := open(t, o)
			all := int(roundReserve(reserve) / 2 / SlotBytes)
			rnd := rand.New(rand.NewPCG(reserve, 1))
			seen := map[Slot]bool{}
			for {
				var s Slot
				var err error
				if r := Range(rnd.IntN(3)); rnd.IntN(4) == 0 {
					ok := false
					if s, ok, err = a.AllocAt(r, uint32(rnd.IntN(all+64))); err == nil && !ok {
						continue
					}
				} else {
					s, err = a.Alloc(r)
				}
				if errors.Is(err, ErrFull) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if seen[s] || int(s) >= all {
					t.Fatalf("slot %d of %d is given out, and was before: %v", s, all, seen[s])
				}
				seen[s] = true
				mark(a, s)
				if err := a.Check(); err != nil {
					t.Fatal(err)
				}
			}
			if len(seen) != all {
				t.Errorf("%d slots of %d were given out", len(seen), all)
			}
			for s := range seen {
				if !marked(a, s) {
					t.Fatalf("slot %d lost its contents", s)
				}
			}
			if _, err := a.Alloc(Normal); err == nil || !strings.Contains(err.Error(), fmt.Sprint(all/SlotsPerRegion, " regions")) {
				t.Errorf("all slots are used: %v", err)
			}
		})
	}
}
