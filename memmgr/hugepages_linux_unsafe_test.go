//go:build linux && !race && (amd64 || arm64)

package memmgr

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"
	"unsafe"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// thpAlways is for arena.Options.WithFault: it has the system give huge pages to the
// reservation as if its setting were "always", before the arena gives advice of its own.
func thpAlways(t *testing.T, refuse bool) func(op arena.Op, nth int, size uint64) error {
	const hugePage = 14 // MADV_HUGEPAGE
	return func(op arena.Op, nth int, size uint64) error {
		if op != arena.OpAdvise || nth != 1 {
			return nil
		}
		maps, err := os.ReadFile("/proc/self/maps")
		if err != nil {
			t.Skipf("the system's setting can't be changed here; TestHugeRegions tests the other ones: %v", err)
		}
		for line := range bytes.Lines(maps) {
			var lo, hi uintptr
			var rights string
			if n, _ := fmt.Sscanf(string(line), "%x-%x %s", &lo, &hi, &rights); n == 3 && rights == "---p" && uint64(hi-lo) >= size {
				base := *(*unsafe.Pointer)(unsafe.Pointer(&lo))
				if err := syscall.Madvise(unsafe.Slice((*byte)(base), hi-lo), hugePage); err != nil {
					t.Skipf("the system's setting can't be changed here; TestHugeRegions tests the other ones: %v", err)
				}
			}
		}
		if refuse {
			return errors.New("refused by the test")
		}
		return nil
	}
}

// A thousand sequences of ten rows hold no huge pages, even where the system gives them
// unasked.
func TestTinySequencesResident(t *testing.T) {
	if text, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled"); err != nil || bytes.Contains(text, []byte("[never]")) {
		t.Skip("the system gives no huge pages, so none can come unasked")
	}
	measure := func(refuse bool) uint64 {
		m, err := New(Options{Arena: arena.Options{Reserve: 3 << 36}.WithFault(thpAlways(t, refuse))})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		for i := range 1000 {
			s, err := m.MakeSequence(fmt.Sprint("tiny", i), []ColumnSpec{{Spec: chunk.Spec{Size: 8, Align: 8}}, {Spec: chunk.Spec{Size: 16, Align: 8}}})
			if err != nil {
				t.Fatal(err)
			}
			for range 10 {
				l, err := s.Append()
				if err != nil {
					t.Fatal(err)
				}
				for c, size := range []uint32{8, 16} {
					*(*byte)(s.directory(c).At(l, size)) = 1
				}
			}
		}
		n, err := m.Arena().Resident()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := measure(false); n > 5<<20 {
		t.Errorf("%d KiB are resident, want at most 5 MiB", n>>10)
	} else {
		t.Logf("%d KiB are resident", n>>10)
	}
	if n := measure(true); n < 2<<20 { // a region at least
		t.Errorf("%d KiB are resident without advice: nothing is emulated here", n>>10)
	}
}
