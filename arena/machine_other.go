//go:build !linux && !darwin

package arena

import "time"

// sysMachine knows nothing: the first reservation is that of a usual machine.
func sysMachine() machine { return machine{} }

func processorTime() time.Duration { return 0 }
