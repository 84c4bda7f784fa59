package source

import (
	"slices"
	"sync"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/match"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/views"
)

// kind is where the values of a column come from: see the package comment. The order counts:
// kinds of the table's own column come first, and kind <= picked asks for one of them.
type kind uint8

const (
	inPlace kind = iota
	picked
	gathered
	scarce
	kept
	spread
	asked
	zeros
)

// source is a column as the table under way has it. Two kinds are kept: kind is good until the
// next Enter, and now until the next Bring. They differ where a batch decides. A batch of numbers
// picks columns in place, and a gathered column may be kept or spread for one batch. New sets the rest;
// these change:
//
//	Enter   of, kind, gaps
//	Bring   now, base, skip, presence
//	Put     nothing: until the next Bring handles find the brought values
type source struct {
	of       *store.Component // the column's, or the one that stands for it in a group
	kind     kind
	now      kind     // in the batch under way
	gaps     bool     // rows that match may lack it, though the table has the column
	write    bool     // as Column.Write
	strided  bool     // as Column.Strided
	alias    bool     // another walk has the component, or may have it: it is not copied in this one
	field    uint32   // offset in the struct
	part     uintptr  // offset of Column.Part in a value, in bytes
	size     uintptr  // size of that part, in bytes
	base     raw.Ptr  // the value of the batch's row number skip
	skip     int      // 0, unless values are spread: then the first row of the stretch under way
	scratch  []uint64 // room for copies of a batch
	presence []uint64 // a bit for each row of the batch: has the component
	far      *far     // nil until the column was gathered
	weft     *weft    // of a split component's field; else nil
}

// Set is the sources of a struct in one walk. A table is entered (Enter) and left (Leave). In
// between, rows of it are brought (Bring) and put back (Put), any number of times.
//
//	Begin ─► Enter ─► Bring ─► Fill… ─► Put ─► Leave ─► the next Enter, or the end
//	                    ▲                │
//	                    └────────────────┘
//
// Leave has to follow Enter even after a panic. Otherwise components stay lent, and handles ask a
// set whose copies are gone. A Bring that returns false is followed by no Fill and no Put.
//
// Scratch grows to the largest batch and is kept, so a steady walk allocates nothing. Bring may
// replace scratch: addresses of copies are valid for one batch alone.
type Set struct {
	fields  *Fields
	store   *store.Store
	manager *memmgr.Manager
	finding *sync.Mutex        // of the caches of tables, if others walk at the same time; else nil
	copied  []*store.Component // that are lent then: no other system has them
	ownTick uint64             // tick of the walk, if walks of other ticks go on; 0: the manager's

	sources []source
	table   *store.Table   // set by Enter, and not cleared by Leave
	serving *Serving       // of that table, from Enter to Leave; nil: nothing is known
	marks   []marked       // written columns with ticks row by row, of that table
	names   bool           // batches need their entities
	aliased bool           // other walks have some component
	tested  bool           // some rows of the table may not match, so columns in place may be picked
	spread  bool           // some column of the batch under way is spread
	writes  bool           // the struct writes something
	weaves  bool           // some column is woven
	walk    uint64         // counts walks: places and cells are good for one
	batch   uint64         // counts calls of Bring: places.batch compares with it
	sought  uint64         // counts calls of Seek: places.sought compares with it
	handles []store.Entity // of a batch of numbers, side by side
	all     []uint16       // 0, 1, 2, …: grows, and is never written otherwise
	lanes   []lane         // of EachRow
	lent    *lent
}

// New returns the sources of a struct, for one walk at a time. Finding, unless it is nil, guards all that
// tables keep: others walk at the same time then, and gaps are cleared in copies. Clearing a gap in
// the column would write bytes that another goroutine may clear at the same time.
func New(s *store.Store, m *memmgr.Manager, f *Fields, finding *sync.Mutex) *Set {
	both := &struct { // side by side: each batch reads both
		s Set
		l lent
	}{}
	set := &both.s
	*set = Set{fields: f, lent: &both.l, store: s, manager: m, finding: finding, sources: make([]source, len(f.Columns))}
	for j := range f.Columns {
		c := &f.Columns[j]
		set.sources[j] = source{write: c.Write, strided: c.Strided, alias: set.reached(c), field: uint32(c.Offset), part: c.Part.Offset, size: c.Part.Size}
		set.writes = set.writes || c.Write
		set.warp(j)
	}
	set.lent.Copy, set.lent.Refresh = set.copyOf, set.lent.parts.refresh
	return set
}

