package arena

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

// mark writes a slot's number into both ends of it; marked looks whether they are
// there still.
func mark(a *Arena, s Slot) {
	words := unsafe.Slice((*uint64)(a.Base(s)), SlotBytes/8)
	words[0], words[len(words)-1] = uint64(s)+1, ^uint64(s)
}

func marked(a *Arena, s Slot) bool {
	words := unsafe.Slice((*uint64)(a.Base(s)), SlotBytes/8)
	return words[0] == uint64(s)+1 && words[len(words)-1] == ^uint64(s)
}

// rss is the kernel's count of resident bytes in the arena's mappings.
func rss(t *testing.T, a *Arena) (total uint64) {
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skipf("no smaps: %v", err)
	}
	lo, hi := uint64(uintptr(a.mapped.start)), uint64(uintptr(a.mapped.start))+uint64(a.mapped.bytes)
	inside := false
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if from, to, ok := strings.Cut(f[0], "-"); ok && len(f) >= 5 {
			start, _ := strconv.ParseUint(from, 16, 64)
			end, _ := strconv.ParseUint(to, 16, 64)
			inside = start >= lo && end <= hi
		} else if inside && f[0] == "Rss:" {
			kib, _ := strconv.ParseUint(f[1], 10, 64)
			total += kib << 10
		}
	}
	return total
}

// The arena counts as the kernel does: resident by mincore equals resident by
// smaps, and neither exceeds the dirty bytes.
func TestResident(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("mincore and smaps are linux's; Stats.Dirty is tested everywhere")
	}
	for _, huge := range []bool{false, true} {
		a := open(t, Options{SmallPages: !huge})
		if a.Backend() != OS {
			t.Skip("no mapped memory on this back end")
		}
		check := func(when string, atLeast uint64) {
			t.Helper()
			st := a.Stats()
			res, err := a.Resident()
			if err != nil {
				t.Fatal(err)
			}
			kernel := rss(t, a)
			dirty := st.Dirty
			if huge { // a touched huge page is resident whole
				dirty = st.Committed
			}
			if res != kernel || res > dirty || st.Dirty > st.Committed || st.Committed > st.Reserved || res < atLeast {
				t.Errorf("huge=%v, %s: mincore %d, smaps %d, at least %d, dirty %d, committed %d, reserved %d", huge, when, res, kernel, atLeast, st.Dirty, st.Committed, st.Reserved)
			}
		}
		check("empty", 0)
		r := MakeArray[uint64](a, 1<<24, PurposeEntities)
		if err := r.Grow(1 << 20); err != nil {
			t.Fatal(err)
		}
		for i := range uint32(1 << 20) {
			*r.Ptr(i) = 1
		}
		check("array", 8<<20)
		var slots []Slot
		for i := range 100 {
			s, err := a.Alloc(Range(i % 2))
			if err != nil {
				t.Fatal(err)
			}
			a.Fill(s, 1)
			slots = append(slots, s)
		}
		check("slots", 8<<20+100*SlotBytes)
		for _, s := range slots {
			a.Free(s)
		}
		check("freed", 8<<20)
		if _, err := a.Purge(1 << 40); err != nil {
			t.Fatal(err)
		}
		check("purged", 8<<20)
		if res, _ := a.Resident(); res > 8<<20+2*RegionBytes {
			t.Errorf("%d bytes are resident after a purge", res)
		}
	}
}
