//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package atomicfile

import (
	"os"
	"time"
)

// abandonedAfter is far more than a Write takes.
const abandonedAfter = time.Hour

// tryLock locks nothing: the system has no such locks.
func tryLock(string) (lock *os.File, free bool) { return nil, true }

// removeIfAbandoned removes a temporary file that no process has changed for long. Windows
// removes no file that is open.
func removeIfAbandoned(path string) {
	if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > abandonedAfter {
		os.Remove(path)
	}
}

// lockDir does nothing: two processes may replace several files at the same time.
func lockDir(string) (unlock func()) { return func() {} }
