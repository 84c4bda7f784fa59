package ecs_test

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
)

// Get is inlined where it is called. Of a nil pool, or the zero value, it fails inside. A frame that
// is inlined has no function of its own.
func TestGetIsInlined(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("counters of coverage are in the way: run without -cover")
	}
	if arena.Checked {
		t.Skip("checked builds ask whether a system may")
	}
	if strconv.IntSize == 32 {
		t.Skip("conversions from 64 bits put it above the budget on 32-bit machines: tested on 64-bit ones")
	}
	for name, get := range map[string]func() *sprite{
		"(*Pool[...]).Get": func() *sprite { return (*ecs.Pool[sprite])(nil).Get(0) },
		"Look[...].Get":    func() *sprite { return ecs.Look[sprite]{}.Get(0) },
		"Prior[...].Get":   func() *sprite { return ecs.Prior[sprite]{}.Get(0) },
	} {
		found := false
		func() {
			defer func() {
				if r := recover(); !strings.Contains(fmt.Sprint(r), "nil pointer dereference") {
					t.Errorf("%s of a zero value: %v", name, r)
				}
			}()
			defer func() {
				pcs := make([]uintptr, 32)
				frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
				for more := true; more; {
					var f runtime.Frame
					if f, more = frames.Next(); strings.HasSuffix(f.Function, "."+name) {
						found = true
						if f.Func != nil {
							t.Errorf("%s is called: its cost is above the compiler's budget for inlining", f.Function)
						}
					}
				}
			}()
			t.Log(get())
		}()
		if !found {
			t.Errorf("%s is not among those that were called", name)
		}
	}
}
