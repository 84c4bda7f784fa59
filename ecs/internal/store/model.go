package store

import (
	"sync/atomic"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/entities"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/memmgr/clock"
)

// Options say how a store is made.
type Options struct {
	MaxEntities uint32
	Tag         uint8
	FIFO        bool // indexes that were freed first are used first
	Policy      policy.Options
	Visits      Visits // nil: nothing goes over rows
}

// Store is the entities of a World and their components. It is not safe for concurrent use.
// Slices and addresses that it returns are good until the next change.
//
// Its states are made (by New) and forgotten (by Forget), which is final: no entity is alive, and
// no table is left. Who changes its parts:
//
//	ids               Spawn, Bundle, Destroy and Clear, by way of package entities
//	warm              findWarm
//	comps             Register
//	tables, register  addTable and dropTables
//	owners, groups    DeclareLevel and Dissolve, and ended; planes: newPlace
//	unseen            SpawnAll and See
//	telling           Observe, subject.go, told.go and ends.go; watches: rewatch
//	guarded, guard    lock.go, enable.go; others: plane.go
//	ways              moves with register.made and Dropped, and in rearranged
//	finding           moves in rearranged, in plainly and in AskRows
//	clocks            move with each change of rows, by Sequence.Shift, and in rearranged
//	upkeep            EndFrame, Tidy and Shrink
//	scratch           any call, which leaves nothing there
type Store struct {
	// IDs is the directory of the entity column of all tables.
	IDs memmgr.Directory
	// Commons owns the components that no group owns.
	Commons *Owner

	manager   *memmgr.Manager
	ids       entities.Set
	warm      warm
	comps     []*Component // by ID
	tables    []*Table     // by the key of their sequence; nil where one was dropped
	owners    []*Owner     // groups that stand
	groups    []*Owner     // by the Kin of their homes, from 1 on; ended ones, too
	ended     []*Owner     // groups that have ended, and that no other has replaced
	planes    []*plane
	unseen    *unseen // nil: all entities are seen
	policy    *policy.Policy
	telling   *telling // nil: nobody is told of changes
	others    indexSet // entities that may have rows that planes note
	guarded   indexSet // entities that a lock holds, or that have something disabled
	ways      clock.Ways
	clocks    *RowClocks
	finding   clock.Ways // moves when ways do for other reasons than tables, when plain changes, and in AskRows
	watches   bool       // some groups observe components
	notesRows bool       // the ticks of some component are noted row by row
	counting  bool       // reads by handle are counted

	*register
	*guard
	*upkeep
	*scratch
}

// register is the counts of tables, the keys that dropped ones have left, and the scratch of making
// tables. Each scratch list is good until the next table or family is looked up.
type register struct {
	// Dropped is the number of tables that were dropped so far.
	Dropped uint64

	made     uint64 // tables made so far
	options  Options
	freeKeys []uint32            // keys of dropped tables, last in first out
	key      []byte              // scratch: the key of a family
	names    []string            // scratch: of components
	columns  []memmgr.ColumnSpec // scratch: of a table
}

// guard is the holds that keep entities as they are, the bits that hide them from queries, and how many
// components are lent. An
// index is in Store.guarded if held has it, or if a set in disables does; guardAgain keeps that true.
// Holds and disabled bits change no row.
type guard struct {
	held        map[uint32][]Hold   // by index
	many        map[uint32]*holders // by index: where the holds are, of entities held by many
	asleep      disabled            // entities that are disabled as a whole
	disables    []*disabled         // all that were ever used
	disabledAll int                 // bits that are set in them
	lending     int                 // components of which a lender may have copies
}

