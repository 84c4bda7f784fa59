package ecs

import "slices"

// findSpans finds for each view of a group the one that can serve its readers, too.
// Where systems ask for several parts of a component and nobody for one that holds them
// all, that is a span: the bytes from the first of them to the last.
//
//	component  ┌────┬──────┬───────┬──────────┐
//	           │ id │ At   │ Angle │ …        │
//	           └────┴──────┴───────┴──────────┘
//	views           ├──────┤             transform.At
//	                       ├───────┤     transform.Angle
//	span            ├──────────────┤     transform.At..Angle
//
// Spans lie in annexes, which take no room in chunks, and no memory before some system
// tries one. Where they lie may change when systems are added.
func (g *group) findSpans() {
	was := g.views
	asked := slices.IndexFunc(was, func(v *view) bool { return v.span })
	if asked < 0 {
		asked = len(was)
	}
	g.views = slices.Clone(was[:asked])
	for i, v := range was[:asked] {
		if first := slices.IndexFunc(was[:asked], func(o *view) bool { return o.pool == v.pool }); first == i {
			if s := g.spanOf(v.pool); s != nil {
				if k := slices.IndexFunc(was[asked:], s.same); k >= 0 {
					s = was[asked+k]
				}
				g.views = append(g.views, s)
			}
		}
	}
	for _, v := range g.views {
		outer := g.outer(v)
		if outer != v.outer {
			v.outer = outer
			g.laid++
		}
	}
}

// same tells whether two views are of the same bytes and lie in the same place.
func (v *view) same(o *view) bool {
	return v.pool == o.pool && v.part == o.part && v.span == o.span && v.offset == o.offset
}

// outer is the smallest view that holds another one's part and more; nil if there is
// none. Parts of a Go type overlap only where one holds the other.
func (g *group) outer(v *view) (outer *view) {
	for _, o := range g.views {
		if o.pool == v.pool && o.part.holds(v.part) && o.part.size > v.part.size && (outer == nil || o.part.size < outer.part.size) {
			outer = o
		}
	}
	return outer
}

// spanOf is a new view of all that systems ask for of a component; nil if one that some
// system asks for is that, or if it has no room.
func (g *group) spanOf(p *pool) *view {
	var first, last part
	found := 0
	for _, v := range g.views {
		if v.pool != p || v.span || g.outer(v) != nil {
			continue
		}
		if found++; found == 1 || v.part.offset < first.offset {
			first = v.part
		}
		if found == 1 || v.part.offset > last.offset {
			last = v.part
		}
	}
	if found < 2 {
		return nil
	}
	of := part{offset: first.offset, size: last.offset + last.size - first.offset, path: first.path + ".." + last.path}
	for _, of := range [...]part{of.even(p.size), of} {
		v := g.newView(p, of)
		if v.span = true; g.annex(v) {
			return v
		}
	}
	return nil
}

// holds tells whether all bytes of q are bytes of p.
func (p part) holds(q part) bool {
	return p.offset <= q.offset && q.offset+q.size <= p.offset+p.size
}

// even is the part, made larger where a component of so many bytes allows it, so that it
// is of a size that kernels copy as one.
func (p part) even(all uintptr) part {
	for _, size := range [...]uintptr{8, 12, 16, 32, 64} {
		if size >= p.size && size <= all {
			p.offset, p.size = min(p.offset, all-size), size
			break
		}
	}
	return p
}
