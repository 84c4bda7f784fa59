package ecs_test

import (
	"reflect"

	"github.com/ashlar-go/ashlar/ecs"
)

// pair is the value of each component of a motley: two numbers.
type motleyPair struct{ V, W uint64 }

// Components of motleys.
type (
	mA struct{ P motleyPair }
	mB struct{ P motleyPair }
	mC struct {
		P motleyPair
		_ [62]uint64 // 127 rows a chunk
	}
	mD struct {
		P motleyPair
		_ [30]uint64
	}
	mE struct{ P motleyPair }
	mF struct {
		P motleyPair
		_ [3]uint64
	}
	mG struct {
		P motleyPair
		_ [30]uint64
	}
	mT struct{}
	mU struct{}
)

func (c *mA) motleyPair() *motleyPair { return &c.P }
func (c *mB) motleyPair() *motleyPair { return &c.P }
func (c *mC) motleyPair() *motleyPair { return &c.P }
func (c *mD) motleyPair() *motleyPair { return &c.P }
func (c *mE) motleyPair() *motleyPair { return &c.P }
func (c *mF) motleyPair() *motleyPair { return &c.P }
func (c *mG) motleyPair() *motleyPair { return &c.P }

// Components by number, from partT on tags.
const (
	partA = iota
	partB
	partC
	partD
	partE
	partF
	partG
	partP // of a split component
	partQ
	partT
	partU
	parts
)

// cell is where the numbers of a row are; nil: it is absent, or not asked for.
type motleyCell struct{ v, w *uint64 }

func (c motleyCell) value() (p motleyPair) {
	if c.v != nil {
		p.V = *c.v
	}
	if c.w != nil {
		p.W = *c.w
	}
	return p
}

func (c motleyCell) put(p motleyPair) {
	if c.v != nil {
		*c.v = p.V
	}
	if c.w != nil {
		*c.w = p.W
	}
}

// form is how a field asks for values.
type form int

const (
	formRead form = iota
	formWrite
	formStrided
	formWriteStrided
	formMaybe
	formMaybeWrite
	formOne
	formWriteOne
	formMaybeOne
	formMaybeWriteOne
	forms
)

func (f form) write() bool {
	return f == formWrite || f == formWriteStrided || f == formMaybeWrite || f == formWriteOne || f == formMaybeWriteOne
}

func (f form) maybe() bool {
	return f == formMaybe || f == formMaybeWrite || f == formMaybeOne || f == formMaybeWriteOne
}

// shape is a field of a form: open returns the number of rows and where each has its value.
type motleyShape struct {
	typ  reflect.Type
	open func(field any) (rows int, at func(i int) motleyCell)
}

func shapesOf[T any](to func(*T) motleyCell) (list [forms]motleyShape) {
	slice := func(s []T) (int, func(int) motleyCell) {
		return len(s), func(i int) motleyCell { return to(&s[i]) }
	}
	one := func(p *T) (int, func(int) motleyCell) {
		return 1, func(int) motleyCell {
			if p == nil {
				return motleyCell{}
			}
			return to(p)
		}
	}
	set := func(f form, t reflect.Type, open func(any) (int, func(int) motleyCell)) {
		list[f] = motleyShape{t, open}
	}
	set(formRead, reflect.TypeFor[[]T](), func(f any) (int, func(int) motleyCell) { return slice(*f.(*[]T)) })
	set(formWrite, reflect.TypeFor[ecs.Write[T]](), func(f any) (int, func(int) motleyCell) { return slice(*f.(*ecs.Write[T])) })
	set(formMaybe, reflect.TypeFor[ecs.Maybe[T]](), func(f any) (int, func(int) motleyCell) { return slice(*f.(*ecs.Maybe[T])) })
	set(formMaybeWrite, reflect.TypeFor[ecs.MaybeWrite[T]](), func(f any) (int, func(int) motleyCell) { return slice(*f.(*ecs.MaybeWrite[T])) })
	set(formStrided, reflect.TypeFor[ecs.Strided[T]](), func(f any) (int, func(int) motleyCell) {
		s := f.(*ecs.Strided[T])
		return s.Len(), func(i int) motleyCell { return to(s.At(i)) }
	})
	set(formWriteStrided, reflect.TypeFor[ecs.WriteStrided[T]](), func(f any) (int, func(int) motleyCell) {
		s := f.(*ecs.WriteStrided[T])
		return s.Len(), func(i int) motleyCell { return to(s.At(i)) }
	})
	set(formOne, reflect.TypeFor[*T](), func(f any) (int, func(int) motleyCell) { return one(*f.(**T)) })
	set(formWriteOne, reflect.TypeFor[ecs.WriteOne[T]](), func(f any) (int, func(int) motleyCell) { return one(*f.(*ecs.WriteOne[T])) })
	set(formMaybeOne, reflect.TypeFor[ecs.MaybeOne[T]](), func(f any) (int, func(int) motleyCell) { return one(*f.(*ecs.MaybeOne[T])) })
	set(formMaybeWriteOne, reflect.TypeFor[ecs.MaybeWriteOne[T]](), func(f any) (int, func(int) motleyCell) { return one(*f.(*ecs.MaybeWriteOne[T])) })
	return list
}

