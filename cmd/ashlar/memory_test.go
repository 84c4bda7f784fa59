package main

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Memory that is about to be given back is told, where it will be.
func TestMemoryTellsIdle(t *testing.T) {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	s, err := m.MakeSequence("rows", []memmgr.ColumnSpec{{Spec: chunk.Spec{Size: 1 << 10, Align: 8}}})
	if err != nil {
		t.Fatal(err)
	}
	const idle = "idle at most"
	text := func() string {
		var b strings.Builder
		memory(&b, m)
		return b.String()
	}
	if err := m.Adapt(memmgr.AdaptOptions{}); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		if _, err := s.Append(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.Purge(); err != nil { // the slot of the first chunk, which moved to its region
		t.Fatal(err)
	}
	if got := text(); strings.Contains(got, idle) {
		t.Errorf("nothing is idle:\n%s", got)
	}
	s.Truncate(0)
	for range 3 {
		if err := m.SafePoint(); err != nil {
			t.Fatal(err)
		}
	}
	if got := text(); m.Stats().Arena.Idle == 0 || !strings.Contains(got, idle) {
		t.Errorf("%d bytes are idle:\n%s", m.Stats().Arena.Idle, got)
	}
	if err := m.Adapt(memmgr.AdaptOptions{Off: true}); err != nil {
		t.Fatal(err)
	}
	if got := text(); strings.Contains(got, idle) {
		t.Errorf("nothing adapts:\n%s", got)
	}
}
