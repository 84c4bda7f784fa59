package ecs

import (
	"fmt"
	"reflect"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// Pairs calls f with pointers to two values of each row that matches, for code that is written for one
// row. S has a field []A or [Write] of each type. It costs a call for each row, and the cost of All for
// each batch. The pointers are good for the call.
//
//	ecs.Pairs(q, func(p *Position, v *Velocity) { p.X += v.X })
func Pairs[A, B, S any](q *Query[S], f func(*A, *B)) {
	q.core().made("Pairs")
	a, b := columnOf[A, S](), columnOf[B, S]()
	for s := range q.All() {
		as, bs := a.of(s), b.of(s)
		bs = bs[:len(as)]
		for i := range as {
			f(&as[i], &bs[i])
		}
	}
}

// Triples is Pairs for three values of each row.
func Triples[A, B, C, S any](q *Query[S], f func(*A, *B, *C)) {
	q.core().made("Triples")
	a, b, c := columnOf[A, S](), columnOf[B, S](), columnOf[C, S]()
	for s := range q.All() {
		as, bs, cs := a.of(s), b.of(s), c.of(s)
		bs, cs = bs[:len(as)], cs[:len(as)]
		for i := range as {
			f(&as[i], &bs[i], &cs[i])
		}
	}
}

// column is where a struct S has its slice of a type.
type column[T, S any] uintptr

func (c column[T, S]) of(s *S) []T { return *raw.As[[]T](raw.At(raw.Of(s), uintptr(c))) }

// columnOf finds the only field []T of S, or of a form of it.
func columnOf[T, S any]() (c column[T, S]) {
	t, n := typeOf((*S)(nil)), 0
	for i := range t.NumField() {
		if f := t.Field(i); f.Type.Kind() == reflect.Slice && f.Type.Elem() == typeOf((*T)(nil)) {
			c = column[T, S](f.Offset)
			n++
		}
	}
	if n != 1 {
		panic(fmt.Sprintf("ecs: Pairs or Triples of %v: it has %d fields []%v; give it one, and range over Query.All where a struct needs several", t, n, typeOf((*T)(nil))))
	}
	return c
}
