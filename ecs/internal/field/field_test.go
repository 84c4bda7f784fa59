package field_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

type hp struct{ N int32 }

// The type of a field says its meaning, and the type argument.
func TestMeaning(t *testing.T) {
	comp := reflect.TypeFor[hp]()
	for _, x := range []struct {
		is    reflect.Type
		want  field.Meaning
		of    reflect.Type
		under store.Kind
	}{
		{reflect.TypeFor[[]hp](), field.Meaning{Kind: field.Slice}, comp, 0},
		{reflect.TypeFor[ecs.MaybeWrite[hp]](), field.Meaning{Kind: field.Slice, Write: true, Optional: true}, comp, 0},
		{reflect.TypeFor[ecs.WriteStrided[hp]](), field.Meaning{Kind: field.Slice, Write: true, Strided: true}, comp, 0},
		{reflect.TypeFor[ecs.MaybeOne[hp]](), field.Meaning{Kind: field.Pointer, Optional: true}, comp, 0},
		{reflect.TypeFor[[]ecs.Entity](), field.Meaning{Kind: field.Entities}, nil, 0},
		{reflect.TypeFor[ecs.Entity](), field.Meaning{Kind: field.Entity}, nil, 0},
		{reflect.TypeFor[ecs.Rows](), field.Meaning{Kind: field.Rows}, nil, 0},
		{reflect.TypeFor[*ecs.Commands](), field.Meaning{Kind: field.Commands}, nil, 0},
		{reflect.TypeFor[ecs.AtEnd](), field.Meaning{Kind: field.AtEnd}, nil, 0},
		{reflect.TypeFor[*ecs.Pool[hp]](), field.Meaning{Kind: field.Pool, Write: true}, comp, 0},
		{reflect.TypeFor[ecs.Look[hp]](), field.Meaning{Kind: field.Pool}, comp, 0},
		{reflect.TypeFor[ecs.WriteRes[hp]](), field.Meaning{Kind: field.Resource, Write: true}, comp, 0},
		{reflect.TypeFor[ecs.AddedRows[hp]](), field.Meaning{Kind: field.Added, Rows: true}, comp, 0},
		{reflect.TypeFor[ecs.Local[hp]](), field.Meaning{Kind: field.Local}, comp, 0},
		{reflect.TypeFor[ecs.Prior[hp]](), field.Meaning{Kind: field.Prior}, comp, 0},
		{reflect.TypeFor[ecs.Events[hp]](), field.Meaning{Kind: field.Events}, comp, 0},
		{reflect.TypeFor[ecs.WriteEvents[hp]](), field.Meaning{Kind: field.Events, Write: true}, comp, 0},
		{reflect.TypeFor[ecs.Left[hp]](), field.Meaning{Kind: field.Moves, Left: true}, comp, store.Having},
		{reflect.TypeFor[ecs.Left[ecs.Set[hp]]](), field.Meaning{Kind: field.Moves, Left: true}, comp, store.Setting},
		{reflect.TypeFor[ecs.Arrived[ecs.Disabled[hp]]](), field.Meaning{Kind: field.Moves}, comp, store.Disabling},
	} {
		f, err := field.Of(reflect.StructField{Name: "F", Type: x.is})
		if err != nil || f.Meaning != x.want || f.Of != x.of || f.Under != x.under {
			t.Errorf("%v: %+v of %v, under %d, %v", x.is, f.Meaning, f.Of, f.Under, err)
		}
	}
}

// A struct of the program that embeds such a type is none: its first word may be another field.
func TestEmbeddedTypesAreNoFields(t *testing.T) {
	for _, is := range []reflect.Type{
		reflect.TypeFor[struct {
			N int
			ecs.Local[int]
		}](), reflect.TypeFor[struct {
			N int
			ecs.Prior[hp]
		}](), reflect.TypeFor[struct {
			N int
			ecs.Events[int]
		}](),
	} {
		if f, err := field.Of(reflect.StructField{Name: "F", Type: is}); err == nil || !strings.Contains(err.Error(), "is not a supported field type") {
			t.Errorf("%v: kind %d, %v", is, f.Kind, err)
		}
	}
}