// upkeep is the work of the ends of frames. A frame moves values of components that change
// over, then rows that belong in other tables by now, then rows that are out of order. It drops tables
// that are empty for long.
//
//	settled  ─a table or way comes or goes→ working ─a frame finds nothing to move→ settled
type upkeep struct {
	frame    uint64       // frames ended so far
	moving   []*Component // components that change over; never written, but replaced
	shifting bool         // values change over at this moment: no entity gets them anew
	working  bool         // rows still moved at the end of the last frame
	settled  clock.Ways   // when all rows were in current tables
	visits   Visits
	left     int64 // of the cost that the end of the frame may spend, in the policy's units of cost
	recount  bool  // tables have not been counted since rows moved
	living   int   // tables of the commons that have rows
	rows     int   // rows of these tables
	tidier   tidier
	order    arranger
}

// scratch is lists that are used again by each call that changes many rows. A list has one user at a
// time. runs is reserve's result, and picked the rows that a verb works on, so both may be in use
// together. bits is withBit's or packBits's: withBit's are turned into picked before holes are closed.
// holes and met are empty between calls. nums and gone are chosenIn's result.
type scratch struct {
	runs   []run    // rows that were reserved
	picked []run    // rows that a change is made for
	holes  holes    // rows that have left
	bits   []uint64 // presence bits, or rows as bits
	met    []uint64 // entities that a list has had, as bits by index
	nums   []uint16 // numbers of rows of a chunk
	gone   []Entity // entities of these rows
}

// Component describes a component to the store. Its user makes it, and gives it to
// Register.
//
// Its states are those of the package comment: stored in its way, or moving, while it is in the
// list of the Store. Change, DeclareLevel and Dissolve change owner and way; settled follows with
// plain, quick, alone and the entries of Dir. rewatch changes observed, and retell tells. Walks
// that pass copies change lenders, and LendAhead ahead. All keep noticed.
type Component struct {
	// Dir has the addresses of the component's columns, and the owner's entries. It comes first:
	// see Find.
	Dir memmgr.Directory

	// Name, Spec and Size are as registered.
	Name string
	Spec chunk.Spec
	Size uintptr
	// ID is its number in the order of registration.
	ID uint32

	store    *Store
	owner    *Owner
	way      Way
	plain    bool     // all values are in fixed columns
	observed bool     // groups or the observer are told when an entity gets it or loses it
	quick    bool     // plain, and no group observes it
	flips    bool     // no value is in a thin row, it is optional, and it is not observed
	lone     bool     // all values are in thin rows, and it is not observed
	single   [1]piece // the component as the only one that comes
	tables   []*Table // with a column of it, in the order in which they were made
	thin     *Table   // nil: no entity has a thin row of it
	alone    alone
	lenders  []*Lender // walks that may have copies of values
	ahead    int       // systems under way that may lend it
	noticed  bool      // a Set has more to do than to write: there are lenders, or observers
	tells
	*noted // nil: no query asks for changes
	*declared
	*byIndex
	writing
}

// writing is the tick of values that are written by handle, where that is not the manager's. WriteIn sets it.
type writing struct {
	tick uint64 // 0: the manager's
	mark uint64 // see memmgr.Manager.MarkIn
}

// declared is the part of a component that code decides.
type declared struct {
	stated    bool     // the way is stated: the policy leaves it
	was       Way      // of a component of a group: how it was registered
	wasStated bool     // of a component of a group: stated when it was registered
	watch     []*Owner // owners of groups that observe it
	pinned    bool     // no lender should have copies
	bound     bool     // contracts may have it
}

// byIndex is the part of a component that is kept by index of an entity, beside its columns.
type byIndex struct {
	own      Words // entries of thin rows
	place    place // of entities with a thin row; none until there is one
	disabled disabled
	reads    atomic.Uint64 // values that Find has counted
	jumps    atomic.Uint64 // of these, values that did not lie near the one before
	given    atomic.Uint64 // values that contracts gave, while that is counted
	last     atomic.Uint64 // address of the last one
}

// Way is how a component is stored.
type Way uint8

