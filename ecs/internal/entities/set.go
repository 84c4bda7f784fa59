package entities

import (
	"fmt"
	"iter"
	"math"

	"github.com/ashlar-go/ashlar/arena"
)

// Options say how a Set is made.
type Options struct {
	// Max is how many entities there may be at a time, and the largest index; at most
	// 4,294,967,294.
	Max uint32
	// Tag, 0 to TagMax, is part of every version.
	Tag uint8
	// FIFO has the indexes of a home used in turn, so that versions wrap late; otherwise
	// the one that was freed last is used first.
	FIFO bool
}

// Flags are kept in an entity's record, and never in handles.
type Flags uint8

// Free is the flag of records with a free index; the others have no meaning here.
const Free Flags = 1

// Set is the records of all indexes. See the package comment. Use Make. It may be
// copied until its first use, and is not safe for concurrent use.
type Set struct {
	records arena.Array[Entity] // by index; record 0 equals no handle
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
	current uint32 // the block that indexes are taken from
	kin     uint32 // of that block
	waiting list   // the other blocks with free indexes
	blocks  uint32 // of the home in all
}

// Make returns an empty Set with records in the arena. It asks the arena for
// nothing. It panics for a tag or maximum that is too large.
func Make(a *arena.Arena, o Options) Set {
	if o.Tag > TagMax || o.Max == math.MaxUint32 {
		panic(fmt.Sprintf("entities: tag %d, maximum %d: at most %d and %d", o.Tag, o.Max, TagMax, uint32(math.MaxUint32-1)))
	}
	return Set{records: arena.MakeArray[Entity](a, o.Max+1, arena.PurposeEntities), options: o, arena: a}
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
	r := s.records.Ptr(e.Index())
	return r != nil && (*r^e)&^flagMask == 0
}

// At returns the handle of the live entity with an index; null if there is none.
func (s *Set) At(i uint32) Entity {
	if e := s.records.Load(i); i > 0 && e&flagFree == 0 {
		return e &^ flagMask
	}
	return 0
}

// TryTake is Take where the home's current block has a free index, and the null handle
// otherwise. The entity has some flags to begin with. It can be inlined.
func (s *Set) TryTake(h *Home, f Flags) (e Entity) {
	if h.left == 0 {
		return
	}
	r := s.records.Ptr(h.head)
	e = r.used(h.head)
	h.head = uint32(*r)
	h.left--
	*r = e | Entity(f)<<IndexBits
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
	return s.TryTake(h, 0), nil
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
	*s.records.Ptr(e.Index()) = e.freed(h.head)
	h.head = e.Index()
	h.left++
	s.ended(1)
	if h.left == b.len && h.waiting.first != 0 {
		s.leave(h)
	}
}

// Known returns the flags of an entity, and whether it is alive. It costs a load.
func (s *Set) Known(e Entity) (f Flags, alive bool) {
	r := s.records.Ptr(e.Index())
	if r == nil {
		return 0, false
	}
	return Flags(*r >> IndexBits & (1<<FlagBits - 1)), (*r^e)&^flagMask == 0
}

// Flags returns the flags of an entity, which must be alive.
func (s *Set) Flags(e Entity) Flags {
	return Flags(s.records.Load(e.Index()) >> IndexBits & (1<<FlagBits - 1))
}

// SetFlag sets flags of an entity, which must be alive: 2, 4 or 8. They last until it is
// freed.
func (s *Set) SetFlag(e Entity, f Flags) { *s.records.Ptr(e.Index()) |= Entity(f) << IndexBits }

// ClearFlag clears flags of an entity, likewise.
func (s *Set) ClearFlag(e Entity, f Flags) { *s.records.Ptr(e.Index()) &^= Entity(f) << IndexBits }

// Kin returns the Kin of the home that took a block when it was unowned, by an index in it. It
// stays as long as an entity of that block is alive, also if another home takes indexes of it.
func (s *Set) Kin(i uint32) uint32 { return s.blocks[s.blockOf(i)].kin }

// Look is Kin and the record of an index that need not be any entity's; zeros for one
// that was never in reach.
func (s *Set) Look(i uint32) (kin uint32, r Entity) {
	if i >= s.bound {
		return 0, 0
	}
	return s.Kin(i), s.records.Load(i)
}

// Next returns the index that a home gives out next, if that is known, and its record;
// otherwise nil.
func (s *Set) Next(h *Home) (i uint32, record *Entity) {
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

// All iterates over the entities that are alive, by index. None may be taken or freed
// meanwhile.
func (s *Set) All() iter.Seq[Entity] {
	return func(yield func(Entity) bool) {
		if s.bound == 0 {
			return
		}
		for i, e := range s.records.Span(0)[:s.bound] {
			if i > 0 && e&flagFree == 0 && !yield(e&^flagMask) {
				return
			}
		}
	}
}
