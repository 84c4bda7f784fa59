//go:build !linux

package counters

import (
	"errors"
	"time"
)

// system is a machine without counters. Its open always fails, so nothing is read or closed.
func system() kernel {
	return kernel{open: func() (int, error) { return -1, errors.ErrUnsupported }}
}

func threadCPU() (time.Duration, error) { return 0, errors.ErrUnsupported }

// bind leaves the thread where it is: the system moves it as it likes.
func bind(int) error { return nil }
