package memmgr

import (
	"reflect"
	"sync/atomic"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// Manager owns chunks and sequences. Use New.
//
// Its states are made (by New), owned (by Own, until its function is called) and closed. Closed is
// final: the maps are gone, sequences are empty, and every call that needs memory returns an error.
//
// Floors above this file change its parts, and none else: chunks.go the table, the book's spots and
// the waiting list; space.go the spares; move.go and astray.go the list of moves; create.go the
// register. layout, resized and shifts only grow. A chunk that is made, freed or moved counts in layout, and in
// laid of its sequence. So does a new tail. A chunk that moves counts in shifts.
type Manager struct {
	// arena is where memory comes from. It is nil if New did not make the manager.
	arena *arena.Arena
	// book knows where chunks lie.
	book *spot.Book
	// table knows which chunks there are.
	table table
	// register has the sequences, and settings of users by name.
	*register
	// moves is the list of work for safe points.
	*moves
	// adapter gives idle memory back, and says which regions are to be emptied.
	adapter *adapter

	// caches are the processor's, from when they were first asked for.
	caches detected

	// layout counts changes of where chunks are, and of which are in a sequence.
	layout uint64
	// resized counts directories whose cells have got other addresses. Each sequence counts it in Laid.
	resized uint64
	// shifts counts changes of where rows are, and uncounted the changes of sequences without a count of
	// their own. Users add to both by Shift of a sequence, or of the manager.
	shifts, uncounted uint64
	// tick is the number that writers stamp columns with. Advance adds to it.
	tick uint64
	// mark is markOf the tick: see Place.
	mark uint64

	// stretch is rows that Pack is about to move. It is kept for the next call.
	stretch []uint32
	counts  *counts

	// refusal is asked before a row is refused; nil: nobody is. asking is true while it is.
	refusal func(*Sequence, error) bool
	asking  bool
	// owner names the value to close in place of the manager; "" if there is no such value.
	owner string
	// busy names the iteration over rows that is under way; nil if there is none: see Walks.
	busy   func() string
	closed bool
	// ready is true if the manager was made, is not closed and has no Stress: SafePoint may rest.
	ready bool
	// using is true while some goroutine is within a call that changes the manager. unuse ends it.
	using atomic.Bool
	unuse func()
}

// register is the sequences of a manager. MakeSequence and Drop change it, Keep and Leave its
// lists of names.
type register struct {
	// seqs is in the order in which sequences were made. An element is nil where one was dropped.
	seqs []*Sequence
	// dropped is how many elements of seqs are nil. The method live takes them out.
	dropped int
	names   map[string]*Sequence
	// cold names sequences, which need not exist, as expected does: see keep.
	cold     []string
	expected []expected
	// walk is the order of the last Leave, until Stay.
	walk walk
	// naming counts calls of MakeSequence: a directory that was named in this one is named twice.
	naming uint32
	// colours counts directories: see Directory.resize.
	colours uint32
}

// walk is the order in which sequences are walked: the named ones, then the others as they were made.
type walk struct {
	names []string
	ranks map[string]int // of the names
}

// moves is the work of safe points, and the budget for it. Chunks that come, settle or go change the lists,
// safe points empty them, and the ends of frames change frame and pacing.
type moves struct {
	// astray is chunks that may not be where they belong, each once. Its order has no meaning:
	// straighten takes one out by moving the last one there.
	astray []chunk.ID
	// turn is which of them is looked at next.
	turn int
	// stress has all chunks move at each safe point.
	stress bool
	// frame is how many frames have ended.
	frame  uint64
	pacing pacing

	// waiting has spots and numbers that are free once a chunk is unpinned.
	waiting []waiting
	// spares has the sequences that may keep a spare chunk, or an empty one. Each is marked listed.
	spares []*Sequence
	// trimAt is the length of spares beyond which they are trimmed before the next safe point.
	// trimmed is how long they were when that was done last.
	trimAt, trimmed int
}

// Sequence is rows stored column by column in a list of chunks. Rows are dense: they are appended
// at the end and removed by moving the last one into the hole, or by packing. Their values are
// undefined until written. Use Manager.MakeSequence.
//
// The last chunk has a row or more, unless it is the only one: a sequence that was emptied keeps
// that until the next safe point, or until memory is refused. The states, and the calls that lead
// from one to the next:
//
//	empty    ─Append→ one chunk (in a block, or whole) ─Append→ several, all but the last full
//	several  ─more than Shape.Few chunks→ striped ─half of them left→ several, at safe points
//	any      ─last row of the last chunk goes→ that chunk is the spare, which the next Append takes
//	any      ─Drop→ gone: a row for it is a panic
//
// setTail and makeRoom alone change tail and chunks. watch sets floor from them: the row count at
// which a removal has more to do than to count down.
type Sequence struct {
	// tail, floor, next and end are all that a row that comes or goes looks at. They share a cache
	// line with laid, which a walk looks at, too. tail is row 0 of the last chunk; 0 if there is none.
	tail Loc
	// floor is where next may not come without sink being called.
	floor Loc
	// next is where the next row goes, if that is below end.
	next Loc
	// end is behind the last row that the last chunk has room for, as it is laid out now.
	end Loc
	// laid counts changes of where its chunks are, and of which it has.
	laid uint64

	manager *Manager
	name    string
	shape   *spot.Shape
	// dirs are the directories of its columns. Other sequences may use the same.
	dirs []*Directory
	// partial says of each column whether it is partial; nil if none is.
	partial []bool
	// columns has names and types; nil if no column has a name.
	columns []columnName
	// chunks is in logical order. All but the last are full.
	chunks []chunk.ID
	// first is the order of chunks[0]: how many were dropped before it.
	first uint32
	// spare is an empty chunk kept for the next append; 0 if there is none.
	spare chunk.ID
	// old is true if the spare was there when old ones were last freed.
	old bool
	// listed is true if the sequence is in the manager's list of spares.
	listed bool
	// early is true if a chunk without rows was freed before the safe point at which it was due.
	early bool
	// cold is true if Keep says that the sequence is used rarely.
	cold bool
	// expected is how many rows it will have, as AdaptOptions say; 0: nobody knows.
	expected uint64
	// limit bounds the bytes of its chunks; 0 is no bound.
	limit uint64

	// place is where it is in the manager's list; -1 once it was dropped.
	place int
	// key is the user's.
	key uint32
	// shifts counts changes of where its rows are: the user's count, by CountIn, or a count of the manager
	// that nobody reads.
	shifts *uint64
	// home is its striped regions.
	home spot.Home
}

// entry is a line of the chunk table. The states of a chunk are in the package comment: free, used,
// spare, pinned, left. They follow from these fields:
//
//	free    seq is nil, pins are 0, and the number is in the table's list
//	used    seq has the chunk at order-first
//	spare   order is spareOrder, and seq's spare is the chunk
//	pinned  pins are not 0
//	left    seq is nil, pins are not 0, and the number is in the waiting list
//
// The owner's goroutine changes all but pins, which any goroutine may take back.
type entry struct {
	// seq is the sequence that the chunk is in, or nil.
	seq  *Sequence
	spot spot.At
	// order is the chunk's place in its sequence, counted from the first chunk that this ever had.
	// It is spareOrder for the spare.
	order uint32
	// gen counts moves, and each time that the number is given away or back.
	gen   uint32
	annex annex
	// moves is how often the chunk has moved, and copied how many bytes that took.
	moves  uint64
	copied uint64

	// pins is how many readers look at the chunk. Any goroutine may end one.
	pins atomic.Int32
	// astray is true while the number is in the manager's list of astray chunks, whatever chunk has it now.
	astray bool
}

// spareOrder is the order of a chunk that is the spare of its sequence.
const spareOrder = ^uint32(0)

// annex is slots side by side that are bound to a chunk. Its states:
//
//	none    ─Annex→ made;
//	made    ─Annex with more bytes→ made anew, elsewhere; ─PurgeAnnex→ made, with
//	        undefined contents; ─the chunk moves→ made, in its place;
//	        ─DropAnnex, or the chunk is freed→ none
type annex struct {
	first arena.Slot
	slots uint32 // 0: there is none
	bytes uint32 // asked for last
}

// page is lines of the table side by side: they stay where they are while it grows, so
// that other goroutines may unpin meanwhile.
type page [1 << pageBits]entry

const pageBits = 6

// table is the chunk table, by chunk number; line 0 is no chunk's.
type table struct {
	pages []*page
	count int        // lines in use, or free again
	free  []chunk.ID // numbers, last in first out
}

// waiting is a spot that a pinned chunk has left, or with the chunk itself all that is left of it.
type waiting struct {
	id    chunk.ID
	shape *spot.Shape
	at    spot.At
	whole bool // the chunk was freed: its number waits, too
}

// counts are sums over the life of a manager.
type counts struct {
	made          uint64 // chunks taken into use
	freed         uint64 // chunks given back
	moved         uint64 // chunks moved, small ones laid out anew not counted
	copiedBytes   uint64 // bytes copied for both
	skippedPinned uint64 // moves not made because the chunk was pinned
	skippedFull   uint64 // moves not made because there was no room
}

// columnName is the name of a column, and the type of its values; "" and nil if they are not known.
type columnName struct {
	name string
	typ  reflect.Type
}
