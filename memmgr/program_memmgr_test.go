package memmgr_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr"
)

// A Col that several sequences share reaches the rows of all of them, also when the first
// one is gone.
func TestSharedCol(t *testing.T) {
	m := manager(t, memmgr.Options{})
	var shared memmgr.Col[time8]
	var first, second memmgr.Col[box16]
	a, b := newRows(t, m, "a", &shared, &first), newRows(t, m, "b", &second, &shared)
	add(t, a, 3)
	add(t, b, 3)
	for i := range 3 {
		shared.Set(a.At(i), time8(i))
		shared.Set(b.At(i), time8(10+i))
		second.Set(b.At(i), box16{uint64(i)})
	}
	if got, other := shared.Slice(a.At(0)), shared.Slice(b.At(1)); !slices.Equal(got, []time8{0, 1, 2}) || !slices.Equal(other, []time8{11, 12}) {
		t.Errorf("%v and %v", got, other)
	}
	a.Drop()
	if got := shared.Slices(b); len(got) != 1 || !slices.Equal(got[0], []time8{10, 11, 12}) || *second.At(b.At(2)) != (box16{2}) {
		t.Errorf("%v", got)
	}
}

// A refused NewSequence leaves columns as they were.
func TestNewSequenceRefuses(t *testing.T) {
	m, other := manager(t, memmgr.Options{}), manager(t, memmgr.Options{})
	var a, b memmgr.Col[time8]
	var text memmgr.Col[struct{ Name string }]
	var large memmgr.Col[[60_000]byte]
	var larger memmgr.Col[[10_000]byte]
	var foreign memmgr.Col[time8]
	newRows(t, other, "theirs", &foreign)
	for _, c := range []struct {
		name    string
		columns []memmgr.Column
		words   string
	}{
		{"s", []memmgr.Column{&a, nil}, `sequence "s": column 1 is nil: pass the address of a Col, or ColumnOfType`},
		{"s", []memmgr.Column{memmgr.Named("x", (*memmgr.Col[int64])(nil))}, `sequence "s": column 0 is nil`},
		{"s", []memmgr.Column{&a, &b, &a}, `sequence "s": columns 0 and 2 are one Col: declare one for each column`},
		{"s", []memmgr.Column{&a, &text}, `sequence "s": column 1: chunk: struct { Name string } has a Go pointer at`},
		{"s", []memmgr.Column{&large, &larger}, "no layout"},
		{"s", []memmgr.Column{&a, &foreign}, "column 1 is used by another manager"},
		{"", []memmgr.Column{&a}, "the name is empty"},
	} {
		if s, err := m.NewSequence(c.name, c.columns...); s != nil || err == nil || !strings.Contains(err.Error(), c.words) || !strings.HasPrefix(err.Error(), "memmgr: ") {
			t.Errorf("%v, want %q", err, c.words)
		}
	}
	if unbound := (memmgr.Col[time8]{}); a != unbound {
		t.Error("a column of no sequence is bound")
	}
	add(t, newRows(t, m, "s", &a, &b), 1)
}

// DropFirst takes whole chunks of rows that are all among the first n.
func TestDropFirst(t *testing.T) {
	for _, rows := range []int{0, 5, 30_000} {
		m := manager(t, memmgr.Options{})
		var c memmgr.Col[time8]
		s := newRows(t, m, "s", &c)
		add(t, s, rows)
		full := 0
		for i, l := 0, 0; l < rows; i++ {
			values := c.Slice(s.At(l))
			full = max(full, len(values))
			for k := range values {
				values[k] = time8(l + k)
			}
			l += len(values)
		}
		gone := 0
		for _, n := range []int{0, 1, full - 1, full, full + 1, rows / 2, rows, rows + 1} {
			left := rows - gone
			want := max(n, 0) / max(full, 1) * full
			if n >= left {
				want = left
			}
			if n < 0 {
				continue
			}
			if got := s.DropFirst(n); got != want || s.Len() != left-want {
				t.Errorf("%d of %d rows: %d went, want %d; %d are left", n, left, got, want, s.Len())
			}
			if gone += want; s.Len() > 0 && *c.At(s.At(0)) != time8(gone) {
				t.Errorf("the first row is %d, want %d", *c.At(s.At(0)), gone)
			}
		}
		panics(t, func() { s.DropFirst(-1) }, "memmgr: DropFirst of -1 rows: the number can't be negative")
	}
}

