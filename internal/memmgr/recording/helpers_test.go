package recording_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

func manager(t testing.TB, o memmgr.Options) *memmgr.Manager {
	t.Helper()
	m, err := memmgr.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Check(); err != nil {
			t.Error(err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// newTable makes a sequence with columns of so many bytes.
func newTable(t testing.TB, m *memmgr.Manager, name string, sizes ...uint32) *memmgr.Sequence {
	t.Helper()
	columns := make([]memmgr.ColumnSpec, len(sizes))
	for i, size := range sizes {
		columns[i].Spec = chunk.Spec{Size: size, Align: 1}
	}
	s, err := m.MakeSequence(name, columns)
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
