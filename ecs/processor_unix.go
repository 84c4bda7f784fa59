//go:build linux || darwin

package ecs

import (
	"syscall"
	"time"
)

// processorTime is how long the process has used processors.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
