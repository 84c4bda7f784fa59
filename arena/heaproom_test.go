package arena

import "testing"

// Under a limit, an object of the Go heap needs whole steps of address space and some to spare, or
// enough that is free in the heap already.
func TestHeapHas(t *testing.T) {
	const mib = 1 << 20
	for _, tt := range []struct {
		name        string
		m           machine
		bytes, free uint64
		want        bool
	}{
		{"no limit", machine{}, 1 << 40, 0, true},
		{"a step and what is spared", machine{limit: 1000 * mib, used: 872 * mib}, 2 * mib, 0, true},
		{"a byte less", machine{limit: 1000 * mib, used: 872*mib + 1}, 2 * mib, 0, false},
		{"more than a step", machine{limit: 1000 * mib, used: 872 * mib}, 65 * mib, 0, false},
		{"free in the heap", machine{limit: 1000 * mib, used: 1000 * mib}, 2 * mib, 36 * mib, true},
		{"less is free", machine{limit: 1000 * mib, used: 1000 * mib}, 2 * mib, 35 * mib, false},
		{"over the limit", machine{limit: 1000 * mib, used: 1200 * mib}, 1, 0, false},
	} {
		if got := heapHas(tt.m, tt.bytes, tt.free); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
