package store

import (
	"iter"
	"os"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/frames"
)

const (
	tidyEvery = frames.Many // frames between looks at entries
	tidyLeast = tidyMost    // bytes of entries below which they are not worth it
	tidyStep  = chunk.Bytes // bytes that are looked at in a step at least
	tidyMost  = 256 << 10   // and at most
	tidyPages = 8           // of blocks that another group has taken, in a frame
)

// timeOneIn is how few frames are timed: reading the clock is felt in short ones.
const timeOneIn = frames.Few

// Tidying tells whether the frame that begins is to be timed. The caller reads the clock only then,
// and passes the time to Tidy.
func (s *Store) Tidying() bool { return s.tidier.at != 0 && s.frame%timeOneIn == 0 }

// share returns how many bytes to look at after a frame that was timed: 8 MB for each second of
// frames. That is about a quarter of a percent of the time, and as much again for pages that are
// written again later. One frame in timeOneIn is timed, and stands for all of them.
func share(took time.Duration) uint64 { return uint64(max(took, 0) * timeOneIn / 125) }

// shrunk tells whether entries that name n rows are worth tidying. In two calls in a row there must be
// so few rows that a map is enough for them. Or they are at most half of the peak, and so few that
// pages would be empty if rows were spread at random. Two calls are tidyEvery frames apart, so a short
// dip frees nothing. It updates peak and shrank.
func (w *Words) shrunk(n int, bound uint32) bool {
	w.peak = max(w.peak, n)
	bytes := uint64(min(uint32(len(w.flat)), bound)) * 8
	if bytes < tidyLeast || !w.few(n, bound) && (n > w.peak/2 || uint64(n) > 2*bytes/uint64(os.Getpagesize())) {
		w.shrank = 0
		return false
	}
	w.shrank++
	return w.shrank >= 2
}

// Tidy does a share of the work that is due, after a frame of the given duration; 0 if it was not
// timed. An error is the operating system's; the memory stays then, and nothing is lost.
//
//	waiting  ─every tidyEvery frames: some entries have shrunk→ under way (at > 0)
//	under way ─the last page was looked at→ waiting
func (s *Store) Tidy(took time.Duration) error {
	if s.ids.Handovers() > 0 {
		if err := s.tidyHandovers(); err != nil {
			return err
		}
	}
	// Handovers come first and each frame, because they are few and known by index.
	if s.tidier.at == 0 && s.frame < s.tidier.check {
		return nil // as after most frames
	}
	return s.tidy(took)
}

// tidyHandovers gives back pages of a group's entries where the members had indexes that now
// are another group's. In long churn each group would otherwise come to touch each page of its
// entries, because groups that grow and shrink take each other's blocks.
func (s *Store) tidyHandovers() error {
	for range min(s.ids.Handovers(), tidyPages) {
		h := s.ids.TakeHandover()
		w := &s.groups[h.Kin-1].words
		if len(w.flat) == 0 {
			continue
		}
		_, freed, err := w.array.Tidy(h.Index, 1)
		s.tidier.freed += freed
		if err != nil {
			return err
		}
	}
	return nil
}

// tidy is Tidy without handovers: it begins with the first entries that have shrunk, or goes on with
// the ones under way. The budget due grows with the time of frames, and is spent in steps of tidyStep
// bytes at least.
func (s *Store) tidy(took time.Duration) error {
	t := &s.tidier
	if t.at == 0 {
		t.check = s.frame + tidyEvery
		s.holes.release()
		s.countNamed()
		for w := range s.allWords {
			if w.shrunk(w.named, s.Bound()) && t.at == 0 {
				t.words, t.at = w, 1
				if w.few(w.named, s.Bound()) {
					s.makeRare(w)
				}
			}
		}
		if t.at == 0 {
			return nil
		}
	}
	t.due += share(took)
	if t.due < tidyStep {
		return nil
	}
	w := t.words
	next, freed, err := w.array.Tidy(t.at, min(t.due, tidyMost))
	t.due = 0
	t.freed += freed
	if t.at = next; next == 0 || next >= s.Bound() {
		t.at, t.check = 0, s.frame
		s.countNamed()
		w.peak, w.shrank = w.named, 0
		// The entries became a map when the tidying began, so the array is of no use.
		if err == nil && len(w.flat) == 0 {
			err = w.array.Free()
		}
	}
	return err
}

