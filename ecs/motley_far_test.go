package ecs_test

import (
	"reflect"

	"github.com/ashlar-go/ashlar/ecs"
)

// motleyFar is a query: as a field of a system, and for calls that change all that match.
type motleyFar struct {
	typ    reflect.Type
	reads  []int // components whose values matter, or which rows match
	writes int   // -1: none
	conds  []motleyCond
	row    func(x *soul) uint64 // of the model
	one    bool                 // of pointers: Get is tried, too
	sum    func(field any, e ecs.Entity) uint64
	write  func(field any, acc uint64)
	make   func(w *ecs.World) (q ecs.AnyQuery, destroyWhere func(func(uint64) bool) (int, error))
}

func farOf[S any](reads []int, writes int, conds []motleyCond, row func(*soul) uint64, n func(*S) int, value func(*S, int) uint64, write func(*S, int, uint64)) motleyFar {
	one := n == nil
	if one {
		n = func(*S) int { return 1 }
	}
	return motleyFar{
		typ: reflect.TypeFor[*ecs.Query[S]](), reads: reads, writes: writes, conds: conds, row: row, one: one,
		sum: func(field any, e ecs.Entity) (sum uint64) {
			q := *field.(**ecs.Query[S])
			for c := range q.All() {
				for i := range n(c) {
					sum += value(c, i)
				}
			}
			if one {
				if c, is := q.Get(e); is {
					sum += 3 * value(&c, 0)
				}
			}
			return sum + 11*uint64(q.Len())
		},
		write: func(field any, acc uint64) {
			q := *field.(**ecs.Query[S])
			for c := range q.All() {
				for i := range n(c) {
					write(c, i, acc)
				}
			}
		},
		make: func(w *ecs.World) (ecs.AnyQuery, func(func(uint64) bool) (int, error)) {
			q := ecs.QueryOf[S](w)
			return q, func(f func(uint64) bool) (int, error) {
				return q.DestroyWhere(func(c *S, i int) bool { return f(value(c, i)) })
			}
		},
	}
}

type (
	far0 struct {
		A []mA
		C []mC
		_ ecs.Without[mB]
	}
	far1 struct {
		B *mB
		D ecs.MaybeOne[mD]
	}
	far2 struct {
		F []mF
		E ecs.Strided[mE]
		_ ecs.Or[mA, mT]
	}
	far3 struct {
		G []uint64 `ashlar:"mg.P.V"`
		A ecs.Maybe[mA]
		_ ecs.Present[mF]
	}
	far4 struct {
		D ecs.Write[mD]
		A []mA
	}
	far5 struct {
		B ecs.WriteStrided[uint64] `ashlar:"mb.P.W"`
		C []mC
		_ ecs.Disabled[mC]
	}
	far6 struct {
		E []ecs.Entity
		_ ecs.With[mT]
		_ ecs.Without[mU]
	}
	far7 struct {
		A *mA
		E ecs.MaybeOne[mE]
		_ ecs.Without[mU]
	}
	far8 struct {
		E ecs.WriteOne[mE]
		D *mD
	}
)

var fars []motleyFar

