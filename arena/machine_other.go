//go:build !linux && !darwin

package arena

// sysMachine knows nothing: the first reservation is that of a usual machine.
func sysMachine() machine { return machine{} }
