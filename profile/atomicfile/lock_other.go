//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package atomicfile

// lockDir does nothing: two processes may replace several files at the same time.
func lockDir(string) (unlock func()) { return func() {} }