// Each safe point gives back the due memory: all at once by Purge.
func TestSafePoints(t *testing.T) {
	m := manager(t, memmgr.Options{})
	now := time.Unix(100, 0)
	if err := m.Adapt(memmgr.AdaptOptions{Clock: func() time.Time { return now }}); err != nil {
		t.Fatal(err)
	}
	var c memmgr.Col[box16]
	s := newRows(t, m, "s", &c)
	for name, f := range map[string]func() error{
		"EndFrame": m.EndFrame,
		"Idle":     func() error { return m.Idle(now) },
		"Purge":    func() error { _, err := m.Purge(); return err },
	} {
		add(t, s, 500_000)
		s.RemoveRange(1, s.Len())
		for range 3 { // memory that went out of use is in quarantine
			if err := m.EndFrame(); err != nil {
				t.Fatal(err)
			}
		}
		if m.Stats().Arena.Idle == 0 {
			t.Fatalf("%s: nothing is idle", name)
		}
		calls := 0
		for ; m.Stats().Arena.Idle > 0; calls++ {
			if err := f(); err != nil {
				t.Fatal(name, err)
			}
			if now = now.Add(time.Second); calls == 1000 {
				t.Fatalf("%s: %d bytes are idle after %d seconds", name, m.Stats().Arena.Idle, calls)
			}
		}
		if err := f(); err != nil || name == "Purge" && calls > 3 || name != "Purge" && calls < 3 {
			t.Errorf("%s: nothing is idle after %d calls, %v", name, calls, err)
		}
	}
}

// Pinned rows stay readable, Close fails, and budgets are shared.
func TestPinAndBudget(t *testing.T) {
	budget := arena.NewBudget(64 << 20)
	m := manager(t, memmgr.Options{Arena: arena.Options{Budget: budget}})
	var c memmgr.Col[box16]
	s := newRows(t, m, "s", &c)
	add(t, s, 10_000)
	c.Set(s.At(9999), box16{7, 8})
	unpin, chunks := s.Pin(), c.Slices(s)
	if err := m.Close(); err == nil || !strings.Contains(err.Error(), memmgr.ErrPinned.Error()) || budget.Used() == 0 {
		t.Errorf("%v, %d bytes used", err, budget.Used())
	}
	if n := m.Stats().Pins; n != uint64(len(chunks)) {
		t.Errorf("%d pins of %d chunks", n, len(chunks))
	}
	s.Drop()
	if _, err := m.Purge(); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, values := range chunks {
		n += len(values)
	}
	if last := chunks[len(chunks)-1]; n != 10_000 || last[len(last)-1] != (box16{7, 8}) {
		t.Errorf("%d rows, the last is %v", n, last[len(last)-1])
	}
	unpin()
	unpin()
}

// Advance returns the tick that ended: later writes are changes since.
func TestAdvance(t *testing.T) {
	m := manager(t, memmgr.Options{})
	var a, b memmgr.Col[time8]
	s := newRows(t, m, "s", &a, &b)
	add(t, s, 2)
	l := s.At(1)
	for i, write := range []func(){func() { a.Set(l, 1) }, func() { a.Written(l) }} {
		since := m.Advance()
		if a.Changed(l, since) || b.Changed(l, since) {
			t.Errorf("way %d: changed before it was written", i)
		}
		if write(); !a.Changed(l, since) || b.Changed(l, since) || !a.Changed(s.At(0), since) {
			t.Errorf("way %d: changed %v, the other column %v", i, a.Changed(l, since), b.Changed(l, since))
		}
	}
}

// Adapt names every option that must not be negative, and changes nothing then.
func TestAdaptInvalid(t *testing.T) {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var o memmgr.AdaptOptions
	o.Every, o.Frame = -1, -time.Second
	if err := m.Adapt(o); err == nil || err.Error() != "memmgr: AdaptOptions.Every is -1: it must not be negative; 0 is the default; AdaptOptions.Frame is -1s: it must not be negative; 0 is the default" {
		t.Error(err)
	}
	o.Every, o.Frame, o.Decay = 0, 0, -1
	if err := m.Adapt(o); err != nil {
		t.Error(err)
	}
}
