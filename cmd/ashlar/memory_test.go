package main

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/internal/adapt"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// Memory that is about to be given back is told, where it will be.
func TestMemoryTellsIdle(t *testing.T) {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	a := adapt.New(m)
	s, err := m.MakeSequence("rows", []memmgr.ColumnSpec{{Spec: chunk.Spec{Size: 1 << 10, Align: 8}}})
	if err != nil {
		t.Fatal(err)
	}
	const idle = "idle at most"
	text := func() string {
		var b strings.Builder
		memory(&b, a)
		return b.String()
	}
	a.Adapt(adapt.Options{})
	for range 200 {
		if _, err := s.Append(); err != nil {
			t.Fatal(err)
		}
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
	a.Adapt(adapt.Options{Off: true})
	if got := text(); strings.Contains(got, idle) {
		t.Errorf("nothing adapts:\n%s", got)
	}
}