// partShapes are the shapes of one number of a pair.
var partShapes = [2][forms]motleyShape{
	shapesOf(func(p *uint64) motleyCell { return motleyCell{v: p} }),
	shapesOf(func(p *uint64) motleyCell { return motleyCell{w: p} }),
}

// changesOf are the changes of a component, asked for at once or later.
type changesOf struct {
	add, put, set func(e ecs.Entity, v motleyPair) error
	remove        func(e ecs.Entity) error
	enable        func(e ecs.Entity, on bool) error
	addAll        func(q ecs.AnyQuery, v motleyPair) (int, error) // at once only, as all below
	setAll        func(q ecs.AnyQuery, v motleyPair) (int, error)
	removeAll     func(q ecs.AnyQuery) (int, error)
}

// part is a component of a motley.
type motleyPart struct {
	name    string
	pool    ecs.AnyPool
	size    bool // it has values
	now     changesOf
	later   func(*ecs.Commands) changesOf
	get     func(e ecs.Entity) (v motleyPair, has bool)
	on      func(e ecs.Entity) bool
	all     func(yield func(ecs.Entity, motleyPair))
	sort    func(how uint64)
	clear   func() error
	respect func(other ecs.AnyPool)

	shapes                                               [forms]motleyShape
	with, without, present, disabled, look, prior, reach reflect.Type
	ask                                                  reflect.Type    // Later
	changed                                              [4]reflect.Type // rows that are changed and added, and chunks
	asks                                                 func(field any) changesOf
	looks                                                func(field any) func(ecs.Entity) (motleyPair, bool)
	priors                                               func(field any) (get func(ecs.Entity) (motleyPair, bool), rows func([]ecs.Entity) func(i int) motleyPair)
	reaches                                              func(field any) (mut func(ecs.Entity) motleyCell)
	subjects                                             []*motleySubject
}

func laterOf[T any](l ecs.Later[T], value func(motleyPair) T) changesOf {
	return changesOf{
		add:    func(e ecs.Entity, v motleyPair) error { l.Add(e, value(v)); return nil },
		put:    func(e ecs.Entity, v motleyPair) error { l.Put(e, value(v)); return nil },
		set:    func(e ecs.Entity, v motleyPair) error { l.Set(e, value(v)); return nil },
		remove: func(e ecs.Entity) error { l.Remove(e); return nil },
		enable: func(e ecs.Entity, on bool) error { l.SetEnabled(e, on); return nil },
	}
}

// partOf registers a component. The function is nil for tags.
func motleyPartOf[T any](w *ecs.World, k int, name string, to func(*T) *motleyPair, how ...ecs.Storage) *motleyPart {
	return motleyPoolOf(ecs.Register[T](w, name, how...), k, name, to)
}

