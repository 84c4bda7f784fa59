package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/memmgr/frames"
)

// The policy knows counts, and neither tables nor entities. This file shows it its input:
//
//	Remove, RemoveAll …   ─ Removed ─→  policy   rows that lost a component
//	EndFrame              ─ Tables ──→           tables with rows: are they too small?
//	EndFrame              ─ tell ────→           which components rows have, rows passed by systems
//	Change, OrderBy       ←─ Way ──────          a component that changes over
//	goOn, BeginFrame      ←─ Budget ───          how much may move in a frame
//
// All of them follow from the calls made, so the ways of components are the same on every machine.

// countLiving counts tables of the commons that have rows, and drops some of the others. It
// runs every livingEvery frames, and once rows have settled. A table is dropped when it was empty for
// deadAfter frames, or earlier if there are too many such tables.
func (s *Store) countLiving() {
	s.recount = s.working // counts go out of date while rows move: they are made again after that
	s.living, s.rows = 0, 0
	var dead []*Table
	for _, t := range s.Commons.tables {
		switch n := t.Seq.Len(); {
		case n > 0:
			s.living++
			s.rows += n
			t.empty = 0
		case t.empty == 0:
			t.empty = s.frame
		default:
			dead = append(dead, t)
		}
	}
	// Tables that are empty cost each system a look; to make one anew costs much more.
	if len(dead) > s.living+deadMost || len(dead) > 0 && s.frame%deadAfter == 1 {
		s.dropTables(slices.DeleteFunc(dead, func(t *Table) bool { return s.frame-t.empty < deadAfter && len(dead) <= s.living+deadMost }))
	}
}

// deadAfter is for how many frames a table without rows is kept, and deadMost how many of
// them more than tables with rows.
const (
	deadAfter = frames.Many
	deadMost  = 32
)

// livingEvery is for how many frames the number of tables with rows is taken as it was.
const livingEvery = frames.Few

// ways are the policy's.
var ways = [...]Way{policy.Fixed: Fixed, policy.Optional: Optional, policy.Thin: Thin, policy.Ordered: Optional}

// tell gives the policy the facts about some components. Where rows are as they were, these are facts about systems.
func (s *Store) tell(ids []int, f *policy.Facts, passed int) {
	places := make([]uint64, len(s.comps)) // a bit for each that is asked for
	for i, id := range ids {
		places[id] = 1 << i
	}
	if s.visits != nil {
		s.visits(func(v Visit) { f.Systems = append(f.Systems, v.system(places, int64(passed))) })
	}
	was := f.Rows
	if f.Rows = s.standing(); f.Rows != 0 && f.Rows == was {
		return
	}
	for _, id := range ids {
		c := s.comps[id]
		have := 0
		for _, t := range c.tables {
			have += t.Count(c)
		}
		f.Counted = append(f.Counted, policy.Counted{Component: id, Size: int64(c.Size), Have: int64(have)})
	}
	f.Living = int64(s.living)
	step := 1 + s.living/setsMost
	f.Sampled = step > 1
	for i, t := range s.Commons.tables {
		if n := t.Seq.Len(); n > 0 && (i%step == 0 || n > s.rows/setsMost) {
			t.tell(places, f, int64(min(step, 1+s.rows/n)))
		}
	}
}

// standing is a hash of how many rows each table has, and of the counts that tell reads. It costs a load for each table, where tell
// looks at their components. 0 says that rows move, or that bits tell which components they have.
func (s *Store) standing() uint64 {
	if s.working || len(s.moving) > 0 {
		return 0
	}
	h := s.made
	for _, x := range [...]uint64{s.Dropped, uint64(s.living), uint64(s.rows)} {
		h = h*edgeHash + x
	}
	for _, t := range s.tables {
		switch {
		case t == nil:
			continue
		case len(t.opts) > 0:
			return 0
		}
		h = (h ^ uint64(t.Seq.Len())) * edgeHash
		h ^= h >> 29
	}
	return h | 1
}

// setsMost is of how many tables and rows the policy is told in a look (TestPolicyIsToldOfSets).
const setsMost = 512

// tell appends the sets of components that the table's rows have. Where rows differ, it looks at some
// of them, at equal distances. The table stands for so many like it.
func (t *Table) tell(places []uint64, f *policy.Facts, times int64) {
	n := int64(t.Seq.Len())
	x := policy.Set{Rows: n * times}
	bytes := int64(0)
	for _, c := range t.fixed {
		bytes += n * int64(c.Size)
		if b := places[c.ID]; b != 0 {
			x.Bits |= b
		} else {
			x.Rest = (x.Rest + uint64(c.ID) + 1) * edgeHash
		}
	}
	mixed := false
	for _, o := range t.opts {
		bytes += int64(o.Count) * int64(o.C.Size)
		switch b := places[o.C.ID]; {
		case int64(o.Count) == n:
			x.Bits |= b
		case b != 0 && o.Count > 0:
			mixed = true
		}
	}
	if x.Width = bytes / n; !mixed {
		f.Sets = append(f.Sets, x)
		return
	}
	looks := max(min(n, n*setsMost/int64(max(t.store.rows, 1))), 1)
	f.Sampled = true
	x.Rows /= looks
	for i := range looks {
		y := x
		at, mask := t.bit(t.Seq.At(int(i * n / looks)))
		for _, o := range t.opts {
			if o.has(at, mask) {
				y.Bits |= places[o.C.ID]
			}
		}
		f.Sets = append(f.Sets, y)
	}
}

// system is a visit as the policy sees it.
func (v *Visit) system(places []uint64, frames int64) (x policy.System) {
	bits := func(list []*Component) (set uint64) {
		for _, c := range list {
			set |= places[c.ID]
		}
		return set
	}
	x.Required, x.Excluded, x.Maybe = bits(v.Required), bits(v.Excluded), bits(v.Maybe)
	x.Pieces, x.Met = int64(v.Pieces), (v.Met+frames-1)/frames
	return x
}

// Report tells how a component is stored, and why.
func (c *Component) Report() policy.Report { return c.store.policy.Report(int(c.ID)) }