const (
	// Fixed is a column of the tables that have the component in their set.
	Fixed Way = iota
	// Optional is a column that a table has for all its rows, with a bit a row.
	Optional
	// Thin is a table of its own.
	Thin
)

// Words are entries by index of an entity. They belong to one owner or one thin component, and
// say where each entity's row is. An entry, a Word in code, is the entity's version above the Loc
// of the row. Chunk 0 is no row.
//
//	63     36 35   23 22      0
//	| version |  row  |  chunk |
//
// The entries of the commons are the records of package entities, which see: an entity that has no row there
// has an entry with its version alone. Others are 0 then.
//
// They are an array of entries by index, with only the used pages resident. If few
// entities of many have a row, they are a map. A map becomes an array when it grows, and an
// array a map when hardly any of its entries are left (tidy.go). Only functions of entries.go and tidy.go
// change them.
type Words struct {
	flat  []uint64 // none: look at rare; one more lies behind them, which stays 0
	pages []uint64 // a bit for each page of flat, set where entries may be written
	rare  map[uint32]uint64
	array arena.Array[uint64]
	owner *Owner // nil: the entries are a thin component's, or a set of places
	thin  *Component

	left uint64 // the bits that stay in an entry without a row: the version in the commons, and none elsewhere

	named        int // rows, when countNamed counted them last
	peak, shrank int // most rows since they were tidied, and looks in a row at which they had half of that
}

// Table is rows that have the same columns.
//
// Its states. Only the first two can be told apart from outside:
//
//	current   family.current is the table: rows come here
//	former    another table of the family is current; rows move there at the ends of frames
//	thin      owner and family are nil: the rows of a thin component
//	dropped   key is noKey: Gone tells so, and there are no rows
//
// addTable makes one and dropTables drops it. relabel, shed and family.table change family.
// change.go, changerun.go and holes.go change opts with the rows. disables and marks are caches, by the stamps
// of the entity column. edges is a cache, by the ways of the owner.
type Table struct {
	// Seq has the rows: entities, the fixed components and the optional ones, each in the
	// order of their IDs.
	Seq *memmgr.Sequence
	// Made is less than that of tables which were made later.
	Made uint64

	// The fields that a moving row needs come first, side by side: of many tables, few are in a cache.
	store   *Store
	owner   *Owner // nil: it is a thin component's
	words   *Words // entries of its rows
	lanes   []lane // of the fixed components
	bare    bool   // nothing follows a row but its columns and the table's entries
	key     uint32 // place in Store.tables, or noKey
	edges   edges
	opts    []*Opt       // in the order of their IDs, as fixed
	watched []*Component // components with a column here and noted changes

	place            place // of entities with a row here; homes in the commons have none
	fixed            []*Component
	fixedSet, optSet set
	family           *family
	stride           int // words of bits a chunk
	disables         []*disabledRows
	marks            []*marked
	empty            uint64 // frame since which it has had no rows; 0: it has some
	arranged         arranged
	kept             bool // code has given the rows their order
}

// noKey is the key of a table that was dropped.
const noKey = ^uint32(0)

// Opt is an optional component of a table.
type Opt struct {
	// C is the component.
	C *Component
	// Bits say which rows have it: chunk by chunk in order, each from a word of its own on.
	Bits []uint64
	// Count is how many have it.
	Count int
	// Counts is how many rows of each chunk have it. Disabled rows have no such counts.
	Counts []int32

	table  *Table
	part   uint64 // 1<<40 / Table.stride, rounded up: see chunkOf
	writes uint64 // of bits, so far
}

// set is a set of components by ID.
type set struct {
	first uint32   // number of the first word: the words before it are 0
	words []uint64 // of IDs, a bit each
}

