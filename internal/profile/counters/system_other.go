//go:build !linux

package counters

import (
	"errors"
	"time"
)

// system is a machine that refuses, so nothing is ever read or closed.
func system() kernel {
	return kernel{open: func() (int, error) { return -1, errors.ErrUnsupported }}
}

func threadCPU() (time.Duration, error) { return 0, errors.ErrUnsupported }
