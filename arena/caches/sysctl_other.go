//go:build !darwin

package caches

// Sysctl is nil: there is none to ask.
func Sysctl() func(name string) (uint64, bool) { return nil }
