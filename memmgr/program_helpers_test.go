package memmgr_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/memmgr"
)

type (
	time8 uint64
	box16 [2]uint64
)

func newRows(t testing.TB, m *memmgr.Manager, name string, columns ...memmgr.Column) *memmgr.Sequence {
	t.Helper()
	s, err := m.NewSequence(name, columns...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// add appends rows.
func add(t testing.TB, s *memmgr.Sequence, n int) {
	t.Helper()
	for range n {
		if _, err := s.Append(); err != nil {
			t.Fatal(err)
		}
	}
}
