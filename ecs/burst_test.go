package ecs

import (
	"context"
	"testing"
)

// A buffer goes back when it was not needed of late, and steady ones stay.
func TestExcess(t *testing.T) {
	for _, x := range []struct {
		elements, used int
		size           uintptr
		want           bool
	}{
		{0, 0, 8, false},
		{8192, 0, 8, false}, // 64 KiB
		{8193, 0, 8, true},
		{8193, 4095, 8, true},
		{8193, 4096, 8, false},
		{1639, 0, 40, true},
		{1 << 20, 1 << 20, 8, false},
	} {
		if got := excess(x.elements, x.used, x.size); got != x.want {
			t.Errorf("%d elements of %d B, %d used: %v", x.elements, x.size, x.used, got)
		}
	}
}

// After a burst the buffers of commands go back within some frames. Before that they stay, and
// programs with as many commands in each frame keep them.
func TestBuffersGoBack(t *testing.T) {
	for _, steady := range []bool{false, true} {
		w := New(Options{})
		const n = 40_000
		es := make([]Entity, n)
		frames := 0
		System(w, "ask", func(c *struct{ Do *Commands }) {
			for _, e := range es[:max(n*min(1, frames%2), 1)] {
				c.Do.SetEnabled(e, true)
				c.Do.Destroy(e)
			}
		})
		run := func() {
			t.Helper()
			if err := w.Run(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		frames = 1
		run()
		ops, values := cap(w.commands.ops), cap(w.commands.values)
		if ops < 2*n || values < n {
			t.Fatalf("room for %d commands and %d words: the test is wrong", ops, values)
		}
		for i := range 100 {
			if frames = 0; steady && i%10 == 0 {
				frames = 1
			}
			run()
			if i < 10 && cap(w.commands.ops) != ops {
				t.Fatalf("the buffer went back after %d frames", i)
			}
		}
		if kept := cap(w.commands.ops) == ops && cap(w.commands.values) == values; kept != steady {
			t.Errorf("steady %v: room for %d commands of %d, %d words of %d", steady, cap(w.commands.ops), ops, cap(w.commands.values), values)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}
