package promise

import (
	"reflect"
	"testing"
)

func digest(v any) uint64 { return Digest(1, reflect.ValueOf(v)) }

// Values that differ have different hashes, of all kinds but where the rest of a value may differ from run to run: behind
// pointers, and in maps.
func TestDigest(t *testing.T) {
	type deep struct {
		Name string
		List []any
	}
	one, two := 1, 2
	for _, pair := range [][2]any{
		{true, false}, {int8(1), int8(2)}, {uint16(1), uint16(2)}, {1.5, 2.5}, {complex(1, 2), complex(2, 1)}, {complex(1, 2), complex(1, 3)},
		{"ab", "ba"}, {"ab", "abc"}, {[2]int{1, 2}, [2]int{2, 1}}, {[]int{0}, []int{0, 0}}, {[]string{"ab", "c"}, []string{"a", "bc"}},
		{deep{"x", []any{1}}, deep{"x", []any{2}}}, {deep{List: []any{1}}, deep{List: []any{nil}}},
		{map[int]int{1: 1}, map[int]int{1: 1, 2: 2}}, {&one, (*int)(nil)},
	} {
		if digest(pair[0]) == digest(pair[1]) {
			t.Errorf("%#v and %#v have one hash", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]any{{&one, &two}, {map[int]int{1: 1}, map[int]int{2: 2}}, {deep{"x", []any{"y"}}, deep{"x", []any{"y"}}}} {
		if digest(pair[0]) != digest(pair[1]) {
			t.Errorf("%#v and %#v have two hashes", pair[0], pair[1])
		}
	}
}
