//go:build !darwin

package caches

// sysctl is nil: there is none to ask.
func sysctl() func(name string) (uint64, bool) { return nil }
