//go:build !linux && !darwin

package ecs

import "time"

// processorTime is 0 where the time that the process has used processors is not known, or not to a microsecond.
func processorTime() time.Duration { return 0 }
