package tune

import "testing"

// TestOf: the numbers of machines, from small to large.
func TestOf(t *testing.T) {
	for _, x := range []struct {
		name    string
		l1, l2  uint64
		sharing int
		want    Sizes
	}{
		{"a Cortex-A53", 32 << 10, 512 << 10, 4, Sizes{256, 1 << 15, 4}},
		{"Skylake", 32 << 10, 256 << 10, 16, Sizes{256, 1 << 14, 16}},
		{"Zen 3", 32 << 10, 512 << 10, 16, Sizes{256, 1 << 15, 16}},
		{"Zen 4", 32 << 10, 1 << 20, 16, Sizes{256, 1 << 16, 16}},
		{"Sapphire Rapids", 48 << 10, 2 << 20, 128, Sizes{384, 1 << 17, 128}},
		{"Apple M1", 128 << 10, 12 << 20, 4, Sizes{1024, 12 << 16, 4}},
		{"a large one", 1 << 20, 1 << 40, 1 << 20, Sizes{1 << 13, 1 << 36, 1 << 20}},
		{"a tiny one", 1, 1, 0, Sizes{1, 1 << 14, 1}},
	} {
		if got := Of(x.l1, x.l2, x.sharing); got != x.want {
			t.Errorf("%s: %+v, want %+v", x.name, got, x.want)
		}
	}
}
