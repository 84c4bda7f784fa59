package store

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Check names what is wrong about unseen rows.
func TestCheckNamesUnseen(t *testing.T) {
	for _, c := range []struct {
		name, want string
		harm       func(s *Store, x *unseenSpan, seen memmgr.Loc)
	}{
		{"nothing", "", func(*Store, *unseenSpan, memmgr.Loc) {}},
		{"a bit", "has 1 spans of unseen rows, and its bit says false", func(s *Store, x *unseenSpan, _ memmgr.Loc) { s.unseen.bits[x.at.Chunk()/64] = 0 }},
		{"a span twice", "are unseen, behind row", func(s *Store, x *unseenSpan, _ memmgr.Loc) {
			s.unseen.spans[x.at.Chunk()] = append(s.unseen.spans[x.at.Chunk()], *x)
		}},
		{"a span behind the rows", "are unseen, behind row", func(s *Store, x *unseenSpan, _ memmgr.Loc) { x.n += 20 }},
		{"a record", "is unseen, and its record says", func(s *Store, x *unseenSpan, _ memmgr.Loc) {
			s.Commons.words.flat[x.first.Index()+7] = word(x.first+7, x.at.Plus(7))
		}},
		{"a row before", "whose entry says", func(s *Store, _ *unseenSpan, seen memmgr.Loc) { s.putEntity(seen, s.entityIn(seen.Plus(1))) }},
		{"a row too many", "entries for", func(s *Store, _ *unseenSpan, _ memmgr.Loc) { s.unseen.left++ }},
	} {
		m, err := memmgr.New(memmgr.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, x := New(m, Options{MaxEntities: 1 << 16}), new(Component)
		s.Register(x, "x", chunk.Spec{Size: 8, Align: 8}, Fixed, false)
		values := make([]uint64, 511+1024)
		if err := s.NewBundle([]*Component{x}, []uintptr{0}).SpawnAll(len(values), raw.Data(values), 8); err != nil {
			t.Fatal(err)
		}
		if err := s.Check(); err != nil || s.Unseen() != 1024 {
			t.Fatalf("%d of %d rows are unseen: %v", s.Unseen(), s.Len(), err)
		}
		first := s.unseen.index[0].at.Chunk()
		c.harm(s, &s.unseen.spans[first][0], memmgr.MakeLoc(first, 0))
		switch err := s.Check(); {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}
