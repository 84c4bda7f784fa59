package chunk_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

func ExampleRows() {
	type point struct{ X, Y float64 }
	type named struct{ Name string }
	fmt.Println(chunk.Rows(reflect.TypeFor[int64](), reflect.TypeFor[point]()))
	_, err := chunk.Rows(reflect.TypeFor[named]())
	fmt.Println(err)
	// Output:
	// 2720 <nil>
	// chunk: chunk_test.named holds a Go pointer at named.Name, and the collector does not look into chunks: store an index or a handle instead
}

// A sequence's chunks have as many rows as Rows says.
func TestRowsOfSequence(t *testing.T) {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var a memmgr.Col[uint32]
	var b memmgr.Col[[5]uint16]
	s, err := m.NewSequence("s", &a, &b)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 * chunk.MaxRows {
		if _, err := s.Append(); err != nil {
			t.Fatal(err)
		}
	}
	want, err := chunk.Rows(reflect.TypeFor[uint32](), reflect.TypeFor[[5]uint16]())
	if got := len(a.Slice(s.At(0))); err != nil || got != want {
		t.Errorf("a chunk has %d rows, and Rows says %d, %v", got, want, err)
	}
}

func TestRowsRefuses(t *testing.T) {
	for _, c := range []struct {
		types []reflect.Type
		words string
	}{
		{[]reflect.Type{reflect.TypeFor[[chunk.Bytes + 1]byte]()}, "the limit is 65536"},
		{[]reflect.Type{reflect.TypeFor[[chunk.Bytes / 2]byte](), reflect.TypeFor[[chunk.Bytes/2 + 1]byte]()}, "chunk: no layout"},
		{make([]reflect.Type, chunk.MaxColumns+1), "257 columns"},
	} {
		for i := range c.types {
			if c.types[i] == nil {
				c.types[i] = reflect.TypeFor[byte]()
			}
		}
		if n, err := chunk.Rows(c.types...); n != 0 || err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%d, %v; want %q", n, err, c.words)
		}
	}
}

// A type that is missing is an error, as one that can't be stored.
func TestRowsOfNoType(t *testing.T) {
	if n, err := chunk.Rows(reflect.TypeFor[int64](), reflect.TypeOf(nil)); n != 0 || err == nil || !strings.Contains(err.Error(), "a type is nil") {
		t.Error(n, err)
	}
}
