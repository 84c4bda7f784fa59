package counters

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Every refusal says what to do, and keeps the kernel's own word.
func TestExplain(t *testing.T) {
	for _, tt := range []struct {
		err    error
		leader int
		want   string
	}{
		{unix.EACCES, -1, "perf_event_paranoid"},
		{unix.EPERM, 3, "CAP_PERFMON"},
		{unix.ENOSYS, -1, "CONFIG_PERF_EVENTS"},
		{unix.ENOENT, -1, "measure by time"},
		{unix.EOPNOTSUPP, 3, "measure by time"},
		{unix.EINVAL, -1, "measure by time"},
		{unix.EINVAL, 3, "ask for fewer"},
		{unix.EMFILE, -1, "ulimit -n"},
		{unix.EBUSY, -1, "perf_event_open"},
	} {
		if err := explain(tt.err, tt.leader); !errors.Is(err, ErrUnavailable) || !errors.Is(err, tt.err) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: got %v, want %q", tt.err, err, tt.want)
		}
	}
}

// What the kernel itself counts can be counted on machines without counters: there
// a real group is opened and read.
func TestSoftwareEvents(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	g, err := Open(TaskClock, PageFaults, ContextSwitches)
	if errors.Is(err, ErrUnavailable) {
		t.Skipf("perf_event is refused here; groups are tested on a fake kernel in group_test.go: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	fresh, err := unix.Mmap(-1, 0, 1<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(fresh)
	var before, after [3]uint64
	if err := g.Read(before[:]); err != nil {
		t.Fatal(err)
	}
	faults := usage(t)
	for i := range fresh {
		fresh[i] = 1
	}
	faults = usage(t) - faults // by another count of the kernel's
	if err := g.Read(after[:]); err != nil {
		t.Fatal(err)
	}
	if after[0] <= before[0] || faults == 0 || after[1]-before[1] < faults || after[2] < before[2] {
		t.Errorf("task clock, page faults, context switches: %v, then %v", before, after)
	}
	if n := testing.AllocsPerRun(10, func() { _ = g.Read(after[:]) }); n != 0 {
		t.Errorf("Read allocates %v times", n)
	}
}

// usage is the page faults of the calling thread.
func usage(t *testing.T) uint64 {
	t.Helper()
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
		t.Fatal(err)
	}
	return uint64(u.Minflt + u.Majflt)
}
