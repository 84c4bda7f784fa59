package memmgr_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/memmgr"
)

// Columns of a schema that is known at run time are found by name and type, and read without the type.
func TestColumnsByName(t *testing.T) {
	m := manager(t, memmgr.Options{})
	names := []string{"time", "at", "level", "here"}
	types := []reflect.Type{reflect.TypeFor[int64](), reflect.TypeFor[[2]float32](), reflect.TypeFor[uint8](), reflect.TypeFor[struct{}]()}
	var list []memmgr.Column
	for i, name := range names {
		list = append(list, memmgr.ColumnOfType(name, types[i]))
	}
	s, err := m.NewSequence("s", list...)
	if err != nil {
		t.Fatal(err)
	}
	if got, of := s.Columns(); !slices.Equal(got, names) || !slices.Equal(of, types) {
		t.Errorf("columns are %v %v", got, of)
	}
	l, err := s.Append()
	if err != nil {
		t.Fatal(err)
	}
	panics(t, func() { s.Values(0, l.Plus(1)) }, "Values of row", `"s" does not have`)
	panics(t, func() { s.Values(0, 0) }, "Values of row", `"s" does not have`)
	s.RemoveRange(0, 1)
	times, err := memmgr.ColumnOf[int64](s, "time")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100_000 {
		l, err := s.Append()
		if err != nil {
			t.Fatal(err)
		}
		times.Set(l, int64(i))
	}
	next := int64(0)
	for l, values := range times.Chunks(s) {
		if got := s.Values(0, l).Interface().([]int64); &got[0] != &values[0] || len(got) != len(values) {
			t.Fatalf("%v: %d values by number, and %d by name", l, len(got), len(values))
		}
		if got := s.Values(3, l).Len(); got != len(values) {
			t.Errorf("%v: %d values without size, want %d", l, got, len(values))
		}
		if values[0] != next || s.Values(0, l.Plus(1)).Index(0).Int() != next+1 {
			t.Errorf("%v begins with %d, want %d", l, values[0], next)
		}
		next += int64(len(values))
	}
}

// Names may be given to Cols, and a sequence without names knows no types.
func TestNamedCols(t *testing.T) {
	m := manager(t, memmgr.Options{})
	var a, b memmgr.Col[int32]
	s, err := m.NewSequence("s", &a, memmgr.Named("b", &b))
	if err != nil {
		t.Fatal(err)
	}
	if c, err := memmgr.ColumnOf[int32](s, "b"); err != nil || c != b {
		t.Errorf("another column is found, %v", err)
	}
	plain, err := m.NewSequence("plain", &a)
	if names, types := plain.Columns(); err != nil || names != nil || types != nil {
		t.Errorf("%v %v, %v", names, types, err)
	}
	for want, err := range map[string]error{
		`no column "c": it has "b" (int32)`: second(memmgr.ColumnOf[int32](s, "c")),
		`no column ""`:                      second(memmgr.ColumnOf[int32](s, "")),
		`values of int32, not of uint32`:    second(memmgr.ColumnOf[uint32](s, "b")),
		`none with a name`:                  second(memmgr.ColumnOf[int32](plain, "a")),
		`columns 0 and 2 are both "x"`:      second(m.NewSequence("x", memmgr.Named("x", &a), &b, memmgr.ColumnOfType("x", reflect.TypeFor[int]()))),
		`columns 0 and 1 are one Col`:       second(m.NewSequence("w", memmgr.Named("x", &a), memmgr.Named("y", &a))),
		`Go pointer`:                        second(m.NewSequence("y", memmgr.ColumnOfType("y", reflect.TypeFor[string]()))),
		`name of a column is empty`:         second(m.NewSequence("z", memmgr.Named("", &a))),
		`type is nil`:                       second(m.NewSequence("n", memmgr.ColumnOfType("n", nil))),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	defer func() {
		if r, ok := recover().(string); !ok || !strings.Contains(r, "name them by Named") {
			t.Errorf("panic %v", r)
		}
	}()
	plain.Values(0, 0)
}

func second[T any](_ T, err error) error { return err }
