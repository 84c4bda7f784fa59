package memmgr

import (
	"errors"
	"os"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

func TestCacheRegion(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "viewed", 0, 8, 16)
	before := s.Layout().Capacity()
	if err := s.SetCacheRegion(20 << 10); err != nil {
		t.Fatal(err)
	}
	after := s.Layout().Capacity()
	if s.CacheBytes() != 20<<10 || after >= before || after*24 > 44<<10 {
		t.Errorf("capacity %d, then %d with %d bytes free", before, after, s.CacheBytes())
	}
	var serial uint64
	for range 3*after + 5 {
		l, err := s.Append()
		if err != nil {
			t.Fatal(err)
		}
		serial++
		put(s, l, serial)
	}
	rows := rowsOf(s)
	for id := range s.Chunks() {
		if lo, hi := uintptr(m.Base(id)), uintptr(m.CacheAt(id, 0)); hi-lo != 44<<10 {
			t.Errorf("chunk %d: the region begins at %d", id, hi-lo)
		}
		for _, part := range [][2]uint32{{4 << 10, 8 << 10}, {0, 20 << 10}, {20 << 10, 0}} {
			n, stay, err := m.DropCache(id, part[0], part[1])
			want := uint64(part[1])
			if m.Arena().Backend() == arena.Heap || os.Getpagesize() > chunk.Page { // retained
				want = 0
			}
			if err != nil || n != want || n+stay != uint64(part[1]) {
				t.Errorf("chunk %d, part %d: %d bytes dropped, %d retained, %v", id, part, n, stay, err)
			}
		}
	}
	for i, r := range rowsOf(s) {
		if r != rows[i] {
			t.Fatalf("row %d: %v, want %v", i, r, rows[i])
		}
	}
	if err := m.Check(); err != nil {
		t.Error(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("the capacity of a sequence with rows was changed")
		}
	}()
	s.SetCacheRegion(0)
}

func TestCacheRegionRefused(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "wide", 0, 8, 30000)
	before := s.Layout().Capacity()
	if err := s.SetCacheRegion(60 << 10); !errors.Is(err, chunk.ErrLayout) || s.Layout().Capacity() != before {
		t.Errorf("%v, capacity %d", err, s.Layout().Capacity())
	}
}

// A refusal leaves the chunk as it is.
func TestDropCacheRefused(t *testing.T) {
	m := open(t, Options{Arena: arena.Options{Fault: arena.FailFrom(arena.OpPurge, 1)}})
	s := sequence(t, m, "viewed", 0, 8, 16)
	if err := s.SetCacheRegion(8 << 10); err != nil {
		t.Fatal(err)
	}
	l, err := s.Append()
	if err != nil {
		t.Fatal(err)
	}
	if _, stay, err := m.DropCache(l.Chunk(), 0, 8<<10); stay != 8<<10 {
		t.Errorf("%d bytes retained", stay)
	} else if err == nil && m.Arena().Backend() == arena.OS && os.Getpagesize() <= chunk.Page {
		t.Error("a refused purge was no error")
	}
	if err := m.Check(); err != nil {
		t.Error(err)
	}
}
