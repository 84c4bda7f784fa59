//go:build darwin

package arena

import "golang.org/x/sys/unix"

// sysMachine asks for the memory; darwin does not enforce RLIMIT_AS.
func sysMachine() (m machine) {
	m.physical, _ = unix.SysctlUint64("hw.memsize")
	return m
}
