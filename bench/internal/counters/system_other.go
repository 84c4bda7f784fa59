//go:build !linux

package counters

import (
	"errors"
	"time"
)

// ProcessTime is not known here.
func ProcessTime() time.Duration { return 0 }

func threadCPU() (time.Duration, error) { return 0, errors.ErrUnsupported }

// bind leaves the thread where it is: the system moves it as it likes.
func bind(int) error { return nil }
