package tune

import (
	"testing"

	"github.com/ashlar-go/ashlar/memmgr"
)

// TestOf: the numbers of machines, from small to large.
func TestOf(t *testing.T) {
	for _, x := range []struct {
		name string
		of   memmgr.Caches
		want Sizes
	}{
		{"a Cortex-A53", memmgr.Caches{L1: 32 << 10, L2: 512 << 10, L3: 512 << 10, Sharing: 4}, Sizes{256, 1 << 15, 4}},
		{"Skylake", memmgr.Caches{L1: 32 << 10, L2: 256 << 10, L3: 8 << 20, Sharing: 16}, Sizes{256, 1 << 14, 16}},
		{"Zen 3", memmgr.Caches{L1: 32 << 10, L2: 512 << 10, L3: 32 << 20, Sharing: 16}, Sizes{256, 1 << 15, 16}},
		{"Zen 4", memmgr.Caches{L1: 32 << 10, L2: 1 << 20, L3: 32 << 20, Sharing: 16}, Sizes{256, 1 << 16, 16}},
		{"Sapphire Rapids", memmgr.Caches{L1: 48 << 10, L2: 2 << 20, L3: 105 << 20, Sharing: 128}, Sizes{384, 1 << 17, 128}},
		{"Apple M1", memmgr.Caches{L1: 128 << 10, L2: 12 << 20, L3: 12 << 20, Sharing: 4}, Sizes{1024, 12 << 16, 4}},
		{"a large one", memmgr.Caches{L1: 1 << 20, L2: 1 << 40, L3: 1 << 40, Sharing: 1 << 20}, Sizes{1 << 13, 1 << 36, 1 << 20}},
		{"a tiny one", memmgr.Caches{L1: 1, L2: 1, L3: 1}, Sizes{1, 1 << 14, 1}},
	} {
		if got := Of(x.of); got != x.want {
			t.Errorf("%s: %+v, want %+v", x.name, got, x.want)
		}
	}
}
