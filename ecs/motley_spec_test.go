package ecs_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"

	"github.com/ashlar-go/ashlar/ecs"
)

// motleyColumn is a field of a system that gives values.
type motleyColumn struct {
	k     int // component
	form  form
	half  int  // 0: both numbers, 1: V, 2: W
	has   bool // a field Has beside it
	whole bool // of a split component
}

// Conditions.
const (
	condWith = iota
	condWithout
	condPresent
	condDisabled
	condOr
	condChanged // row by row
	condAdded
	condChangedChunk
	condAddedChunk
	condPresentWhole
	condDisabledWhole
	conds
)

type motleyCond struct{ kind, k, other int }

func (c motleyCond) changes() bool { return c.kind >= condChanged && c.kind <= condAddedChunk }

// ors are the pairs of components of which Or is asked.
var ors = []struct {
	typ  reflect.Type
	a, b int
}{
	{reflect.TypeFor[ecs.Or[mB, mD]](), partB, partD},
	{reflect.TypeFor[ecs.Or[mE, mU]](), partE, partU},
	{reflect.TypeFor[ecs.Or[mA, mT]](), partA, partT},
	{reflect.TypeFor[ecs.Or[mG, mF]](), partG, partF},
}

// motleySpec is a system with rows, as it was drawn.
type motleySpec struct {
	name                         string
	salt                         uint64
	pointers, ents, rows         bool
	cols                         []motleyColumn
	conds                        []motleyCond
	looks, priors, reaches, asks []int
	hears                        []int // subjects
	far                          int   // a query; -1: none
	group                        int   // OnlyIn of one; 0: of none
	rand, res, sum, out, in      bool
	do, end, local               bool
	parallel                     bool
	phase                        ecs.Phase
	when                         uint64 // runs in frames that this does not divide; 0: in all
	boom                         uint64 // panics in frames that this divides; 0: in none
	typ                          reflect.Type
	at                           motleySlots
}

// motleySlots are the numbers of the fields.
type motleySlots struct {
	cols, has, looks, priors, reaches, asks, hears           []int
	ents, rows, far, rand, res, sum, out, in, do, end, local int
}

type (
	motleySum   struct{ V, H uint64 } // V in any order, H in that of rows
	motleyEvent struct {
		E ecs.Entity
		V uint64
	}
)

