package memmgr_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/memmgr"
)

type (
	time8 uint64
	box16 [2]uint64
)

// manager makes a manager that is checked and closed in the end.
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

func newTable(t testing.TB, m *memmgr.Manager, name string, columns ...memmgr.Column) *memmgr.Sequence {
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

// panics fails if f does not panic with words that contain all these.
func panics(t *testing.T, f func(), words ...string) {
	t.Helper()
	defer func() {
		t.Helper()
		said := fmt.Sprint(recover())
		for _, w := range words {
			if !strings.Contains(said, w) {
				t.Errorf("it says %q, without %q", said, w)
			}
		}
	}()
	f()
}
