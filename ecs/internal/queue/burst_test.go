package queue

import "testing"

// After a burst the buffers go back within some frames. Before that they stay, and programs with as many commands in
// each frame, or in every tenth, keep them. Commands that wait keep theirs.
func TestBuffersGoBack(t *testing.T) {
	const n = 40_000
	for name, x := range map[string]struct {
		each int // frames between bursts; 0: there was one
		wait bool
		kept bool
	}{"one burst": {}, "a burst every tenth frame": {each: 10, kept: true}, "commands wait": {wait: true, kept: true}} {
		var q Queue
		frame := func(n int) (went bool) {
			for i := range n {
				v := [2]uint64{uint64(i)}
				q.Push(Add, q.Asker("a"), 1, 1, q.keepWords(v[:]))
			}
			if !x.wait {
				q.Reset()
			}
			had := cap(q.Ops) > 0
			q.Settle()
			return had && cap(q.Ops) == 0
		}
		if frame(n) {
			t.Errorf("%s: the buffer went in the frame of the burst", name)
		}
		ops, values := cap(q.Ops), cap(q.values)
		for i := range 100 {
			some := 1
			if x.each > 0 && i%x.each == 0 {
				some = n
			}
			if x.wait {
				some = 0
			}
			went := frame(some)
			if i < 10 && (went || cap(q.Ops) != ops || cap(q.values) != values) {
				t.Fatalf("%s: the buffers went after %d frames", name, i)
			}
			if went && (q.Ops != nil || q.Askers != nil || q.bundles != nil) {
				t.Errorf("%s: a buffer that went is there", name)
			}
		}
		if kept := cap(q.Ops) == ops && cap(q.values) == values; kept != x.kept {
			t.Errorf("%s: kept %v, room for %d commands of %d, %d words of %d", name, kept, cap(q.Ops), ops, cap(q.values), values)
		}
	}
}
