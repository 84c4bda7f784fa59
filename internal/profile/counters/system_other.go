//go:build !linux

package counters

import (
	"fmt"
	"runtime"
	"time"
)

// system is a machine that refuses, so nothing is ever read or closed.
func system() kernel {
	return kernel{open: func(Event, int) (int, error) {
		return -1, fmt.Errorf("%w: only linux has perf_event, and this is %s: measure by time instead", ErrUnavailable, runtime.GOOS)
	}}
}

func threadCPU() (time.Duration, error) {
	return 0, fmt.Errorf("%w: processor time of a thread is read on linux alone, and this is %s", ErrUnavailable, runtime.GOOS)
}

func threadTime() (user, kernel time.Duration, err error) {
	_, err = threadCPU()
	return 0, 0, err
}