// draw makes a spec up.
func drawMotley(r *rand.Rand, name string, subjects []*motleySubject) *motleySpec {
	s := &motleySpec{name: name, salt: r.Uint64(), far: -1}
	one := func(n int) bool { return r.IntN(n) == 0 }
	s.pointers = one(8)
	s.ents = !one(3)
	perm := r.Perm(parts)
	used := map[int]bool{}
	next := func(sized bool) int {
		for i, k := range perm {
			if k < partT || !sized {
				perm = slices.Delete(perm, i, i+1)
				used[k] = true
				return k
			}
		}
		return -1
	}
	required := false
	if whole := one(8); whole && !s.pointers {
		s.drawWhole(r)
		required = true
		perm = slices.DeleteFunc(perm, func(k int) bool { return k == partP || k == partQ })
	}
	n := 1 + r.IntN(3)
	for range n {
		k := next(true)
		if k < 0 {
			break
		}
		c := motleyColumn{k: k}
		maybe := one(3)
		switch {
		case maybe && s.pointers:
			c.form = []form{formMaybeOne, formMaybeWriteOne}[r.IntN(2)]
		case maybe:
			c.form = []form{formMaybe, formMaybeWrite}[r.IntN(2)]
			c.has = !one(3)
		case s.pointers:
			c.form = []form{formOne, formWriteOne}[r.IntN(2)]
		default:
			c.form = []form{formRead, formWrite, formStrided, formWriteStrided, formWrite}[r.IntN(5)]
		}
		required = required || !maybe
		if c.half = max(0, r.IntN(5)-2); c.half > 0 && one(2) {
			d := c
			d.half, d.has = 3-c.half, false
			if !maybe && !s.pointers {
				d.form = []form{formRead, formWrite, formStrided, formWriteStrided}[r.IntN(4)]
			}
			s.cols = append(s.cols, d)
		}
		s.cols = append(s.cols, c)
	}
	for range r.IntN(3) {
		switch kind := r.IntN(conds); kind {
		case condOr:
			o := ors[r.IntN(len(ors))]
			s.conds = append(s.conds, motleyCond{kind, o.a, o.b})
			required = true
		case condPresent, condDisabled, condChanged, condAdded, condChangedChunk, condAddedChunk:
			if kind >= condChangedChunk && !s.ents {
				continue
			}
			k := s.cols[r.IntN(len(s.cols))].k // of its own columns
			if one(3) {
				k = next(false)
			}
			if k >= 0 && !slices.ContainsFunc(s.conds, func(c motleyCond) bool { return c.k == k && c.kind != condOr }) {
				s.conds = append(s.conds, motleyCond{kind: kind, k: k})
				required = true
			}
		case condPresentWhole, condDisabledWhole:
			if !slices.ContainsFunc(s.conds, func(c motleyCond) bool { return c.kind >= condPresentWhole }) {
				s.conds = append(s.conds, motleyCond{kind: kind, k: -1})
			}
		default:
			if k := next(false); k >= 0 {
				s.conds = append(s.conds, motleyCond{kind: kind, k: k})
				required = required || kind == condWith
			}
		}
	}
	if !required {
		if k := next(false); k >= 0 {
			s.conds = append(s.conds, motleyCond{kind: condWith, k: k})
		}
	}
	if s.ents {
		for range r.IntN(2) {
			if k := next(false); k >= 0 {
				s.looks = append(s.looks, k)
			}
		}
		if one(4) {
			s.priors = append(s.priors, s.cols[0].k)
			if k := next(false); k >= 0 && one(2) {
				s.priors = append(s.priors, k)
			}
		}
		if one(8) {
			if k := next(true); k >= 0 {
				s.reaches = append(s.reaches, k)
			}
		}
		if one(4) {
			s.asks = append(s.asks, r.IntN(parts))
		}
		if one(5) {
			s.do = true
		}
		if one(8) {
			s.end = true
		}
		for range max(0, r.IntN(6)-3) {
			if of := r.IntN(len(subjects)); !s.clashes(subjects[of].about) && !slices.Contains(s.hears, of) {
				s.hears = append(s.hears, of)
			}
		}
		s.rand = one(4)
		s.out = one(5)
	}
	s.rows = !s.pointers && one(8)
	if one(5) {
		f := r.IntN(len(fars))
		clash := false
		for _, c := range s.cols {
			clash = clash || c.form.write() && slices.Contains(fars[f].reads, c.k) || c.k == fars[f].writes
		}
		for _, k := range append(append(slices.Clone(s.looks), s.priors...), s.reaches...) {
			clash = clash || k == fars[f].writes || slices.Contains(s.reaches, k) && slices.Contains(fars[f].reads, k)
		}
		if fars[f].writes >= 0 && slices.ContainsFunc(s.conds, func(c motleyCond) bool { return c.changes() }) {
			clash = true
		}
		for _, of := range s.hears {
			clash = clash || slices.Contains(subjects[of].about, fars[f].writes)
		}
		if !clash {
			s.far = f
		}
	}
	s.res, s.in, s.local = one(6), one(8), one(6)
	s.sum = !s.res && one(10)
	s.parallel = !one(8)
	switch r.IntN(10) {
	case 0:
		s.phase = ecs.Fixed
	case 1:
		s.phase = ecs.Startup
	case 2:
		s.phase = ecs.Render
	}
	if one(10) {
		s.when = 2 + r.Uint64N(2)
	}
	if one(12) && !s.byChunk() && !s.in && len(s.hears) == 0 {
		s.boom = 2 + r.Uint64N(3)
	}
	return s
}

// clashes tells whether it writes components.
func (s *motleySpec) clashes(ks []int) bool {
	for _, c := range s.cols {
		if c.form.write() && slices.ContainsFunc(c.comps(), func(k int) bool { return slices.Contains(ks, k) }) {
			return true
		}
	}
	return slices.ContainsFunc(s.reaches, func(k int) bool { return slices.Contains(ks, k) })
}

