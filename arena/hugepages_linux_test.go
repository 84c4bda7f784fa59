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
		t.Skip("the system gives no huge pages; calls of OpAdvise are counted in every build")
	}
	var a *Arena
	o.fault = func(c call) error {
		if c.op != OpAdvise || c.n != 1 {
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
// gives huge ones unasked.
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
		a := always(t, Options{SmallPages: !huge}, false)
		touch(a)
		if n := resident(t, a); n > (1000+64)*page {
			t.Errorf("huge=%v: %d KiB are resident of 1,064 touched pages", huge, n>>10)
		}
	}
	a := always(t, Options{SmallPages: true}, true)
	touch(a)
	if n := resident(t, a); n < 32<<20 {
		t.Errorf("%d KiB are resident though no advice was given: the test does not emulate what it says", n>>10)
	}
}

// A region of the Huge range is advised once, when it is opened, whether its slots are
// handed out one by one or in stripes; so is one that comes again.
func TestHugeRegionsAreAdvised(t *testing.T) {
	a := open(t, Options{})
	if !hugePagesAllowed() {
		t.Skip("the system gives no huge pages")
	}
	advice := func() uint64 { return a.Stats().calls[OpAdvise] }
	s, err := a.Alloc(Huge)
	if err != nil {
		t.Fatal(err)
	}
	before := advice()
	first, err := a.AllocStriped(Huge, []Run{{0, SlotBytes}}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if advice() != before+1 || !a.tables[Huge].regions[0].advised || !a.tables[Huge].regions[1].advised {
		t.Errorf("%d requests for advice for the second region", advice()-before)
	}
	*(*byte)(a.Base(first + 3)) = 1
	if refused := a.Stats().refused[OpAdvise]; refused == 0 && resident(t, a) < RegionBytes {
		t.Logf("%d KiB resident: the system had no huge page", resident(t, a)>>10)
	}
	a.Free(s)
	if _, err := a.PurgeRegions(1 << 40); err != nil {
		t.Fatal(err)
	}
	if s, err = a.Alloc(Huge); err != nil {
		t.Fatal(err)
	}
	a.Free(s)
	a.Free(first + 3)
	if advice() != before+1 {
		t.Errorf("%d requests for advice for a region that is advised", advice()-before-1)
	}
}

// mappings counts the kernel's mappings of the reservation.
func mappings(t *testing.T, a *Arena) (n int) {
	text, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skipf("mappings can't be counted here; TestHugeRegionsAreAdvised counts the advice: %v", err)
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
	a := open(t, Options{Reserve: 4 << 30})
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

// hugePagesAllowed tells whether the system gives huge pages where a program advises them.
// It reads a file.
func hugePagesAllowed() bool {
	text, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	return err == nil && !bytes.Contains(text, []byte("[never]"))
}
