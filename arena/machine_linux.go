//go:build linux

package arena

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// sysMachine asks for memory and limits. It costs a microsecond, and a file to be read
// where there is a limit.
func sysMachine() (m machine) {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) == nil {
		m.physical = uint64(info.Totalram) * uint64(info.Unit)
	}
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &limit) != nil || limit.Cur >= addressSpace {
		return m
	}
	m.limit = max(limit.Cur, 1)
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		size, _, _ := bytes.Cut(text, []byte(" "))
		pages, _ := strconv.ParseUint(string(size), 10, 64)
		m.used = pages * uint64(os.Getpagesize())
	}
	return m
}
