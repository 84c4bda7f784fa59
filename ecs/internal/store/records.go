package store

import (
	"fmt"
	"iter"

	"github.com/ashlar-go/ashlar/arena"
)

// records are the handles that are in use, and a list of those that are free: a free
// record has the handle that is given out next, with a link in place of the index.
type records struct {
	ids   arena.Array[Entity]
	o     Options
	next  uint32 // the first index never used
	alive uint32
	head  uint32 // of the free list; 0 if it is empty
	tail  uint32
}

// is tells whether e is the live handle that a record holds.
func is(r *Entity, e Entity) bool { return (*r^e)&^flagMask == 0 }

// Alive tells whether a handle is of a live entity.
func (s *records) Alive(e Entity) bool {
	r := s.ids.Ptr(e.Index())
	return r != nil && is(r, e)
}

// Len is the number of live entities.
func (s *records) Len() int { return int(s.alive) }

// Bound is one more than the largest index that was ever used.
func (s *records) Bound() uint32 { return s.next }

// take makes an entity, of a recycled index if there is any.
func (s *records) take() (Entity, error) {
	if i := s.head; i != 0 {
		r := s.ids.Ptr(i)
		s.head = r.Index()
		*r = *r>>VersionShift<<VersionShift | Entity(i)
		s.alive++
		return *r, nil
	}
	r := s.ids.Ptr(s.next)
	if r == nil {
		if err := s.grow(); err != nil {
			return 0, err
		}
		r = s.ids.Ptr(s.next)
	}
	*r = Entity(s.o.Tag)<<(VersionShift+countBits) | 1<<VersionShift | Entity(s.next)
	s.next++
	s.alive++
	return *r, nil
}

func (s *records) grow() error {
	if s.next > s.o.MaxEntities {
		return tooMany{s.o.MaxEntities}
	}
	if err := s.ids.Grow(s.next); err != nil {
		return fmt.Errorf("a record for entity %d of at most %d: %w", s.next, s.o.MaxEntities, err)
	}
	*s.ids.Ptr(0) = 1 // record 0 is nobody's: no handle with index 0 equals it
	return nil
}

// tooMany is the error of an entity beyond Options.MaxEntities. To errors.Is it is
// arena.ErrFull, whose text names another option.
type tooMany struct{ most uint32 }

func (e tooMany) Error() string {
	return fmt.Sprintf("there are %d entities, as many as Options.MaxEntities allows: raise it", e.most)
}

func (tooMany) Is(target error) bool { return target == arena.ErrFull }

// free puts the record of an entity without rows into the free list.
func (s *records) free(e Entity) {
	i, link := e.Index(), s.head
	r := s.ids.Ptr(i)
	s.alive--
	switch {
	case link == 0:
		s.head, s.tail = i, i
	case !s.o.FIFO:
		s.head = i
	default:
		tail := s.ids.Ptr(s.tail)
		*tail = *tail>>indexBits<<indexBits | Entity(i)
		s.tail, link = i, 0
	}
	*r = r.next()>>VersionShift<<VersionShift | flagFree | Entity(link)
}

// putBack undoes the last take: nobody has seen the handle. bound is what Bound was before
// that, or before the first of several takes that are undone backwards.
func (s *records) putBack(e Entity, bound uint32) {
	i := e.Index()
	s.alive--
	if i >= bound {
		*s.ids.Ptr(i) = 0
		s.next--
		return
	}
	if s.head == 0 {
		s.tail = i
	}
	*s.ids.Ptr(i) = e>>VersionShift<<VersionShift | flagFree | Entity(s.head)
	s.head = i
}

// All iterates over the live entities by index.
func (s *records) All() iter.Seq[Entity] {
	return func(yield func(Entity) bool) {
		for i := uint32(1); i < s.next; i++ {
			if id := s.ids.Load(i); id&flagFree == 0 && !yield(id&^flagMask) {
				return
			}
		}
	}
}

// check counts live and free records and walks the free list.
func (s *records) check() error {
	var alive, free uint32
	for i := uint32(1); i < s.next; i++ {
		id := s.ids.Load(i)
		if id&flagFree != 0 {
			free++
			continue
		}
		alive++
		if id.Index() != i {
			return fmt.Errorf("record %d holds %v", i, id)
		}
	}
	if alive != s.alive {
		return fmt.Errorf("%d entities counted as alive, %d are", s.alive, alive)
	}
	var listed, last uint32
	for i := s.head; i != 0; i = s.ids.Load(i).Index() {
		if listed++; listed > free {
			return fmt.Errorf("the free list is longer than the %d free records", free)
		}
		last = i
	}
	if listed != free || free > 0 && last != s.tail {
		return fmt.Errorf("%d records are free, %d are in the free list, which ends at %d and not %d", free, listed, last, s.tail)
	}
	return nil
}
