//go:build !amd64

package caches

// cpuid is nil: there is none to ask.
var cpuid func(leaf, sub uint32) registers
