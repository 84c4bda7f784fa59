package memmgr

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// A sequence is made and dropped here. Its shape is shared with all that have the same columns, and
// its directories with the sequences that were given the same ones. It has no memory before its
// first row: some hundred bytes on the Go heap are all that an empty one costs.

// ColumnSpec is one column of a sequence.
type ColumnSpec struct {
	// Spec is its size and alignment.
	chunk.Spec
	// Directory, if not nil, is the directory to keep the column's addresses in;
	// several sequences of one manager may share it. Nil makes one for this
	// sequence alone.
	Directory *Directory
	// Partial says that not all rows have a value, so that Directory.Lookup passes over them.
	Partial bool

	named columnName
}

// MakeSequence makes an empty sequence of the given columns. Its name stands in
// messages, statistics and maps, and no other sequence of the manager may have it. It
// takes no memory before the first row. It fails if a row does not fit in a chunk, if
// the name is empty or taken, or if a directory is another manager's or stated twice.
func (m *Manager) MakeSequence(name string, columns []ColumnSpec) (*Sequence, error) {
	defer m.use("MakeSequence")()
	if m.closed {
		return nil, fmt.Errorf("memmgr: sequence %q: %w", name, arena.ErrClosed)
	}
	s := &Sequence{manager: m, name: name, shifts: &m.uncounted, dirs: make([]*Directory, len(columns))}
	if err := s.declare(columns); err != nil {
		return nil, fmt.Errorf("memmgr: sequence %q: %w", name, err)
	}
	if m.names == nil {
		m.names = make(map[string]*Sequence)
	}
	m.names[name] = s
	s.asked()
	s.place = len(m.seqs)
	m.seqs = append(m.seqs, s)
	return s, nil
}

// declare looks at the name and the columns of a new sequence, and gives it its shape and its
// directories. Directories are changed once nothing can fail any more.
func (s *Sequence) declare(columns []ColumnSpec) (err error) {
	m := s.manager
	switch {
	case s.name == "":
		return errors.New("the name is empty: maps and messages tell sequences by their names")
	case m.names[s.name] != nil:
		return errors.New("there is a sequence of that name: choose another one, or Drop that first")
	}
	m.naming++
	specs := make([]chunk.Spec, len(columns))
	private := 0
	for i, c := range columns {
		specs[i] = c.Spec
		if err := s.inform(i, columns); err != nil {
			return err
		}
		if c.Partial {
			s.partial = append(s.partial, make([]bool, len(columns)-len(s.partial))...)
			s.partial[i] = true
		}
		if s.dirs[i] = c.Directory; c.Directory == nil {
			private++
		} else if err := s.share(i, c); err != nil {
			return err
		}
	}
	if s.shape, err = m.book.ShapeOf(specs); err != nil {
		return err
	}
	own := make([]Directory, private)
	for i := range s.dirs {
		if s.dirs[i] == nil {
			s.dirs[i], own = &own[0], own[1:]
		}
		m.adopt(s.dirs[i], specs[i])
	}
	return nil
}

// share returns an error if the directory of column i can't be used for it.
func (s *Sequence) share(i int, c ColumnSpec) error {
	d := c.Directory
	switch {
	case d.book != nil && d.book != s.manager.book:
		return fmt.Errorf("column %d is used by another manager: make one for each manager", i)
	case d.book != nil && d.spec != c.Spec:
		return fmt.Errorf("column %d has %d bytes aligned to %d elsewhere, and %d aligned to %d here: make one for each column", i, d.spec.Size, d.spec.Align, c.Size, c.Align)
	}
	if d.named == s.manager.naming {
		if j := slices.Index(s.dirs[:i], d); j >= 0 {
			return fmt.Errorf("columns %d and %d are one: make one for each column", j, i)
		}
	}
	d.named = s.manager.naming
	return nil
}

// SetKey notes a number of the user's, by which it finds its own record of the sequence;
// 0 to begin with. The places of its chunks have it too, which is quicker to look up from a
// location. It panics if there are chunks already.
func (s *Sequence) SetKey(key uint32) {
	if s.busy() {
		panic(fmt.Sprintf("memmgr: SetKey of %q, which has chunks: call it before the first row", s.name))
	}
	s.key = key
}

// Key is the number that SetKey has noted.
func (s *Sequence) Key() uint32 { return s.key }

// SmallPages says whether rows that come lie in pages of the system's usual size, however many there are: a part of a
// column that is never written takes no memory then. Otherwise long sequences lie in huge pages. Rows that
// are there stay where they are.
func (s *Sequence) SmallPages(on bool) { s.home.Small = on }

// Drop removes all rows, and the sequence from its manager. It costs a little for each chunk. A
// second call does nothing.
func (s *Sequence) Drop() {
	s.manager.mustBeMade("Drop")
	if s.gone() || s.manager.closed {
		return
	}
	s.Truncate(0)
	defer s.manager.use("Drop")()
	s.freeSpare()
	s.freeEmpty()
	m := s.manager
	delete(m.names, s.name)
	m.seqs[s.place], s.place = nil, -1
	if m.dropped++; m.dropped > len(m.seqs)/2 {
		m.live()
	}
}

// forget drops all addresses after the memory has gone.
func (s *Sequence) forget() {
	for _, d := range s.dirs {
		d.reset()
	}
	s.chunks, s.spare, s.home = nil, 0, spot.Home{}
	s.setTail(0, 0, 0)
}

// Prepare makes a directory ready for lookups before a sequence uses it.
func (m *Manager) Prepare(d *Directory, spec chunk.Spec) {
	m.mustBeMade("Prepare")
	if d == nil {
		panic("memmgr: Prepare of a nil directory: pass the one that sequences will share")
	}
	m.adopt(d, spec)
}

// inform notes the name and type of column i.
func (s *Sequence) inform(i int, columns []ColumnSpec) error {
	of := columns[i].named
	if of.name == "" {
		return nil
	}
	if j := slices.IndexFunc(columns[:i], func(c ColumnSpec) bool { return c.named.name == of.name }); j >= 0 {
		return fmt.Errorf("columns %d and %d are both %q: names of a sequence's columns are unique", j, i, of.name)
	}
	if s.columns == nil {
		s.columns = make([]columnName, len(columns))
		for k := range columns {
			s.columns[k] = columns[k].named
		}
	}
	return nil
}

// adopt makes a directory the manager's, which is known by its book.
func (m *Manager) adopt(d *Directory, spec chunk.Spec) {
	if d.book == nil {
		m.colours++
		d.colour = m.colours
	}
	d.book, d.spec = m.book, spec
	if d.now = &m.mark; d.places == nil {
		d.places = nowhere()
		d.cells = d.places
	}
	if d.entries == nil {
		d.SetEntries(nil)
	}
}
