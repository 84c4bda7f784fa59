//go:build linux

package counters

import (
	"time"

	"golang.org/x/sys/unix"
)

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

// ProcessTime returns the processor time of all threads of the process; 0 where it is not known.
func ProcessTime() time.Duration {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &ts)
	return time.Duration(ts.Nano())
}
