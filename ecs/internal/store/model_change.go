package store

import (
	"sync"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/entities"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/memmgr/clock"
)

// run is rows side by side in one chunk.
type run struct {
	at memmgr.Loc // the first
	n  int        // at least 1
}

// Rows selects rows of one table. A change is made for their entities. It is good until a row of
// the table moves, comes or goes.
type Rows struct {
	// Table has the rows.
	Table *Table
	// Bits has a bit a row: chunk by chunk in order, each from a word of its own on, as in an
	// Opt. nil selects all rows.
	Bits []uint64
	// N is the number of rows selected.
	N int
}

// lane is a column as rows go along it: the directory that finds values, and their length. Tables
// and bundles make their lanes once, so that moving a row loads nothing else. A column without
// bytes has no lane.
type lane struct {
	dir   *memmgr.Directory
	bytes uint32 // of a value
	id    uint32 // of the component
}

// piece is one component of a value that comes.
type piece struct {
	lane
	c    *Component
	from uintptr // bytes behind incoming.v
}

// incoming is the values that rows get. The first row has each piece at its place behind v, and
// each next row has its values stride bytes further on. A stride of 0 gives all rows the same
// values. Without pieces v may be nil.
type incoming struct {
	pieces []piece
	v      raw.Ptr
	stride uintptr // bytes
}

// span is adjacent rows by number: at is the first, n at least 1. A run names rows of one chunk, and a
// span may cross chunks.
type span struct{ at, n int }

// gaps is the holes of one table.
//
//	few    ─more than most spans→ marks ─close→ few, without any
//
// Marks cost a bit for each row of the table. A few spans cost nothing, but have to be sorted.
type gaps struct {
	t     *Table
	few   []span
	marks memmgr.Marks // by number of the row; nil: few has all
	most  int          // spans in few
	n     int          // rows that are holes
	room  memmgr.Marks // memory for marks; all 0 between calls
}

// holes is rows that their entities have left, in a call that changes many. They stay where they are until
// the call closes them, so that no row moves twice. The zero value is ready.
//
//	a verb for one entity    nil: the last row fills the hole at once
//	a verb for many          mark … mark, then close at its end
//
// Until close, a hole counts in Seq.Len, and its entity column names an entity that is elsewhere.
type holes struct {
	list []gaps
	last int  // index in list of the table that was marked last
	used bool // a call has closed holes since the last release
	kept bool // the rows that stay keep their order, however few holes there are; false between calls
}

// part is a table that gets a row for each entity of a bundle, and the values that go there.
type part struct {
	t      *Table
	pieces []piece // the fixed ones first
	plain  bool    // all components are fixed, and none is watched
	kin    uint32  // see Table.notes
}

// Bundle is components that entities are spawned with, and their offsets in a struct of values.
//
// Its states are stale, where valid is 0 or an older reading than the ways of the store, and
// ready. ready (the function) fills parts and alone. The home has a reading of its own, because
// Take needs it before there are tables.
type Bundle struct {
	store *Store
	comps []*Component
	at    []uintptr // offsets in bytes, by component
	parts []part
	valid clock.Ways // when parts were found; 0: they are not
	alone *part      // the only part, if it is plain
	told  bool       // somebody asks about one of the components, or about entities
	home  *entities.Home
	homed clock.Ways // when home was found
}

// presence is where an entity has an optional component, or would have it: a row, and its bit.
type presence struct {
	x    *Opt // nil: the table has no column for it
	l    memmgr.Loc
	at   int    // word of x.Bits
	mask uint64 // bit in that word
}

// Visits tells of all scheduled systems how many rows they went over since it was asked last.
type Visits func(yield func(Visit))

// Visit is a system and the rows that it went over.
type Visit struct {
	// Required, Excluded and Maybe are the components that rows have, lack, or may have for it.
	Required, Excluded, Maybe []*Component
	// Pieces is how many parts of 16 bytes it gets of a row, and once more if they are written.
	Pieces int
	// Met is how many rows it went over.
	Met int64
}

// Lender is a walk that passes copies of values. While it has a copy, the copy is the value: Reach
// returns it, and the row is out of date or will be overwritten.
type Lender struct {
	// Copy returns the address of the copy that stands for an entity's value at this moment. The
	// value is at an address without it: in its row, or in a copy of a walk around. Copy returns
	// that if it has no copy of the whole value. Copies of fields are written there first. Write
	// says that the value will be written. Then the lender puts it back.
	Copy func(c *Component, e Entity, at raw.Ptr, write bool) raw.Ptr
	// Refresh takes over into copies of fields the writes to addresses that Copy returned: to
	// the last one, or to all.
	Refresh func(all bool)
}

// Lock is a reason to keep entities as they are. An entity that it holds is not destroyed and
// does not lose the lock's components. A lock may hold any number of entities, and belongs to
// the store that it is used with.
type Lock struct {
	// Name stands in errors and listings.
	Name string
	// Comps are the components that stay; none: all do.
	Comps []*Component
}

// Hold says that a lock holds an entity.
type Hold struct {
	Lock *Lock
	// Holder is the name on whose behalf it holds.
	Holder string
	// Count is the number of Releases that end it; at least 1.
	Count int
}

