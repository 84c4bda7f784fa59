package memmgr

import (
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/arena/caches"
)

// TestCachesOf: missing figures are usual ones, and a level that is not there is as large as the one below.
func TestCachesOf(t *testing.T) {
	type list = []caches.Cache
	for _, x := range []struct {
		name string
		list list
		want cacheSizes
	}{
		{"three levels", list{{Level: 1, Bytes: 48 << 10, Shared: 2}, {Level: 2, Bytes: 2 << 20, Shared: 2}, {Level: 3, Bytes: 32 << 20, Shared: 16}}, cacheSizes{48 << 10, 2 << 20, 16}},
		{"two levels", list{{Level: 1, Bytes: 128 << 10}, {Level: 2, Bytes: 12 << 20, Shared: 4}}, cacheSizes{128 << 10, 12 << 20, 4}},
		{"four levels", list{{Level: 1, Bytes: 32 << 10}, {Level: 2, Bytes: 1 << 20}, {Level: 3, Bytes: 8 << 20, Shared: 8}, {Level: 4, Bytes: 64 << 20, Shared: 64}}, cacheSizes{32 << 10, 1 << 20, 64}},
		{"sizes are missing", list{{Level: 1}, {Level: 2, Shared: 4}}, cacheSizes{32 << 10, 512 << 10, 4}},
		{"one level", list{{Level: 1, Bytes: 1 << 20}}, cacheSizes{1 << 20, 1 << 20, usual.sharing}},
		{"nothing", nil, usual},
	} {
		if got := cachesOf(x.list); got != x.want {
			t.Errorf("%s: %+v, want %+v", x.name, got, x.want)
		}
	}
}

// TestCaches: a manager has the caches that its options state, and finds the others when it is first asked.
func TestCaches(t *testing.T) {
	whole := cacheSizes{16 << 10, 256 << 10, 2}
	for _, stated := range []cacheSizes{{}, {l2: 256 << 10}, {sharing: 3}, {l1: 16 << 10, l2: 256 << 10}, whole} {
		m, err := New(Options{}.WithCaches(stated.l1, stated.l2, stated.sharing))
		if err != nil {
			t.Fatal(err)
		}
		if m.caches.found != (cacheSizes{}) {
			t.Errorf("%+v: found before they are needed: %+v", stated, m.caches.found)
		}
		l1, l2, sharing := m.Caches()
		got := cacheSizes{l1, l2, sharing}
		if !got.whole() || got.sharing < 1 || got.or(stated) != got || stated.or(got) != got {
			t.Errorf("stated %+v, found %+v", stated, got)
		}
		if l1, l2, sharing := m.Caches(); got != (cacheSizes{l1, l2, sharing}) {
			t.Errorf("%+v, and later another", got)
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A test states the caches of another machine.
func ExampleManager_Caches() {
	m, err := New(Options{}.WithCaches(48<<10, 2<<20, 16))
	if err != nil {
		panic(err)
	}
	defer m.Close()
	l1, l2, sharing := m.Caches()
	fmt.Println(l1>>10, "and", l2>>10, "KiB near a processor;", sharing, "share the last level")
	// Output: 48 and 2048 KiB near a processor; 16 share the last level
}

// Finding the caches, and asking for them again.
func BenchmarkCaches(b *testing.B) {
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			new(Manager).Caches()
		}
	})
	b.Run("again", func(b *testing.B) {
		m := new(Manager)
		for b.Loop() {
			m.Caches()
		}
	})
}
