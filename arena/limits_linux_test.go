//go:build linux && !race && (amd64 || arm64)

package arena

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

const childEnv = "ARENA_TEST_CHILD_LIMIT"

// A process under ulimit -v works by itself: with a smaller reservation, or on the Go
// heap and with one line of log; and Go's own heap keeps half of the room that the limit leaves.
func TestAddressSpaceLimit(t *testing.T) {
	if limit := os.Getenv(childEnv); limit != "" {
		underLimit(t)
		return
	}
	for _, tt := range []struct {
		kib  uint64 // as for ulimit -v
		want string
		told int
	}{
		{1500000, "heap", 1}, // Go itself needs 700000, and takes room in steps of 64 MiB: at 1000000 a late collection was too much
		{8000000, "os", 0},
	} {
		// The shell sets the limit, since the child's own heap is under it from the start.
		cmd := exec.Command("/bin/sh", "-c", fmt.Sprintf("ulimit -v %d && exec \"$0\" -test.run '^TestAddressSpaceLimit$' -test.v", tt.kib), os.Args[0])
		cmd.Env = append(os.Environ(), fmt.Sprint(childEnv, "=", tt.kib))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("under ulimit -v %d: %v\n%s", tt.kib, err, out)
			continue
		}
		if !strings.Contains(string(out), "memory from "+tt.want) || strings.Count(string(out), "arena: memory comes from the Go heap") != tt.told {
			t.Errorf("under ulimit -v %d: want %s, told %d times\n%s", tt.kib, tt.want, tt.told, out)
		}
	}
}

// underLimit uses an arena as a program does, and a quarter of the limit's rest to the
// process on Go's heap: arrays that have grown there leave their old forms to the collector.
func underLimit(t *testing.T) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_AS, &limit); err != nil {
		t.Fatal(err)
	}
	m := sysMachine()
	if m.limit != limit.Cur || m.used == 0 || m.used > m.limit || m.physical == 0 {
		t.Fatalf("the limit is %d: %+v", limit.Cur, m)
	}
	a, err := New(Options{SmallPages: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Log("memory from", a.Backend())
	for i := 0; i < 3 && a.Backend() == Heap; i++ { // a program with many worlds is told once
		if b, err := New(Options{SmallPages: true}); err != nil || b.Close() != nil {
			t.Fatal(err)
		}
	}
	var slots []Slot
	for range 500 {
		s, err := a.Alloc(Normal)
		if err != nil {
			t.Fatal(err)
		}
		mark(a, s)
		slots = append(slots, s)
	}
	r := MakeArray[uint64](a, 1<<25, PurposeEntities)
	for i := uint32(0); i < 1<<21; i += 1000 {
		if err := r.Grow(i); err != nil {
			t.Fatal(err)
		}
		*r.Ptr(i) = 7
	}
	heap := make([]byte, (m.limit-m.used)/4)
	heap[len(heap)-1] = 1
	for _, s := range slots {
		if !marked(a, s) {
			t.Fatalf("slot %d lost its contents", s)
		}
	}
	if a.Backend() == Heap {
		heap = nil
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
}

const fullEnv = "ARENA_TEST_CHILD_FULL"

// Under ulimit -v the Go heap is used until a request is refused. The process goes on, memory that is
// freed serves again, and Go's own heap has room.
func TestAddressSpaceUsedUp(t *testing.T) {
	if how := os.Getenv(fullEnv); how != "" {
		usedUp(t, how)
		return
	}
	for _, kib := range []uint64{1000000, 2000000} { // Go itself needs 700000
		for _, how := range []string{"slots", "arrays"} {
			cmd := exec.Command("/bin/sh", "-c", fmt.Sprintf("ulimit -v %d && exec \"$0\" -test.run '^TestAddressSpaceUsedUp$' -test.v", kib), os.Args[0])
			cmd.Env = append(os.Environ(), fullEnv+"="+how)
			out, err := cmd.CombinedOutput()
			text := string(out)
			if err != nil || !strings.Contains(text, "it goes on") {
				t.Errorf("%s under ulimit -v %d: %v\n%s", how, kib, err, text[:min(len(text), 3000)])
			}
		}
	}
}

func usedUp(t *testing.T, how string) {
	a, err := New(Options{SmallPages: true, Backend: Heap})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	var slots []Slot
	var arrays []Array[uint64]
	fill := func() (n int, err error) {
		for ; n < 1_000_000; n++ {
			if how == "slots" {
				var s Slot
				if s, err = a.Alloc(Normal); err != nil {
					return n, err
				}
				mark(a, s)
				slots = append(slots, s)
				continue
			}
			r := MakeArray[uint64](a, 1<<20, PurposeSlots)
			if err = r.Grow(1<<18 - 1); err != nil {
				return n, err
			}
			arrays = append(arrays, r)
		}
		return n, nil
	}
	clear := func() {
		for _, s := range slots {
			a.Free(s)
		}
		for i := range arrays {
			if err := arrays[i].Free(); err != nil {
				t.Fatal(err)
			}
		}
		slots, arrays = nil, nil
		if _, err := a.Purge(1 << 40); err != nil {
			t.Fatal(err)
		}
	}
	first, err := fill()
	if err == nil || !strings.Contains(err.Error(), "ulimit -v") || first == 0 {
		t.Fatalf("%d, %v", first, err)
	}
	for range 3 {
		before := a.Stats()
		if _, err := fill(); err == nil || a.Stats().Committed != before.Committed {
			t.Fatalf("%v, committed %d and then %d", err, before.Committed, a.Stats().Committed)
		}
	}
	own := make([]byte, 24<<20)
	own[len(own)-1] = 1
	runtime.GC()
	runtime.KeepAlive(own)
	own = nil
	for range 3 {
		clear()
		if again, err := fill(); err == nil || again < first*3/4 {
			t.Fatalf("%d at first and %d after all was freed: %v", first, again, err)
		}
	}
	if err := a.Check(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %s, and it goes on", first, how)
}