// Lends has a set of walks beside others lend copies of some components.
func (s *Set) Lends(copied []*store.Component) { s.copied = copied }

// reached tells whether a column is passed where it lies in all walks of the set.
func (s *Set) reached(c *Column) bool { return c.Reached && s.finding != nil }

// SetTick has written values be stamped with a tick until the next call: walks of other systems may go on, which
// count as before this one or behind it. 0 is the manager's tick.
func (s *Set) SetTick(tick uint64) { s.ownTick = tick }

// tick is the tick of the walk under way.
func (s *Set) tick() uint64 {
	if s.ownTick > 0 {
		return s.ownTick
	}
	return s.manager.Tick()
}

// Begin begins a walk. Alias tells which components other walks have that are under way, if any are.
// A walk that is alone passes nil, and pays nothing for columns unless the last one was not alone.
func (s *Set) Begin(alias func(c *Column) bool) {
	if s.walk++; alias != nil || s.aliased {
		s.alias(alias)
	}
}

// alias is Begin where other walks are under way, or were the last time. Two walks that had
// copies of one value, one of them written, would see different values. So such columns are passed
// where they lie, and their parts are asked for by handle. (Written into Begin, it would keep that from being inlined.)
//
//go:noinline
func (s *Set) alias(alias func(c *Column) bool) {
	s.aliased = false
	for j := range s.sources {
		x := &s.sources[j]
		c := &s.fields.Columns[j]
		x.alias = s.reached(c) || alias != nil && alias(c)
		s.aliased = s.aliased || x.alias
	}
}

// Enter begins with a table. Extents say for each column which rows have it. Comps are the components of the
// columns there. Serving, unless it is nil, has the facts of columns that the table lacks. Tested
// says that some rows may not match.
//
// The kind of each column is decided here, so that batches only look it up. It reads no row. A
// pinned component is read in place by inlined code, which never asks for copies. So a whole one is
// spread where it would be copied otherwise.
func (s *Set) Enter(t *store.Table, extents []match.Extent, comps []*store.Component, serving *Serving, tested bool) {
	s.table, s.serving, s.marks, s.tested = t, serving, s.marks[:0], tested
	s.names = s.fields.Entities >= 0 || len(s.fields.Presences) > 0
	for j := range s.sources {
		x, c, at := &s.sources[j], &s.fields.Columns[j], extents[j]
		x.of = comps[j]
		x.gaps = c.Optional && at == match.Some
		switch {
		case at == match.None:
			x.kind = zeros
		case c.alone() && (x.alias || x.of.Pinned() && (tested || at == match.Elsewhere)):
			x.kind = spread
		case x.alias || x.weft != nil && x.of.Pinned(): // a whole value is never passed where its fields lie
			x.kind = asked
		case at == match.Elsewhere:
			x.kind = s.scarcely(j, c)
		case c.InPlace() && !(x.gaps && s.finding != nil):
			x.kind = inPlace
		default:
			x.kind = picked
		}
		if c.Write && x.of.AsksRows() && at != match.None {
			s.marks = append(s.marks, marked{x.of, at == match.Elsewhere})
		}
		s.names = s.names || x.kind != inPlace && x.kind != picked && x.kind != zeros
	}
	s.names = s.names || len(s.marks) > 0
	if serving == nil {
		return
	}
	serving.Begin()
	for j := range s.sources {
		if s.sources[j].kind == gathered {
			serving.Bind(j)
		}
	}
}

// Leave ends with the table; after a panic, too. It puts nothing back: after a panic, the values
// that the call wrote to copies are lost.
func (s *Set) Leave() {
	s.unlend()
	s.serving = nil
	if s.aliased {
		s.refreshOthers() // of structs of pointers, which have no Put
	}
}

