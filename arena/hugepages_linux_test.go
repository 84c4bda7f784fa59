//go:build linux && !race && (amd64 || arm64)

package arena

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
)

// always has the system give huge pages to an arena as if its setting were "always": the
// reservation is advised so before the arena gives advice of its own, which is refused
// if refuse says so.
func always(t *testing.T, o Options, refuse bool) *Arena {
	if !hugePagesAllowed() {
		t.Skip("the system gives no huge pages")
	}
	var a *Arena
	o.Fault = func(c Call) error {
		if c.Op != OpAdvise || c.N != 1 {
			return nil
		}
		if err := sysAdviseHuge(a.mapped.start, a.mapped.bytes); err != nil {
			t.Fatal(err)
		}
		if refuse {
			return errors.New("refused")
		}
		return nil
	}
	a = open(t, o)
	return a
}

func resident(t *testing.T, a *Arena) uint64 {
	t.Helper()
	n, err := a.Resident()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Slots of which a page is touched, and sparse arrays, hold small pages where the system
// gives huge ones unasked; regions of the Huge range do from the eighth slot on.
func TestNoHugePagesUnasked(t *testing.T) {
	touch := func(a *Arena) {
		for _, r := range []Range{Normal, Cold} {
			for range 500 {
				s, err := a.Alloc(r)
				if err != nil {
					t.Fatal(err)
				}
				*(*byte)(a.Base(s)) = 1
			}
		}
		sparse := MakeArray[uint64](a, 1<<24, PurposeSlots)
		if err := sparse.Grow(1<<24 - 1); err != nil {
			t.Fatal(err)
		}
		for i := uint32(0); i < 1<<24; i += 1 << 18 { // 2 MiB apart
			*sparse.Ptr(i) = 1
		}
	}
	page := uint64(os.Getpagesize())
	for _, huge := range []bool{false, true} {
		a := always(t, Options{HugePages: huge}, false)
		touch(a)
		if n := resident(t, a); n > (1000+64)*page {
			t.Errorf("huge=%v: %d KiB are resident of 1,064 touched pages", huge, n>>10)
		}
	}
	a := always(t, Options{}, true)
	touch(a)
	if n := resident(t, a); n < 32<<20 {
		t.Errorf("%d KiB are resident though no advice was given: the test does not emulate what it says", n>>10)
	}
}

// A region of the Huge range begins on small pages and goes over to a huge one with the
// eighth slot; those after it begin so. What slots hold stays.
func TestHugeFromTheEighthSlot(t *testing.T) {
	a := open(t, Options{HugePages: true})
	if !hugePagesAllowed() {
		t.Skip("the system gives no huge pages")
	}
	page := uint64(os.Getpagesize())
	var slots []Slot
	for i := range 2 * SlotsPerRegion {
		s, err := a.Alloc(Huge)
		if err != nil {
			t.Fatal(err)
		}
		mark(a, s)
		slots = append(slots, s)
		got, advised := resident(t, a), a.tables[Huge].regions[i/SlotsPerRegion].advised
		if i+1 < filled && (got > uint64(i+1)*2*page || advised) {
			t.Fatalf("%d slots: %d KiB resident, advised %v", i+1, got>>10, advised)
		}
		if i+1 >= filled && !advised {
			t.Fatalf("%d slots: region %d is not advised", i+1, i/SlotsPerRegion)
		}
	}
	for _, s := range slots {
		if !marked(a, s) {
			t.Fatalf("slot %d lost its contents", s)
		}
	}
	if calls := a.Stats().Calls[OpAdvise]; calls != 4 { // none unasked; region 0, collapsed; region 1
		t.Errorf("%d requests for advice", calls)
	}
	if refused := a.Stats().Refused[OpAdvise]; refused == 0 && resident(t, a) < RegionBytes {
		t.Errorf("%d KiB resident", resident(t, a)>>10)
	}
	for _, s := range slots { // and from small pages again
		a.Free(s)
	}
	if _, err := a.Purge(1 << 40); err != nil {
		t.Fatal(err)
	}
	s, err := a.Alloc(Huge)
	if err != nil {
		t.Fatal(err)
	}
	mark(a, s)
	if got := resident(t, a); got > 2*page {
		t.Errorf("one slot after all were given back: %d KiB resident", got>>10)
	}
	before := a.Stats()
	slots = slots[:0]
	for range 2*SlotsPerRegion - 1 {
		s, err := a.Alloc(Huge)
		if err != nil {
			t.Fatal(err)
		}
		mark(a, s)
		slots = append(slots, s)
	}
	after := a.Stats()
	if n := after.Calls[OpAdvise] - before.Calls[OpAdvise]; n != 2 { // region 0, collapsed; region 1 is advised still
		t.Errorf("%d requests for advice when the range filled again", n)
	}
	if after.Refused[OpAdvise] == 0 && resident(t, a) < 2*RegionBytes {
		t.Errorf("%d KiB resident of two huge pages", resident(t, a)>>10)
	}
	for _, s := range slots[SlotsPerRegion-1:] { // region 1 goes and comes: the range is filled
		a.Free(s)
	}
	if _, err := a.PurgeRegions(1 << 40); err != nil {
		t.Fatal(err)
	}
	if s, err = a.Alloc(Huge); err != nil {
		t.Fatal(err)
	}
	mark(a, s)
	if n := a.Stats().Calls[OpAdvise] - after.Calls[OpAdvise]; n != 0 {
		t.Errorf("%d requests for advice for a region that is advised", n)
	}
}

// mappings counts the kernel's mappings of the reservation.
func mappings(t *testing.T, a *Arena) (n int) {
	text, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skip(err)
	}
	for line := range bytes.Lines(text) {
		from, rest, _ := strings.Cut(string(line), "-")
		to, _, _ := strings.Cut(rest, " ")
		lo, hi := hex(from), hex(to)
		if lo < uint64(uintptr(a.mapped.start))+uint64(a.mapped.bytes) && hi > uint64(uintptr(a.mapped.start)) {
			n++
		}
	}
	return n
}

func hex(s string) (n uint64) {
	for _, c := range s {
		n = n<<4 + uint64(strings.IndexRune("0123456789abcdef", c))
	}
	return n
}

// The kernel's mappings stay few, whatever lies where: they are bounded for a process.
func TestMappings(t *testing.T) {
	a := open(t, Options{HugePages: true, Reserve: 4 << 30})
	if n := mappings(t, a); n > 1 {
		t.Errorf("%d mappings of an empty arena", n)
	}
	for i := range 40 * SlotsPerRegion {
		if _, err := a.Alloc(Range(i % 3)); err != nil {
			t.Fatal(err)
		}
	}
	// Reserved, and per range: one as it is, and one advised; a border each.
	if n := mappings(t, a); n > 8 {
		t.Errorf("%d mappings of three ranges", n)
	}
	arrays := make([]Array[uint64], 10)
	for i := range arrays {
		arrays[i] = MakeArray[uint64](a, 1<<20, PurposeSlots)
		arrays[i].SetDense(i%2 == 0)
		for n := uint32(1); n < 1<<20; n *= 2 {
			if err := arrays[i].Grow(n); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := mappings(t, a); n > 8+3*len(arrays) { // committed, advised, reserved
		t.Errorf("%d mappings with %d arrays", n, len(arrays))
	}
}
