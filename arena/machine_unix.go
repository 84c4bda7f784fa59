//go:build linux || darwin

package arena

import (
	"time"

	"golang.org/x/sys/unix"
)

func processorTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