// indexSet is a set of entities by index.
type indexSet struct {
	bits []uint64 // by index; an index behind them is not in the set
	n    int      // bits that are set
}

// disabled is the set of entities that have a component disabled, or are disabled as a whole.
type disabled struct {
	indexSet
	used bool // some were set once
}

// disabledRows caches the rows of a table that have something disabled. Each chunk is good or
// stale on its own.
type disabledRows struct {
	Opt
	of     *disabled
	chunks []disabledChunk // by order in the table
}

// disabledChunk tells whether the bits of a chunk are good. Its clock is the stamp of the entity
// column. A stamp in the tick of the look makes it stale, because a row may have changed after it.
type disabledChunk struct {
	built clock.Values // tick of the look
	count int          // bits that are set
	stale bool         // within Table.Disabled: the bits are found now
}

// marked caches the rows of a table that have a component which is stored elsewhere. Rows that go
// leave no stamp, so it counts rows as well.
type marked struct {
	of   *Component
	bits []uint64     // chunk by chunk in order, each from a word of its own on
	made clock.Values // tick of the look; 0: there was none
	rows int          // of the table at the look
	have int          // entities with the component at the look
}

// A component is watched for queries that see changes. From then on two stamps of
// each of its chunks say when the last of their values was written, and when the last came
// to be. The first is the column's, which writers set; the second is kept here.
//
//	write or add at l        both are now (Mut and systems: the column's alone)
//	row moves from a to b    b has the later of the two stamps of a and b
//	first row of a chunk     none: values that were there before are gone
//
// So a move is no change, and no change is lost by a move. Rows that were not written count as
// changed where they lie beside one that was.
type noted struct {
	added []uint64 // ticks, by number of the chunk

	writtenRows, addedRows *rowTicks // nil: no query asks for single rows
}

// A component with queries that ask for single rows has a tick by index of an entity, beside the
// stamps by chunk: 4 bytes, in pages that are made when something there is marked first. What
// is marked follows an entity wherever its rows go, so whatever moves rows need not know of it.
//
//	index  3     4     7          tick = base + the noted number; 0: at base, or before
//	noted  0   120   118          base moves on before a tick does not fit in 32 bits
//
// Stamps by chunk say where to look. A row counts as changed if its chunk and its tick do.
type rowTicks struct {
	pages []*[ticksPage]uint32 // by index; nil: nothing there is marked
	base  uint64
}

// ticksPage is how many entities have their ticks on one page.
const ticksPage = 1024

// tidier gives back the pages of entries that name no row any more, a few at the end of
// each frame. It looks at entries that have lost half of their rows and did not get them
// back for a while, and at pages of a group's entries after another group has taken the indexes.
type tidier struct {
	words *Words // under way
	at    uint32 // element to go on with; 0: none is under way
	due   uint64 // bytes to be looked at
	check uint64 // frame in which entries are looked at next
	freed uint64 // bytes so far
}

// holders says where the holds of one entity are, if they are many: in its list. There the holds that
// have ended leave gaps. So Hold and Release cost the same for any number of them.
type holders struct {
	at   map[holder]int
	gaps int
}

// holder is on whose behalf a lock holds.
type holder struct {
	lock *Lock
	name string
}

// arranger brings tables in order: arrange.go changes it. All but by is scratch.
type arranger struct {
	by    []*Component
	opts  []*Opt // of a table, by which its rows differ
	areas []area
	rows  [1 << policy.OrderMost][]uint64                        // of a chunk: the rows that belong in each area
	wrong [1 << policy.OrderMost][1 << policy.OrderMost][]uint32 // numbers of rows that lie in the first area, and belong in the second
}

// area is the rows up to but not including end that have the same of the components.
type area struct{ first, end int }

// arranged is the state of a table when it was in order. Its zero value is like no table.
type arranged struct {
	rows   int
	writes uint64 // of its bits
}

// warm is from how many indexes on Warm pays. Until known is true, from is the least that it may be: small worlds do not ask
// for caches.
type warm struct {
	from  uint32
	known bool
}

// unseen are rows of the commons with entities that nobody has seen, so that handles need no memory. These have
// indexes side by side, in the order of rows:
//
//	              entity column   record          span
//	seen          handle          version, row
//	unseen        not written     0               row, n, first: the handles are first, first+1, …
//
// Whoever reads the entity column calls See before, for the chunk: this writes handles and records, and all is as
// if it had been so from the beginning. A handle that comes from elsewhere, such as a saved one, is looked for among the spans
// where its record is 0. So results don't depend on who looks. A row that moves or goes is seen before, since that
// reads the column.
//
// Spans come when nobody shares the world, and may go while workers of Parallel systems read chunks. So bits are atomic, and
// the mutex guards spans, left, and the writes of See.
type unseen struct {
	mu    sync.Mutex
	bits  []uint64 // by chunk: it has spans
	spans map[chunk.ID][]unseenSpan
	left  int // rows
	// index has all spans that are, or were: by their indexes in ascending order, since none was in reach before.
	index []unseenSpan
}

// unseenSpan is n rows of a chunk, and their entities from one on.
type unseenSpan struct {
	at    memmgr.Loc
	n     int
	first Entity
}
