//go:build linux

package counters

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// system is perf_event of this machine. It fails if the processor has no counters, if a host
// hides them, or if kernel.perf_event_paranoid is above 1 for this process.
func system() kernel {
	return kernel{open: openCycles, read: unix.Read, close: unix.Close}
}

// openCycles counts kernel cycles too. Without them, work that allocates memory would look cheap.
func openCycles() (fd int, err error) {
	attr := unix.PerfEventAttr{
		Type:        unix.PERF_TYPE_HARDWARE,
		Config:      unix.PERF_COUNT_HW_CPU_CYCLES,
		Bits:        unix.PerfBitExcludeHv,
		Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
	}
	attr.Size = uint32(unsafe.Sizeof(attr))
	return unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
}

// threadCPU returns the processor time of the thread, in nanoseconds.
func threadCPU() (time.Duration, error) {
	var ts unix.Timespec
	err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts)
	return time.Duration(ts.Nano()), err
}

// bind has the calling thread run on the n-th of the processors that it may run on, counted round.
func bind(n int) error {
	var may, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &may); err != nil {
		return err
	}
	n %= max(may.Count(), 1)
	for cpu := 0; ; cpu++ {
		if !may.IsSet(cpu) {
			continue
		}
		if n == 0 {
			one.Set(cpu)
			return unix.SchedSetaffinity(0, &one)
		}
		n--
	}
}
