package memmgr_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

func TestSequenceBytes(t *testing.T) {
	m := manager(t, memmgr.Options{})
	tb := newTable(t, m, "table", 8, 16)
	want := func(chunks, rows uint64) {
		t.Helper()
		if got, payload := tb.s.Bytes(), m.Stats().Payload; got != chunks || payload != rows*24 {
			t.Errorf("%d rows of %d bytes hold %d, want %d bytes of chunks", rows, payload, got, chunks)
		}
	}
	full := int(tb.s.Layout().Capacity())
	want(0, 0)
	tb.append(t, 10)
	small := tb.s.Bytes()
	if small < 10*24 || small >= chunk.Bytes {
		t.Errorf("a small chunk of 10 rows holds %d bytes", small)
	}
	want(small, 10)
	tb.append(t, full-10)
	want(chunk.Bytes, uint64(full))
	tb.append(t, 1)
	want(2*chunk.Bytes, uint64(full)+1)
	tb.s.DropLast() // the chunk is kept for the next row
	want(2*chunk.Bytes, uint64(full))
	tb.s.DropChunks(1)
	if err := errors.Join(m.SafePoint(), m.SafePoint()); err != nil {
		t.Fatal(err)
	}
	want(0, 0)
}

func TestSequenceLimit(t *testing.T) {
	m := manager(t, memmgr.Options{})
	tb, other := newTable(t, m, "table", 8, 16), newTable(t, m, "other", 8, 16)
	s, full := tb.s, int(tb.s.Layout().Capacity())
	refused := func(rows int, n int) {
		t.Helper()
		_, err := s.Append()
		_, k, err2 := s.AppendRun(n)
		for _, err := range []error{err, err2} {
			if !errors.Is(err, memmgr.ErrSequenceLimit) {
				t.Fatalf("with %d rows: %v", s.Len(), err)
			}
			for _, word := range []string{`"table"`, "SetLimit"} {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("%v: it does not say %s", err, word)
				}
			}
		}
		if s.Len() != rows || k != 0 {
			t.Fatalf("%d rows after a refusal, want %d", s.Len(), rows)
		}
		tb.compare(t)
	}
	s.SetLimit(1)
	if s.Limit() != 1 {
		t.Errorf("limit %d", s.Limit())
	}
	refused(0, 5)
	s.SetLimit(16 << 10) // a small chunk, and not a full one
	tb.append(t, 10)
	for {
		l, err := s.Append()
		if err != nil {
			break
		}
		s.SwapRemove(l)
		tb.append(t, 1)
	}
	if s.Len() < 20 || s.Bytes() > 16<<10 {
		t.Errorf("%d rows in %d bytes fit", s.Len(), s.Bytes())
	}
	refused(s.Len(), full)
	s.SetLimit(chunk.Bytes)
	tb.append(t, full-s.Len())
	refused(full, 1)
	s.SetLimit(3*chunk.Bytes - 1)
	tb.append(t, full)
	refused(2*full, 1)
	s.SetLimit(3 * chunk.Bytes)
	tb.append(t, 1)
	s.SetLimit(1) // chunks beyond it stay, their room too
	tb.append(t, full-1)
	refused(3*full, 1)
	other.append(t, 3*full+1) // one sequence's limit is not another's
	s.SetLimit(3 * chunk.Bytes)
	s.DropChunks(1)
	tb.model = tb.model[full:]
	tb.append(t, full)
	refused(3*full, 1)
	s.SetLimit(0)
	tb.append(t, full)
	tb.compare(t)
}
