package store

import (
	"os"
	"time"
)

// tidier gives back the pages of entries that name no row any more, a few at the end of
// each frame. It looks at entries that have lost half of their rows and did not get them
// back for a while, and at pages of a group's entries whose indexes another group has taken.
type tidier struct {
	words *Words // under way
	at    uint32 // element to go on with; 0: none is under way
	due   uint64 // bytes to be looked at
	check uint64 // frame in which entries are looked at next
	freed uint64 // bytes so far
}

const (
	tidyEvery = 64        // frames between looks at entries
	tidyLeast = 256 << 10 // bytes of entries below which they are not worth it
	tidyStep  = 64 << 10  // bytes that are looked at in a step at least
	tidyMost  = 256 << 10 // and at most
	tidyPages = 8         // of blocks that another group has taken, in a frame
)

// timeOneIn is how few frames are timed: reading the clock is felt in short ones.
const timeOneIn = 4

// Tidying tells whether the frame that begins is to be timed.
func (s *Store) Tidying() bool { return s.tidier.at != 0 && s.frame%timeOneIn == 0 }

// share returns how many bytes to look at after a frame that was timed: 8 MB for each second
// of frames. That is about a quarter of a percent of the time, and as much again for pages
// that are used again after all.
func share(took time.Duration) uint64 { return uint64(max(took, 0) * timeOneIn / 125) }

// shrunk tells whether entries that name n rows are worth tidying. In two calls in a row there
// must be so few rows that a map is enough for them. Or they are at most half of the peak, and
// so few that pages would be empty if rows were spread at random.
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

// Tidy does a share of it, after a frame that took so long.
func (s *Store) Tidy(took time.Duration) error {
	if s.ids.Handovers() > 0 {
		if err := s.tidyHandovers(); err != nil {
			return err
		}
	}
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

func (s *Store) tidy(took time.Duration) error {
	t := &s.tidier
	if t.at == 0 {
		t.check = s.frame + tidyEvery
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
		if err == nil && len(w.flat) == 0 {
			err = w.array.Free()
		}
	}
	return err
}

// countNamed notes for all entries how many of them name rows; for sets of places, how many rows
// they are about. It is one pass over tables, however many entries there are.
func (s *Store) countNamed() {
	for w := range s.allWords {
		w.named = 0
	}
	for _, t := range s.tables {
		if t == nil {
			continue
		}
		t.words.named += t.Seq.Len()
		if p := t.place.plane; p != nil {
			p.sets.named += t.Seq.Len()
		}
	}
}

// Tidied is how many bytes of entries were given back as there came to be fewer rows.
func (s *Store) Tidied() uint64 { return s.tidier.freed }