// Bring finds the values of a batch. If the batch is a guess, it tells whether all rows have all that
// the struct needs: if not, nothing was marked.
//
// Marking is a loop of its own behind the one that finds: a guess may fail at the last column.
// Columns of the table are stamped before the call. Gathered ones are stamped when they are copied
// back, in the chunks that get them. A batch in place costs an address for each column, whatever
// its number of rows.
func (s *Set) Bring(b *Batch) bool {
	s.batch++
	copies := false
	s.spread = false
	for j := range s.sources {
		x := &s.sources[j]
		if x.now, x.skip = x.kind, 0; x.kind == inPlace && b.Rows == nil {
			x.base = raw.At(x.of.Dir.Addr(b.ID), uintptr(b.First)*x.of.Size+x.part)
		} else if !s.bring(j, b) {
			return false
		}
		if x.gaps {
			x.has(s.bitsOf(x.of, b), b)
			x.blank(b.N)
		}
		copies = copies || x.now != inPlace && x.now != spread
		s.spread = s.spread || x.now == spread
	}
	if s.weaves {
		s.weave(b)
	}
	if s.writes {
		for j := range s.sources {
			if x := &s.sources[j]; x.write && x.now <= picked {
				b.stamp(x.of, s.tick())
			}
		}
	}
	if copies {
		s.lend(b)
	}
	return true
}

// bring is Bring for a column that is not passed in place. It sets now, base and, if rows may lack
// the component, presence. Rows of other tables cost one look-up each, and a picked row one copy.
func (s *Set) bring(j int, b *Batch) (all bool) {
	x, c := &s.sources[j], &s.fields.Columns[j]
	switch x.kind {
	case inPlace, picked:
		x.now = picked
		if x.weft != nil {
			return true // weave copies it, once
		}
		rows, first := s.rows(b, x)
		x.base = x.room(b.N)
		raw.Pick(x.base, first, rows, x.of.Size, x.size)
	case gathered:
		return s.bringFar(j, b)
	case scarce:
		s.bringScarce(x, b)
	case zeros:
		x.zero(b.N)
	default:
		return s.bringSpread(x, c, b)
	}
	return true
}

// Fill fills the struct with n rows of the batch, from a row of it on. It returns how many they
// are: less if values are spread.
//
// Each spread column can only shorten n, so the shortest stretch is passed and the caller asks for
// the rest. Slices have no spare capacity: an append in a system can't reach rows that follow.
func (s *Set) Fill(into raw.Ptr, b *Batch, row, n int) int {
	for j := range s.sources {
		if x := &s.sources[j]; s.spread && x.now == spread {
			n = s.stretch(x, b, row, n)
		}
	}
	for j := range s.sources {
		x := &s.sources[j]
		step := x.step()
		if x.weft != nil {
			raw.SetSlice(into, x.field, x.weft.at(row), n)
		} else {
			raw.SetSlice(into, x.field, raw.At(x.base, uintptr(row-x.skip)*step), n)
		}
		if x.strided {
			raw.SetStride(into, x.field, step)
		}
	}
	if s.fields.Entities >= 0 {
		raw.SetSlice(into, uint32(s.fields.Entities), raw.Data(b.Entities[row:]), n)
	}
	for _, p := range s.fields.Presences {
		*raw.As[[]uint64](raw.At(into, p.Offset)) = s.sources[p.Column].shown(row, n)
	}
	return n
}

// FillRows fills the field for the numbers of the rows that match.
func (s *Set) FillRows(into raw.Ptr, rows []uint16) {
	raw.SetSlice(into, uint32(s.fields.Rows), raw.Data(rows), len(rows))
}

// Put copies back the copies of a batch that were written. It is called once for each Bring, after
// the last call with rows of the batch. A struct that only reads has nothing to copy, but handles
// may have written to its copies: settle puts these back. Values written to the rows themselves
// is taken over first, or copies of fields would hide it.
func (s *Set) Put(b *Batch) {
	l := s.lent
	if l.on {
		if l.batch = nil; len(l.parts.list) > 0 {
			l.parts.refresh(true)
			l.parts.clear()
		}
	}
	if s.writes {
		s.putBack(b)
	}
	if l.on {
		s.settle()
	}
	if s.aliased {
		s.refreshOthers()
	}
}

