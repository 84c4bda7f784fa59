//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package atomicfile

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// lockDir waits for the lock of a directory, and returns the function that unlocks it. A Write holds it for some
// milliseconds. Without locks, or if another program keeps it, it goes on without: whoever reads files that
// belong together can tell.
func lockDir(path string) (unlock func()) {
	f, err := os.Open(path)
	if err != nil {
		return func() {}
	}
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	return func() { f.Close() }
}
