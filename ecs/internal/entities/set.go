package entities

import (
	"fmt"
	"iter"

	"github.com/ashlar-go/ashlar/arena"
)

// Options say how a Set is made.
type Options struct {
	// Max is how many entities there may be at a time, and the largest index; at most
	// 4,294,967,293.
	Max uint32
	// Tag, 0 to TagMax, is part of every version.
	Tag uint8
	// FIFO has the indexes of a home used in turn, so that versions wrap late; otherwise
	// the one that was freed last is used first.
	FIFO bool
}

// maxMost is the largest Options.Max: an array of 1<<32-1 records has one for index 0, and one behind the last.
const maxMost = 1<<32 - 3

// Set is the records of all indexes. See the package comment. Use Make. It may be
// copied until its first use, and is not safe for concurrent use.
//
// Takes, frees, Return and Clear change records, alive and dead. Blocks and pages only grow, in addPage and
// TakeUnseen. The functions of block.go, Clear and Drop move blocks between homes and lists. Close resets all.
// A block that gets a home of another Kin adds a handover, and TakeHandover removes it. Make sets options and
// arena, which stay.
type Set struct {
	records arena.Array[uint64] // by index; record 0 is of no handle
	alive   uint32
	dead    uint64 // entities that have ended so far
	common  Home

	blocks []block     // by number; 0 is none
	pages  []page      // by index / pageLen
	empty  [kinds]list // the blocks without a home
	bound  uint32
	room   uint32 // indexes in all blocks
	thief  uint32 // the block at which the next search for others' indexes begins

	handovers []Handover

	options Options
	arena   *arena.Arena
}

// Home takes indexes: embed one in a type that spawns entities. The zero value is ready. It must not
// be copied once it was used, and belongs to the Set that it was used with. Set.Drop ends its
// use.
type Home struct {
	// Kin is a number of the user's, which is to stay: Set.Kin tells it by index.
	Kin uint32

	head    uint32 // of the free indexes of the current block
	left    uint32 // of them that may be taken before the next block is looked for
	base    uint32 // of that block, see block.base
	current uint32 // the block that indexes are taken from
	kin     uint32 // of that block
	waiting list   // the other blocks with free indexes
	blocks  uint32 // of the home in all
}

// Make returns an empty Set with records in the arena. It asks the arena for
// nothing. It panics for a tag or maximum that is too large.
func Make(a *arena.Arena, o Options) Set {
	if o.Tag > TagMax || o.Max > maxMost {
		panic(fmt.Sprintf("entities: tag %d, maximum %d: at most %d and %d", o.Tag, o.Max, TagMax, uint32(maxMost)))
	}
	return Set{records: makeRecords(a, o.Max), options: o, arena: a}
}

// makeRecords makes room for the records up to an index, and for one behind them, which stays 0.
func makeRecords(a *arena.Arena, most uint32) arena.Array[uint64] {
	records := arena.MakeArray[uint64](a, most+2, arena.PurposeEntities)
	records.SetDense(true)
	return records
}

// TooMany is the error of an entity beyond Options.Max. To errors.Is it is
// arena.ErrFull, but that text names another option.
type TooMany struct{ Max uint32 }

func (e TooMany) Error() string {
	return fmt.Sprintf("there are %d entities, as many as Options.MaxEntities allows: raise it", e.Max)
}

// Is has errors.Is tell a TooMany by arena.ErrFull.
func (TooMany) Is(target error) bool { return target == arena.ErrFull }

// Len is the number of entities that are alive.
func (s *Set) Len() int { return int(s.alive) }

// Spare is how many entities there may be beside those.
func (s *Set) Spare() int { return int(s.options.Max - s.alive) }

// Ended is how many entities have ended so far.
func (s *Set) Ended() uint64 { return s.dead }

func (s *Set) ended(n uint32) { s.alive, s.dead = s.alive-n, s.dead+uint64(n) }

// Bound is one more than the highest index that was ever in reach: of all entities,
// alive and dead, and of the blocks that they are in. It is 1 if there never were any.
func (s *Set) Bound() uint32 { return max(s.bound, 1) }

// Common is the home of entities that have no other home.
func (s *Set) Common() *Home { return &s.common }