// refreshOthers has walks around this one see its writes in their copies of fields.
func (s *Set) refreshOthers() {
	for j := range s.sources {
		if x := &s.sources[j]; x.alias && x.write {
			x.of.Refresh(true)
		}
	}
}

// putBack is Put for the columns that the struct writes. Picked columns are stamped again, since
// a walk within may have begun another tick. Rows have not moved since Bring: no structure changes
// during a walk, so the places that were found then still hold.
func (s *Set) putBack(b *Batch) {
	tick := s.tick()
	if s.weaves {
		s.unweave(b)
	}
	for j := range s.sources {
		x := &s.sources[j]
		if !x.write || x.now == inPlace {
			continue
		}
		switch x.now {
		case picked:
			rows, first := s.rows(b, x)
			if x.weft != nil {
				b.stamp(x.of, tick)
				continue
			}
			raw.Put(first, x.base, rows, x.of.Size, x.size)
			b.stamp(x.of, tick)
		case gathered:
			s.scatter(x, b, tick)
		case scarce:
			x.far.scatterScarce(x, tick)
		case asked:
			s.putAsked(x, b)
		}
	}
}

// step is how many bytes the values of the batch are apart.
func (x *source) step() uintptr {
	if x.strided && x.now == inPlace {
		return x.of.Size
	}
	return x.size
}

// room is scratch for n values, as the address of the first.
func (x *source) room(n int) raw.Ptr { return raw.Data(room(&x.scratch, n, x.size)) }

// room returns the first bytes of scratch, made larger if it has to be, for n values. Scratch is of
// words, so that any component is aligned in it. It is not cleared: callers that do not fill all
// of it clear it.
func room(scratch *[]uint64, n int, size uintptr) []byte {
	words := max((n*int(size)+7)/8, 1)
	if len(*scratch) < words {
		*scratch = make([]uint64, words)
	}
	return raw.Slice[byte](raw.Data(*scratch), n*int(size))
}

// marked is a component that a struct writes, and of which it is noted row by row.
type marked struct {
	of  *store.Component
	far bool // the table lacks it
}

// Mark notes that the rows of entities are passed to be written. Their chunks are marked where
// they are brought, but for values that lie elsewhere. It is called for the rows of each call, not
// for the batch: a query that is left early has not passed the rest. It costs a store for each row,
// and only where some query asks for changes row by row.
func (s *Set) Mark(es []store.Entity) {
	for _, x := range s.marks {
		if x.of.MarkRows(es); !x.far {
			continue
		}
		for _, e := range es {
			if l, has := x.of.Loc(e); has {
				x.of.Written(e, l)
			}
		}
	}
}

// Marks tells whether something is noted row by row of the table's rows.
func (s *Set) Marks() bool { return len(s.marks) > 0 }

// Ahead asks for the values of some rows of a chunk, as bits say, that are likely to be copied
// next. The rows lie apart, so the processor does not see them come. It reads nothing, and may be
// wrong about rows without harm. Gathered columns are left out: their kernels prefetch themselves.
func (s *Set) Ahead(words []uint64, id chunk.ID) {
	for j := range s.sources {
		if x := &s.sources[j]; x.kind <= picked {
			views.PrefetchRows(words, raw.At(x.of.Dir.Addr(id), x.part), x.of.Size)
		}
	}
}

// Spread tells whether values of the table under way may be spread, or asked for, because another walk
// has them.
func (s *Set) Spread() bool {
	return slices.ContainsFunc(s.sources, func(x source) bool { return x.kind == spread || x.kind == asked })
}

// Comps are the components of the columns.
func (f *Fields) Comps() (list []*store.Component) {
	for j := range f.Columns {
		list = append(list, f.Columns[j].Comp)
	}
	return list
}

// Writes tells whether the struct writes a component, or a field of it.
func (f *Fields) Writes(c *store.Component) bool {
	return slices.ContainsFunc(f.Columns, func(x Column) bool { return x.Write && x.Comp == c })
}