// countNamed notes for all entries how many of them name rows; for sets of places, how many rows they
// are about. It is one pass over tables, however many entries there are. The counts are not kept up to
// date in between.
func (s *Store) countNamed() {
	for w := range s.allWords {
		w.named = 0
	}
	for _, t := range s.tables {
		if t == nil {
			continue
		}
		if p := t.place.plane; p != nil {
			t.words.named += t.Seq.Len()
			p.sets.named += t.Seq.Len()
		}
	}
}

// Tidied is how many bytes of entries were given back by Tidy so far. Shrink reports its own.
func (s *Store) Tidied() uint64 { return s.tidier.freed }

// allWords goes over all entries that are arrays: of groups, of thin components, and
// sets of planes. Entries that are maps have no pages to give back, and records stay.
func (s *Store) allWords(yield func(*Words) bool) {
	for _, o := range s.owners {
		if len(o.words.flat) > 0 && !yield(&o.words) {
			return
		}
	}
	for _, c := range s.comps {
		if len(c.own.flat) > 0 && !yield(&c.own) {
			return
		}
	}
	for _, p := range s.planes {
		if len(p.sets.flat) > 0 && !yield(&p.sets) {
			return
		}
	}
}

// allZero tells whether the elements from lo up to but not including hi are 0.
func allZero(a arena.Array[uint64], lo, hi uint32) bool {
	for i := lo; i < hi; i++ {
		if a.Load(i) != 0 {
			return false
		}
	}
	return true
}

// Shrink gives back pages of entries that name no row, and makes maps of arrays that name few. It
// returns the bytes given back, and costs a pass over the entries. Caches of disabled bits, marks and
// ticks are dropped, too. Users call it after a peak, between frames.
func (s *Store) Shrink() (freed uint64, err error) {
	if t := &s.tidier; t.at != 0 && len(t.words.flat) == 0 { // a map by now, and its array is on its way
		freed += uint64(t.words.array.Len()) * 8
		if err := t.words.array.Free(); err != nil {
			return freed, err
		}
		t.at = 0
	}
	s.holes.used = false
	s.holes.release()
	s.shrinkDisabled()
	s.dropMarks()
	s.dropTicks()
	s.countNamed()
	for w := range s.allWords {
		if w.few(w.named, s.Bound()) {
			freed += uint64(len(w.flat)) * 8
			s.makeRare(w)
			if err := w.array.Free(); err != nil {
				return freed, err
			}
			continue
		}
		n, err := w.array.Purge(func(lo, hi uint32) bool {
			if !w.array.Reserved() { // the array becomes shorter, and its last element must stay 0
				lo = max(lo, 1) - 1
			}
			return allZero(w.array, lo, hi)
		})
		w.setFlat(w.array.Span(0))
		freed += n
		if err != nil {
			return freed, err
		}
	}
	return freed, nil
}

// Entries that were an array and name few rows become a map:
//
//	        1/256 of all entities, and few enough to be moved at once
//	          ↓
//	map ←─────┴───── array
//	 └─────┬───────────↑
//	       ↑
//	      1/64 of all entities
//
// Between the two marks they keep their form, so that nothing goes to and fro.

const (
	rareAgain = 4 * rareOne // an array becomes a map once less than one in so many entities is in it
	rareMost  = 4096        // and at most so many, since they move in one frame
)

// few tells whether an array of n entries, of entities up to a bound, should be a map.
func (w *Words) few(n int, bound uint32) bool {
	return bound > rareSpan && n <= rareMost && uint64(n)*rareAgain < uint64(bound)
}

// makeRare makes a map of entries that are an array. The array reads as zero then, and its memory is
// still to be given back. Directories lose the array first: a look-up between would find an entry that
// is on its way.
func (s *Store) makeRare(w *Words) {
	flat := w.flat
	w.rare = make(map[uint32]uint64)
	w.setFlat(nil)
	for e := range s.whose(w) {
		if i := e.Index(); i < uint32(len(flat)) && flat[i] != 0 {
			w.rare[i], flat[i] = flat[i], 0
		}
	}
}

// whose yields the entities that may have one of the entries. It costs a pass over the rows that the
// entries name. An entity may come more than once for sets of places.
func (s *Store) whose(w *Words) iter.Seq[Entity] {
	return func(yield func(Entity) bool) {
		for _, t := range s.tables {
			if t != nil && !t.whose(w, yield) {
				return
			}
		}
	}
}

// whose does it for one table. It returns false if the caller wants no more.
func (t *Table) whose(w *Words, yield func(Entity) bool) bool {
	if t.words != w && (t.place.plane == nil || w != &t.place.sets) {
		return true
	}
	for id, n := range t.Seq.Chunks() {
		for _, e := range t.store.Entities(id, n) {
			if !yield(e) {
				return false
			}
		}
	}
	return true
}
