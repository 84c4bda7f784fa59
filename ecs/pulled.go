package ecs

import (
	"path"
	"runtime"
	"strings"
)

// pulled tells whether an iteration is open that is no loop of this goroutine, nor of a system:
// iter.Pull began it, and it has not ended.
func (w *World) pulled() bool {
	return w.base.Walks.Busy != "" && w.systems.Running() == "" && !loops()
}

// loops tells whether this goroutine is within a loop over rows of some world: whether code that
// calls the body of such a loop is on its stack. Functions have the names of others where they are
// inlined, so it goes by their files. It is for calls that are rare.
func loops() bool {
	_, file, _, _ := runtime.Caller(0)
	here := path.Dir(file)
	pcs := make([]uintptr, 64)
	n := runtime.Callers(1, pcs)
	for n == len(pcs) {
		pcs = make([]uintptr, 2*len(pcs))
		n = runtime.Callers(1, pcs)
	}
	for frames := runtime.CallersFrames(pcs[:n]); ; {
		f, more := frames.Next()
		if f.File == here+"/pool.go" || strings.HasPrefix(f.File, here+"/internal/") {
			return true
		}
		if !more {
			return false
		}
	}
}
