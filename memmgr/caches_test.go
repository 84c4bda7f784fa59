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
		want Caches
	}{
		{"three levels", list{{Level: 1, Bytes: 48 << 10, Shared: 2}, {Level: 2, Bytes: 2 << 20, Shared: 2}, {Level: 3, Bytes: 32 << 20, Shared: 16}}, Caches{48 << 10, 2 << 20, 32 << 20, 16}},
		{"two levels", list{{Level: 1, Bytes: 128 << 10}, {Level: 2, Bytes: 12 << 20, Shared: 4}}, Caches{128 << 10, 12 << 20, 12 << 20, 4}},
		{"four levels", list{{Level: 1, Bytes: 32 << 10}, {Level: 2, Bytes: 1 << 20}, {Level: 3, Bytes: 8 << 20, Shared: 8}, {Level: 4, Bytes: 64 << 20, Shared: 64}}, Caches{32 << 10, 1 << 20, 64 << 20, 64}},
		{"sizes are missing", list{{Level: 1}, {Level: 2, Shared: 4}}, Caches{32 << 10, 512 << 10, 8 << 20, 4}},
		{"one level", list{{Level: 1, Bytes: 1 << 20}}, Caches{1 << 20, 1 << 20, 8 << 20, usual.Sharing}},
		{"nothing", nil, usual},
	} {
		if got := cachesOf(x.list); got != x.want {
			t.Errorf("%s: %+v, want %+v", x.name, got, x.want)
		}
	}
}

// TestCaches: a manager has the caches that its options state, and finds the others when it is first asked.
func TestCaches(t *testing.T) {
	whole := Caches{16 << 10, 256 << 10, 4 << 20, 2}
	for _, stated := range []Caches{{}, {L2: 256 << 10}, {Sharing: 3}, {L1: 16 << 10, L2: 256 << 10, L3: 4 << 20}, whole} {
		m, err := New(Options{Caches: stated})
		if err != nil {
			t.Fatal(err)
		}
		if m.caches.found != (Caches{}) {
			t.Errorf("%+v: found before they are needed: %+v", stated, m.caches.found)
		}
		got := m.Caches()
		if !got.whole() || got.Sharing < 1 || got.or(stated) != got || stated.or(got) != got {
			t.Errorf("stated %+v, found %+v", stated, got)
		}
		if again := m.Caches(); again != got {
			t.Errorf("%+v, and later %+v", got, again)
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A test states the caches of another machine.
func ExampleManager_Caches() {
	m, err := New(Options{Caches: Caches{L1: 48 << 10, L2: 2 << 20, L3: 32 << 20, Sharing: 16}})
	if err != nil {
		panic(err)
	}
	defer m.Close()
	c := m.Caches()
	fmt.Println(c.L2>>10, "KiB near a processor,", c.L3>>20, "MiB for", c.Sharing, "of them")
	// Output: 2048 KiB near a processor, 32 MiB for 16 of them
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
