package ecs

import (
	"reflect"
	"strings"
	"testing"
)

// Parts of a component that overlap, one of them written, are refused with both fields;
// parts that do not, and parts that are only read, are not.
func TestOverlappingParts(t *testing.T) {
	w := New(Options{})
	defer w.Close()
	type vec3 struct{ X, Y, Z float32 }
	type spin struct {
		Axis  vec3
		Angle float32
	}
	type transform struct {
		At vec3
		spin
	}
	Register[transform](w, "transform")
	type parts = struct {
		field string // its tag
		typ   reflect.Type
		write reflect.Type
	}
	whole := parts{"transform", reflect.TypeFor[[]transform](), reflect.TypeFor[Write[transform]]()}
	at := parts{"transform.At", reflect.TypeFor[[]vec3](), reflect.TypeFor[Write[vec3]]()}
	axis := parts{"transform.Axis", reflect.TypeFor[[]vec3](), reflect.TypeFor[Write[vec3]]()}
	turn := parts{"transform.spin", reflect.TypeFor[[]spin](), reflect.TypeFor[Write[spin]]()}
	x := parts{"transform.At.X", reflect.TypeFor[[]float32](), reflect.TypeFor[Write[float32]]()}
	y := parts{"transform.At.Y", reflect.TypeFor[[]float32](), reflect.TypeFor[Write[float32]]()}
	deep := parts{"transform.spin.Axis", reflect.TypeFor[[]vec3](), reflect.TypeFor[Write[vec3]]()} // Axis by its full path
	for _, tt := range []struct {
		a, b    parts
		overlap bool
	}{
		{whole, whole, true}, {whole, at, true}, {whole, x, true}, {at, at, true}, {at, x, true}, {x, x, true}, {axis, deep, true}, {turn, axis, true},
		{at, axis, false}, {x, y, false}, {at, turn, false}, {x, axis, false},
	} {
		for writers := range 4 {
			for _, order := range [][2]parts{{tt.a, tt.b}, {tt.b, tt.a}} {
				var fields []reflect.StructField
				for i, p := range order {
					is := p.typ
					if writers>>i&1 == 1 {
						is = p.write
					}
					fields = append(fields, reflect.StructField{Name: string(rune('A' + i)), Type: is, Tag: reflect.StructTag(`ashlar:"` + p.field + `"`)})
				}
				_, err := w.queryFields(reflect.StructOf(fields), false)
				if want := tt.overlap && writers > 0; (err != nil) != want {
					t.Errorf("%s and %s, writers %02b: %v", order[0].field, order[1].field, writers, err)
				}
				for i, p := range order {
					if err != nil && !strings.Contains(err.Error(), string(rune('A'+i))+" ("+p.field) {
						t.Errorf("no field %s of %s in: %v", string(rune('A'+i)), p.field, err)
					}
				}
			}
		}
	}
}