func init() {
	with := func(ks ...int) (list []motleyCond) {
		for _, k := range ks {
			list = append(list, motleyCond{kind: condWith, k: k})
		}
		return list
	}
	without := func(k int) motleyCond { return motleyCond{kind: condWithout, k: k} }
	fars = []motleyFar{
		farOf([]int{partA, partC, partB}, -1, append(with(partA, partC), without(partB)),
			func(x *soul) uint64 { return mixed(x.val[partA].V, x.val[partC].W) },
			func(c *far0) int { return len(c.A) }, func(c *far0, i int) uint64 { return mixed(c.A[i].P.V, c.C[i].P.W) }, nil),
		farOf([]int{partB, partD}, -1, with(partB),
			func(x *soul) uint64 { return mixed(x.val[partB].V, x.val[partD].V) },
			nil, func(c *far1, _ int) uint64 {
				d := uint64(0)
				if c.D != nil {
					d = c.D.P.V
				}
				return mixed(c.B.P.V, d)
			}, nil),
		farOf([]int{partF, partE, partA, partT}, -1, append(with(partF, partE), motleyCond{condOr, partA, partT}),
			func(x *soul) uint64 { return mixed(x.val[partF].W, x.val[partE].V) },
			func(c *far2) int { return len(c.F) }, func(c *far2, i int) uint64 { return mixed(c.F[i].P.W, c.E.At(i).P.V) }, nil),
		farOf([]int{partG, partA, partF}, -1, append(with(partG), motleyCond{kind: condPresent, k: partF}),
			func(x *soul) uint64 { return mixed(x.val[partG].V, x.val[partA].V) },
			func(c *far3) int { return len(c.G) }, func(c *far3, i int) uint64 { return mixed(c.G[i], c.A[i].P.V) }, nil),
		farOf([]int{partD, partA}, partD, with(partD, partA),
			func(x *soul) uint64 { return mixed(x.val[partD].V, x.val[partA].V) },
			func(c *far4) int { return len(c.D) }, func(c *far4, i int) uint64 { return mixed(c.D[i].P.V, c.A[i].P.V) },
			func(c *far4, i int, acc uint64) { c.D[i].P.V += acc }),
		farOf([]int{partB, partC}, partB, append(with(partB), motleyCond{kind: condDisabled, k: partC}),
			func(x *soul) uint64 { return mixed(x.val[partB].W, x.val[partC].V) },
			func(c *far5) int { return len(c.C) }, func(c *far5, i int) uint64 { return mixed(*c.B.At(i), c.C[i].P.V) },
			func(c *far5, i int, acc uint64) { *c.B.At(i) += acc }),
		farOf([]int{partT, partU}, -1, append(with(partT), without(partU)),
			func(x *soul) uint64 { return mixed(uint64(x.e), 5) },
			func(c *far6) int { return len(c.E) }, func(c *far6, i int) uint64 { return mixed(uint64(c.E[i]), 5) }, nil),
		farOf([]int{partA, partE, partU}, -1, append(with(partA), without(partU)),
			func(x *soul) uint64 { return mixed(x.val[partA].W, x.val[partE].V) },
			nil, func(c *far7, _ int) uint64 {
				v := uint64(0)
				if c.E != nil {
					v = c.E.P.V
				}
				return mixed(c.A.P.W, v)
			}, nil),
		farOf([]int{partE, partD}, partE, with(partE, partD),
			func(x *soul) uint64 { return mixed(x.val[partE].W, x.val[partD].V) },
			nil, func(c *far8, _ int) uint64 { return mixed(c.E.P.W, c.D.P.V) },
			func(c *far8, _ int, acc uint64) { c.E.P.W += acc }),
	}
}

// soul is an entity of the model.
type soul struct {
	e     ecs.Entity
	has   [parts]bool
	off   [parts]bool
	val   [parts]motleyPair // zero where it lacks the component
	mark  [parts]uint64     // clock of the last write
	came  [parts]uint64
	dark  bool      // disabled as a whole
	holds [2][2]int // by lock and holder
}

// matches tells whether an entity matches conditions, seen is when changes are asked from.
func (x *soul) matches(list []motleyCond, required []int, seen uint64) bool {
	return x.fits(list, required, seen, true)
}

// fits is matches, and without exact all chunks may have changed.
func (x *soul) fits(list []motleyCond, required []int, seen uint64, exact bool) bool {
	var sees [parts]bool
	whole := false
	for _, c := range list {
		switch c.kind {
		case condPresent:
			if sees[c.k] = true; !x.has[c.k] {
				return false
			}
		case condDisabled:
			if sees[c.k] = true; !x.has[c.k] || !x.off[c.k] {
				return false
			}
		case condPresentWhole:
			whole = true
		case condDisabledWhole:
			if whole = true; !x.dark {
				return false
			}
		}
	}
	if x.dark && !whole {
		return false
	}
	on := func(k int) bool { return x.has[k] && (!x.off[k] || sees[k]) }
	for _, k := range required {
		if !on(k) {
			return false
		}
	}
	for _, c := range list {
		switch c.kind {
		case condWith:
			if !on(c.k) {
				return false
			}
		case condWithout:
			if x.has[c.k] && !x.off[c.k] {
				return false
			}
		case condOr:
			// Present and Disabled lift the need to be enabled for their own field alone.
			if (!x.has[c.k] || x.off[c.k]) && (!x.has[c.other] || x.off[c.other]) {
				return false
			}
		case condChanged:
			if !on(c.k) || x.mark[c.k] <= seen {
				return false
			}
		case condAdded:
			if !on(c.k) || x.came[c.k] <= seen {
				return false
			}
		case condChangedChunk:
			if !on(c.k) || exact && x.mark[c.k] <= seen {
				return false
			}
		case condAddedChunk:
			if !on(c.k) || exact && x.came[c.k] <= seen {
				return false
			}
		}
	}
	return true
}
