package counters

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// threadCPU is the time that the calling thread has run, exact to the nanosecond.
func threadCPU() (time.Duration, error) {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		return 0, fmt.Errorf("%w: processor time of this thread: %w", ErrUnavailable, err)
	}
	return time.Duration(ts.Nano()), nil
}

func threadTime() (user, kernel time.Duration, err error) {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
		return 0, 0, fmt.Errorf("%w: user and kernel time of this thread: %w", ErrUnavailable, err)
	}
	return time.Duration(u.Utime.Nano()), time.Duration(u.Stime.Nano()), nil
}