// Owner keeps the rows of the components that it owns. In its tables an entity has at most
// one row.
//
// The commons stand as long as the store. Another owner is made for its first group by ownerFor,
// stands from the end of DeclareLevel on, and ends with its last group (endOwner). DeclareLevel and
// Dissolve change comps and levels, and relabel follows with opts, observes and families. walk is a
// cache, by the ways of the store. ways moves with all that makes edges of its tables stale.
type Owner struct {
	// Name is the name of the first group; "" for the commons.
	Name string
	// Main is the table of the members of the group that was declared first, as long as none
	// are of inner ones; nil in the commons.
	Main *Table

	store    *Store
	comps    []*Component // in the order in which they were declared
	opts     []*Component // optional ones among these
	levels   []*Level     // groups, the outermost first; the commons have none
	observes bool         // some level depends on components of other owners
	walk     []*Table     // tables, the innermost first
	walked   clock.Ways   // of the store, when walk was made
	words    Words
	place    place // of entities with a row here; the commons have none
	tables   []*Table
	families map[string]*family
	ways     clock.Ways
	home     entities.Home // of entities that are spawned into a group
}

// family is the tables that have the same fixed components.
type family struct {
	owner   *Owner
	fixed   []*Component
	cap     int // levels that its rows satisfy by With and Without, from the outermost on
	tables  []*Table
	current *Table
	home    entities.Home // of entities that are spawned into it, in the commons
}

// Level is a group of an owner. An owner has one or several, each nested within the one before.
// Members of an inner level have all components of the outer ones, and more.
//
//	levels of an owner             its tables, by the components of their rows and the levels that these meet
//	bodies  {Pos}                  {Pos, Vel, Ai} 3   members of all
//	movers  {Pos, Vel}             {Pos, Vel}     3   of bodies and movers
//	hunters {Pos, Vel, Ai}         {Pos}          3   of bodies alone
//	        without Asleep         {Pos, Vel, Ai} 2   asleep: of bodies and movers
//	                               {Vel}          3   of none
//
// So members of an inner group are some of the tables of the outer one, and no row is in the
// way. Other owners have the components that a level observes; each row's table says how many levels, from
// the outermost on, have that met, its cap.
type Level struct {
	// Name is the group's.
	Name string
	// Main is a table of the members that are in no inner group, as far as these
	// observe the same.
	Main *Table

	owner         *Owner
	fixed         []*Component // that members have here, and more if they are of inner ones
	opts          []*Component // optional ones that it was declared with
	with, without []*Component // that they have elsewhere, and lack
}

// alone is the table of entities that have one component of an owner.
type alone struct {
	t    *Table
	seen clock.Ways // of the owner, when it was found
}

// edge says where rows move from a table when a component is added or removed, or when they
// move on. It has the new table, and the lanes that both have. A row that moves
// meets an edge that was seldom used of late, so an edge is half a line of the cache.
type edge struct {
	to    *Table  // nil: nothing is left, and the row goes
	lanes *[]lane // of the components that are fixed in both tables
	lacks uint64  // optional components of the old table, by place, that rows can't take along
	key   uint64  // of edges.plain
}

// edges is the known edges of a table. It costs memory for edges that were used, whatever the
// number of components.
type edges struct {
	plain []edge // for rows without optional components: a hash table by key, at most three quarters full
	n     int    // used elements of plain
	held  map[heldKey]*edge
	seen  clock.Ways // of the owner, when the edges were found
}

// heldKey is the key of an edge for rows that have some optional components.
type heldKey struct {
	key  uint64
	held uint64 // by place
}

// plane is sets of places, up to 64, where entities have rows besides their home: of
// groups, or of thin components. Few entities have any.
//
//	sets   index 3: 0000…0101      places[0] group "body"
//	       index 7: 0000…0001      places[2] group "soul"
type plane struct {
	sets   Words    // by index
	places []*Words // by bit: the entries that name the rows there
	groups bool
}

// place is the bit of entities that have a row in certain tables; the zero value is no place.
type place struct {
	*plane
	bit uint64
}

// Entity is a handle.
type Entity = entities.Entity
