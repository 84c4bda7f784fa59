package main

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
)

// keep makes the compiler believe that a result is needed.
//
//go:noinline
func keep(float64) {}

// The calls below are inlined in a program that uses package ecs, which imports none of
// the packages beneath it. (The tests of package ecs itself can't tell: there the compiler has
// the bodies of all.) Each call fails inside, on a nil pointer, and a frame that is inlined
// has no function of its own.
func TestInlinedInPrograms(t *testing.T) {
	if testing.CoverMode() != "" || strconv.IntSize == 32 || arena.Checked {
		t.Skip("counters of coverage, conversions from 64 bits, or checks put it above the compiler's budget")
	}
	type bound struct{ P *Position }
	for name, call := range map[string]func(){
		"]).Get":   func() { keep((*ecs.Pool[Position])(nil).Get(0).X) },
		"]).Mut":   func() { keep((*ecs.Pool[Position])(nil).Mut(0).X) },
		"]).Has":   func() { _ = (*ecs.Pool[Position])(nil).Has(0) },
		"]).Valid": func() { _ = new(ecs.Schema[bound]).Valid(new(ecs.Contract[bound])) },
		"].Get":    func() { keep(ecs.Look[Position]{}.Get(0).X) },
		"].At":     func() { keep(ecs.Field[bound, Position]{}.At(new(ecs.Contract[bound])).X) },

		"ecs.Strided[...].At":      func() { keep(ecs.Strided[Position]{}.At(0).X) },
		"ecs.WriteStrided[...].At": func() { keep(ecs.WriteStrided[Position]{}.At(0).X) },
	} {
		found := false
		func() {
			defer func() {
				if r := fmt.Sprint(recover()); !strings.Contains(r, "nil pointer dereference") && !strings.Contains(r, "row") {
					t.Errorf("%s of nothing: %v", name, r)
				}
			}()
			defer func() {
				pcs := make([]uintptr, 32)
				frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
				for more := true; more; {
					var f runtime.Frame
					if f, more = frames.Next(); strings.HasSuffix(f.Function, name) {
						found = true
						if f.Func != nil {
							t.Errorf("%s is called: its cost is above the compiler's budget, or package ecs does not pass on what it calls", f.Function)
						}
					} else if strings.Contains(f.Function, "/ecs/internal/") || strings.Contains(f.Function, "/memmgr.") {
						if f.Func != nil {
							t.Errorf("%s is called", f.Function)
						}
					}
				}
			}()
			call()
		}()
		if !found {
			t.Errorf("%s is not among those that were called", name)
		}
	}
}
