package main

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena/caches"
)

func TestTopo(t *testing.T) {
	status, out, errs := call(t, "topo")
	if status != 0 || !strings.Contains(out, "processors") {
		t.Fatalf("status %d, %s%s", status, out, errs)
	}
	for want, list := range map[string][]caches.Cache{
		"L1            32 KiB, shared by 2\nL2            1536 KiB\nL3            not known\n": {{Level: 1, Bytes: 32 << 10, Shared: 2}, {Level: 2, Bytes: 1536 << 10}, {Level: 3}},
		"caches        not known\n": nil,
	} {
		var b strings.Builder
		if err := topo(&b, list); err != nil || !strings.HasSuffix(b.String(), want) {
			t.Errorf("%v, no %q in\n%s", err, want, b.String())
		}
	}
}

func TestCacheBytes(t *testing.T) {
	first, second, third := caches.Cache{Level: 1, Bytes: 32 << 10}, caches.Cache{Level: 2, Bytes: 1 << 20}, caches.Cache{Level: 3, Bytes: 32 << 20}
	for _, tt := range []struct {
		list []caches.Cache
		want uint64
	}{
		{[]caches.Cache{first, second, third}, 1 << 20},
		{[]caches.Cache{first}, 32 << 10},
		{[]caches.Cache{first, {Level: 2}}, 32 << 10},
		{nil, 512 << 10},
	} {
		if got := cacheBytes(tt.list); got != tt.want {
			t.Errorf("%v: %d, want %d", tt.list, got, tt.want)
		}
	}
}