func motleyPoolOf[T any](p *ecs.Pool[T], k int, name string, to func(*T) *motleyPair) *motleyPart {
	value := func(v motleyPair) (x T) {
		if to != nil {
			*to(&x) = v
		}
		return x
	}
	from := func(x *T) (v motleyPair) {
		if to != nil {
			v = *to(x)
		}
		return v
	}
	x := &motleyPart{
		name: name, pool: p, size: to != nil,
		now: changesOf{
			add:       func(e ecs.Entity, v motleyPair) error { return p.Add(e, value(v)) },
			put:       func(e ecs.Entity, v motleyPair) error { return p.Put(e, value(v)) },
			set:       func(e ecs.Entity, v motleyPair) error { return p.Set(e, value(v)) },
			remove:    p.Remove,
			enable:    p.SetEnabled,
			addAll:    func(q ecs.AnyQuery, v motleyPair) (int, error) { return p.AddAll(q, value(v)) },
			setAll:    func(q ecs.AnyQuery, v motleyPair) (int, error) { return p.SetAll(q, value(v)) },
			removeAll: p.RemoveAll,
		},
		later: func(do *ecs.Commands) changesOf { return laterOf(p.Later(do), value) },
		get: func(e ecs.Entity) (v motleyPair, has bool) {
			if x := p.Get(e); x != nil {
				return from(x), true
			}
			return v, false
		},
		on: p.Enabled, clear: p.Clear, respect: p.Respect,
		all: func(yield func(ecs.Entity, motleyPair)) {
			for e, v := range p.All() {
				yield(e, from(v))
			}
		},
		with: reflect.TypeFor[ecs.With[T]](), without: reflect.TypeFor[ecs.Without[T]](), present: reflect.TypeFor[ecs.Present[T]](),
		disabled: reflect.TypeFor[ecs.Disabled[T]](), changed: [4]reflect.Type{reflect.TypeFor[ecs.ChangedRows[T]](), reflect.TypeFor[ecs.AddedRows[T]](), reflect.TypeFor[ecs.Changed[T]](), reflect.TypeFor[ecs.Added[T]]()}, look: reflect.TypeFor[ecs.Look[T]](),
		prior: reflect.TypeFor[ecs.Prior[T]](), reach: reflect.TypeFor[*ecs.Pool[T]](), ask: reflect.TypeFor[ecs.Later[T]](),
		asks: func(f any) changesOf { return laterOf(*f.(*ecs.Later[T]), value) },
		looks: func(f any) func(ecs.Entity) (motleyPair, bool) {
			l := *f.(*ecs.Look[T])
			return func(e ecs.Entity) (v motleyPair, has bool) {
				if x := l.Get(e); x != nil {
					return from(x), true
				}
				return v, false
			}
		},
		priors: func(f any) (func(ecs.Entity) (motleyPair, bool), func([]ecs.Entity) func(int) motleyPair) {
			l := *f.(*ecs.Prior[T])
			return func(e ecs.Entity) (v motleyPair, has bool) {
					if x := l.Get(e); x != nil {
						return from(x), true
					}
					return v, false
				}, func(es []ecs.Entity) func(int) motleyPair {
					list := l.Rows(es)
					return func(i int) motleyPair { return from(&list[i]) }
				}
		},
	}
	x.subjects = partSubjects(name, k, from)
	if to != nil {
		whole := func(x *T) motleyCell { v := to(x); return motleyCell{&v.V, &v.W} }
		x.shapes = shapesOf(whole)
		x.sort = func(how uint64) { p.SortKey(func(v *T) uint64 { return mixed(to(v).V, how) >> 50 }) }
		x.reaches = func(f any) func(ecs.Entity) motleyCell {
			l := *f.(**ecs.Pool[T])
			return func(e ecs.Entity) motleyCell {
				if v := l.Mut(e); v != nil {
					return whole(v)
				}
				return motleyCell{}
			}
		}
	}
	return x
}
