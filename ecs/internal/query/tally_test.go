package query

import (
	"testing"

	"github.com/ashlar-go/ashlar/internal/chunk"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// What is added up of a source is told once, also when another source takes its number, and
// before the sum has no room.
func TestTallies(t *testing.T) {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	type sum struct{ rows, chunks int }
	told := map[*memmgr.Sequence]sum{}
	c := &Cursor{Visit: func(s *memmgr.Sequence, rows, chunks int) {
		told[s] = sum{told[s].rows + rows, told[s].chunks + chunks}
	}}
	var seqs [2]*memmgr.Sequence
	for i, name := range []string{"a", "b"} {
		if seqs[i], err = m.NewSequence(name, []memmgr.Column{{Spec: chunk.Spec{Size: 8, Align: 8}}}); err != nil {
			t.Fatal(err)
		}
		if _, err := seqs[i].Append(); err != nil {
			t.Fatal(err)
		}
	}
	a, b := seqs[0], seqs[1]
	c.walk = 1
	c.tally(2)
	c.count(0, a, 3) // told at once
	c.count(0, a, 4)
	if told[a] != (sum{3, 1}) {
		t.Errorf("%+v are told at once, want 3 rows", told[a])
	}
	c.count(0, b, 5) // and a's are told
	c.count(0, b, 6)
	c.count(1, a, 7)
	if told[a] != (sum{14, 3}) || told[b] != (sum{5, 1}) {
		t.Errorf("once another has the number, %+v and %+v are told", told[a], told[b])
	}
	c.walk = tellEvery
	c.tally(2)
	for range 2 {
		if told[a] != (sum{14, 3}) || told[b] != (sum{11, 2}) {
			t.Errorf("in the end, %+v and %+v are told", told[a], told[b])
		}
		c.Tell()
	}
}
