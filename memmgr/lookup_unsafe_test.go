package memmgr

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
)

// Lookup finds a value by its entry, and asks where that does not tell: of another version, of an
// index behind the list, of a chunk without the column, and of a partial column. LookupMarked finds it
// if its chunk was marked in this tick, too.
func TestLookup(t *testing.T) {
	m, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	spec, dir := chunk.Spec{Size: 8, Align: 8}, new(Directory)
	m.Prepare(dir, spec)
	add := func(name string, c ColumnSpec) Loc {
		s, err := m.MakeSequence(name, []ColumnSpec{c})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if _, err := s.Append(); err != nil {
				t.Fatal(err)
			}
		}
		return s.At(2)
	}
	whole := add("whole", ColumnSpec{Spec: spec, Directory: dir})
	partial := add("partial", ColumnSpec{Spec: spec, Directory: dir, Partial: true})
	without := add("without", ColumnSpec{Spec: spec})

	const version = 3 << LocBits
	bare := version | uint64(MakeLoc(0, 7)) // a location without a chunk
	list := []uint64{0, version | uint64(whole), version | uint64(partial), version | uint64(without), bare, 0}
	asked := uint64(0)
	slow := func(d *Directory, key uint64) unsafe.Pointer {
		if asked = key; d != dir {
			t.Error("another directory is asked for")
		}
		return unsafe.Pointer(&asked)
	}
	for _, tt := range []struct {
		what    string
		entries []uint64
		key     uint64
		found   bool
	}{
		{"an entry", list[:5], version | 1, true},
		{"the last entry", list[:2:2], version | 1, true},
		{"another version", list[:5], version + 1<<LocBits | 1, false},
		{"a partial column", list[:5], version | 2, false},
		{"a chunk without the column", list[:5], version | 3, false},
		{"no chunk", list[:5], version | 4, false},
		{"behind the list", list[:5], version | 77, false},
		{"no list", nil, version | 1, false},
	} {
		if tt.what == "the last entry" {
			tt.entries = []uint64{0, list[1], 0}[:2]
		}
		dir.SetEntries(tt.entries)
		asked = 0
		p := dir.Lookup(slow, tt.key, 8)
		if found := p == unsafe.Add(dir.Addr(whole.Chunk()), whole.Index()*8); found != tt.found || (asked == tt.key) == found {
			t.Errorf("%s: found %v, asked for %#x", tt.what, found, asked)
		}
	}
	dir.SetEntries(list[:5])
	if w, at, listed := dir.Entry(version | 2); !listed || w != list[2] || at != dir.Place(w) || !dir.LooksUp(list[:5]) || dir.LooksUp(list[:4]) || dir.LooksUp(nil) {
		t.Error("other entries than those that were set")
	}
	dir.SetEntries(nil)
	if w, _, listed := dir.Entry(version | 2); listed || w != 0 {
		t.Errorf("without a list there is entry %#x", w)
	}
	if p := dir.Lookup(slow, 0, 8); p != nil && p != unsafe.Pointer(&asked) {
		t.Errorf("the zero key has an address: %p", p)
	}
	dir.SetEntries(list[:5])
	found := func() bool {
		return dir.LookupMarked(slow, version|1, 8) == unsafe.Add(dir.Addr(whole.Chunk()), whole.Index()*8)
	}
	for what, x := range map[string]struct {
		do   func()
		want bool
	}{
		"marked in this tick":           {func() {}, true},
		"marked in another tick":        {func() { m.Advance() }, false},
		"marked again":                  {func() { m.Advance(); dir.Mark(whole, m.Tick()) }, true},
		"marked, and forgotten":         {func() { dir.Mark(whole, 0) }, false},
		"marked, and in a larger table": {func() { dir.resize(2 * (dir.mask + 1)) }, true},
	} {
		dir.Mark(whole, m.Tick())
		if x.do(); found() != x.want || x.want && dir.CellOf(whole).Stamp != m.Tick() {
			t.Errorf("a value of a chunk %s: found %v, stamp %d in tick %d", what, found(), dir.CellOf(whole).Stamp, m.Tick())
		}
	}
	if asked = 0; dir.LookupMarked(slow, version|3, 8) != unsafe.Pointer(&asked) || dir.LookupMarked(slow, version+1<<LocBits|1, 8) != unsafe.Pointer(&asked) {
		t.Error("a value is found that is not there")
	}
	dir.Mark(whole, m.Tick())
	dir.CellOf(whole).Stamp--
	if err := m.Check(); err == nil {
		t.Error("a chunk is marked and not stamped, and Check says nothing")
	}
	own := dir.Place(uint64(partial)).Own()
	*own = uint64(partial.Chunk()) | m.Tick()<<chunkBits // as an address might be
	dir.Mark(partial, m.Tick())
	if asked = 0; dir.LookupMarked(slow, version|2, 8) != unsafe.Pointer(&asked) || *own != uint64(partial.Chunk())|m.Tick()<<chunkBits || dir.CellOf(partial).Stamp != m.Tick() {
		t.Error("the user's number in the place of a partial column is a mark, or overwritten by one")
	}
	if at := dir.Place(uint64(partial)); !at.Is(uint64(partial)) || at.Own() == nil || dir.Place(uint64(whole)).Own() != nil {
		t.Error("a partial column is not told from a whole one")
	}
}

// No place is that of chunk 0, whatever other chunks a directory has, has had, or never had: an entry whose location
// has no chunk finds nothing.
func TestNoChunkHasNoPlace(t *testing.T) {
	m, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	dir := new(Directory)
	m.Prepare(dir, chunk.Spec{Size: 8, Align: 8})
	const version = 3 << LocBits
	list := []uint64{version | uint64(MakeLoc(0, 7)), 0}[:1]
	missed := func(*Directory, uint64) unsafe.Pointer { return nil }
	check := func(what string) {
		t.Helper()
		dir.SetEntries(list)
		if at := dir.Place(list[0]); at.Is(list[0]) || dir.Lookup(missed, version, 8) != nil || dir.LookupMarked(missed, version, 8) != nil {
			t.Errorf("%s: chunk 0 has a place", what)
		}
	}
	check("without chunks")
	var seqs []*Sequence
	for i := range 40 {
		s, err := m.MakeSequence(fmt.Sprint("rows ", i), []ColumnSpec{{Spec: chunk.Spec{Size: 8, Align: 8}, Directory: dir}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Append(); err != nil {
			t.Fatal(err)
		}
		seqs = append(seqs, s)
		check("with a chunk more")
		if i > 0 && i%8 == 0 {
			dir.resize(2 * (dir.mask + 1))
			check("with twice the places")
		}
	}
	mirror := new(Directory)
	mirror.Mirror(dir, func(id chunk.ID) unsafe.Pointer { return dir.Addr(id) })
	if mirror.Place(list[0]).Is(list[0]) {
		t.Error("in a copy: chunk 0 has a place")
	}
	for _, s := range seqs {
		s.Drop()
		check("with a chunk less")
	}
}
