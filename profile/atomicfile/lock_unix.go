//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package atomicfile

import (
	"errors"
	"os"
	"syscall"
)

// tryLock locks a file until lock is closed or the process ends. Free is false if another process
// has the lock. Lock is nil without a lock, also if the file system has none.
func tryLock(path string) (lock *os.File, free bool) {
	f, err := os.Open(path)
	if err != nil {
		return nil, true
	}
	if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
		return f, true
	}
	f.Close()
	return nil, !errors.Is(err, syscall.EWOULDBLOCK)
}

// lockDir waits for the lock of a directory, and returns the function that unlocks it. Without locks it does nothing.
func lockDir(path string) (unlock func()) {
	f, err := os.Open(path)
	if err != nil {
		return func() {}
	}
	for errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX), syscall.EINTR) {
	}
	return func() { f.Close() }
}

// removeIfAbandoned removes a temporary file unless a process has it locked.
func removeIfAbandoned(path string) {
	if lock, _ := tryLock(path); lock != nil {
		os.Remove(path)
		lock.Close()
	}
}