// make makes the struct.
func (s *motleySpec) make(all []*motleyPart, subjects []*motleySubject) {
	var fields []reflect.StructField
	add := func(t reflect.Type, tag string) int {
		f := reflect.StructField{Name: fmt.Sprint("F", len(fields)), Type: t}
		if tag != "" {
			f.Tag = reflect.StructTag(fmt.Sprintf("ashlar:%q", tag))
		}
		fields = append(fields, f)
		return len(fields) - 1
	}
	at := motleySlots{ents: -1, rows: -1, far: -1, rand: -1, res: -1, sum: -1, out: -1, in: -1, do: -1, end: -1, local: -1}
	for _, c := range s.cols {
		p := all[c.k]
		if c.whole {
			at.cols = append(at.cols, add(wholeShapes[c.form].typ, ""))
		} else if c.half == 0 {
			at.cols = append(at.cols, add(p.shapes[c.form].typ, ""))
		} else {
			at.cols = append(at.cols, add(partShapes[c.half-1][c.form].typ, p.name+".P."+"VW"[c.half-1:c.half]))
		}
		if c.has {
			at.has = append(at.has, add(reflect.TypeFor[ecs.Has](), p.name))
		} else {
			at.has = append(at.has, -1)
		}
	}
	for _, c := range s.conds {
		switch c.kind {
		case condWith:
			add(all[c.k].with, "")
		case condWithout:
			add(all[c.k].without, "")
		case condPresent:
			add(all[c.k].present, "")
		case condDisabled:
			add(all[c.k].disabled, "")
		case condChanged, condAdded, condChangedChunk, condAddedChunk:
			add(all[c.k].changed[c.kind-condChanged], "")
		case condOr:
			add(ors[slices.IndexFunc(ors, func(o struct {
				typ  reflect.Type
				a, b int
			}) bool {
				return o.a == c.k
			})].typ, "")
		case condPresentWhole:
			add(reflect.TypeFor[ecs.Present[ecs.Entity]](), "")
		case condDisabledWhole:
			add(reflect.TypeFor[ecs.Disabled[ecs.Entity]](), "")
		}
	}
	if s.ents && s.pointers {
		at.ents = add(reflect.TypeFor[ecs.Entity](), "")
	} else if s.ents {
		at.ents = add(reflect.TypeFor[[]ecs.Entity](), "")
	}
	for _, k := range s.looks {
		at.looks = append(at.looks, add(all[k].look, ""))
	}
	for _, k := range s.priors {
		at.priors = append(at.priors, add(all[k].prior, ""))
	}
	for _, k := range s.reaches {
		at.reaches = append(at.reaches, add(all[k].reach, ""))
	}
	for _, k := range s.asks {
		at.asks = append(at.asks, add(all[k].ask, ""))
	}
	for _, of := range s.hears {
		at.hears = append(at.hears, add(subjects[of].out, subjects[of].tag), add(subjects[of].in, subjects[of].tag))
	}
	some := func(is bool, slot *int, t reflect.Type) {
		if is {
			*slot = add(t, "")
		}
	}
	if s.far >= 0 {
		at.far = add(fars[s.far].typ, "")
	}
	some(s.rows, &at.rows, reflect.TypeFor[ecs.Rows]())
	some(s.rand, &at.rand, reflect.TypeFor[ecs.Random]())
	some(s.res, &at.res, reflect.TypeFor[ecs.Res[motleySum]]())
	some(s.sum, &at.sum, reflect.TypeFor[ecs.WriteRes[motleySum]]())
	some(s.out, &at.out, reflect.TypeFor[ecs.WriteEvents[motleyEvent]]())
	some(s.in, &at.in, reflect.TypeFor[ecs.Events[motleyEvent]]())
	some(s.do, &at.do, reflect.TypeFor[*ecs.Commands]())
	some(s.end, &at.end, reflect.TypeFor[ecs.AtEnd]())
	some(s.local, &at.local, reflect.TypeFor[ecs.Local[[]uint64]]())
	s.typ, s.at = reflect.StructOf(fields), at
}