// Homes goes over the homes of all blocks that have one, once for each.
func (s *Set) Homes(yield func(*Home) bool) {
	for i := range s.blocks {
		if h := s.blocks[i].home; h != nil && !yield(h) {
			return
		}
	}
}

// Alive tells whether a handle is of a live entity. It costs a load.
func (s *Set) Alive(e Entity) bool {
	r := s.records.Load(e.Index()) // 0 where there is none: no handle has version 0
	return r^uint64(e) < 1<<VersionShift && !isFree(r) && e >= 1<<VersionShift
}

// At returns the handle of the live entity with an index; null if there is none.
func (s *Set) At(i uint32) Entity {
	if r := s.records.Load(i); r >= 1<<VersionShift && !isFree(r) {
		return Entity(bare(r)) | Entity(i)
	}
	return 0
}

// Records are the records by index, and at least one more behind the last index, which is 0. They are good until
// the next Take or TakeN. An entity's may have a location that is the user's (Word); 0 in its
// place is none. Free drops it.
func (s *Set) Records() []uint64 { return s.records.Span(0) }

// TryTake is Take where the home's current block has a free index, and the null handle
// otherwise. It can be inlined.
func (s *Set) TryTake(h *Home) (e Entity) {
	if h.left == 0 {
		return
	}
	r := s.records.Ptr(h.head)
	e = Entity(bare(*r)) | Entity(h.head)
	h.head = h.base + linkOf(*r)
	*r = bare(*r)
	h.left--
	s.alive++
	return
}

// Take makes an entity with an index of the home's blocks. Errors: TooMany, or the
// arena's where a page of records is refused and no index is free elsewhere; nothing has
// changed then.
func (s *Set) Take(h *Home) (Entity, error) {
	if h.left == 0 {
		if err := s.refill(h); err != nil {
			return 0, err
		}
	}
	return s.TryTake(h), nil
}

// Free ends an entity, which must be alive: its handle is stale from now on.
func (s *Set) Free(e Entity) {
	n := s.blockOf(e.Index())
	b := &s.blocks[n]
	h := b.home
	if h.current != n || s.options.FIFO {
		if s.options.FIFO {
			one := [1]Entity{e}
			s.freeLast(h, n, one[:])
			return
		}
		s.turn(h, n)
	}
	*s.records.Ptr(e.Index()) = freed(uint64(e), h.head-h.base)
	h.head = e.Index()
	h.left++
	s.ended(1)
	if h.left == b.len && h.waiting.first != 0 {
		s.leave(h)
	}
}

// Kin returns the Kin of the home that took a block when it was unowned, by an index in it. It
// stays as long as an entity of that block is alive, also if another home takes indexes of it.
func (s *Set) Kin(i uint32) uint32 { return s.blocks[s.blockOf(i)].kin }

// Side is the Kin of an entity, and how many of the handles, from the first on, have indexes in its block. There must be
// one, and all must be alive or have been.
func (s *Set) Side(handles []Entity) (kin uint32, n int) {
	b := &s.blocks[s.blockOf(handles[0].Index())]
	for n = 1; n < len(handles) && handles[n].Index()-b.lo < b.len; n++ {
	}
	return b.kin, n
}

// Look is Kin and the record of an index that need not be any entity's; zeros for one
// that was never in reach.
func (s *Set) Look(i uint32) (kin uint32, r uint64) {
	if i >= s.bound {
		return 0, 0
	}
	return s.Kin(i), s.records.Load(i)
}

// Next returns the index that a home gives out next, if that is known, and its record;
// otherwise nil.
func (s *Set) Next(h *Home) (i uint32, record *uint64) {
	head := h.head
	if h.left == 0 {
		n := h.waiting.first
		if n == 0 {
			return 0, nil
		}
		head = s.blocks[n].head
	}
	return head, s.records.Ptr(head)
}

// KinOf is the Kin of the block that a home has taken an index of last.
func (s *Set) KinOf(h *Home) uint32 { return h.kin }

// All iterates over the entities that are alive, by index, without those that are unseen. None may be taken or freed
// meanwhile.
func (s *Set) All() iter.Seq[Entity] {
	return func(yield func(Entity) bool) {
		if s.bound == 0 {
			return
		}
		for i, r := range s.records.Span(0)[:s.bound] {
			if r != 0 && !isFree(r) && !yield(Entity(bare(r))|Entity(i)) {
				return
			}
		}
	}
}
