//go:build !linux && !darwin

package arena

// sysMachine knows nothing: the first reservation is that of a usual machine.
func sysMachine() machine { return machine{} }

// hugePagesAllowed is false: there is no advice for huge pages.
func hugePagesAllowed() bool { return false }
