package field_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/ecs/internal/field"
)

// Tags that reflect reads nothing from are refused, and go vet refuses them in structs: so
// they are given as text.
func TestFormOfTags(t *testing.T) {
	parse := func(text string) (string, error) {
		return field.ParseTag(reflect.StructField{Name: "HP", Type: reflect.TypeFor[[]int32](), Tag: reflect.StructTag(text)})
	}
	for _, text := range []string{`ashlar: "a"`, `ashlar :"a"`, `a`, "ashlar:`a`", "ashlar:'w'", `ashlar:"a"b`, `ashlar:"a`, `json:"a" b`, `a"b:"c"`, `ashlar:`, `ashlar`} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), "has the wrong form and is not read: write `ashlar:") {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, want := range map[string]string{"": "", " ": "", `ashlar:""`: "", ` json:"a b:c"  ashlar:" x" `: "x", `ashlar:"x.Y"`: "x.Y"} {
		if got, err := parse(text); got != want || err != nil {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		`ashlar:"a,b"`: `names two components, "a" and "b"`, `ashlar:"a,a"`: `names two components, "a" and "a"`,
		`ashlar:","`: "a comma too many", `ashlar:"a,"`: "a comma too many", `ashlar:",a"`: "a comma too many",
	} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// Words that tags had before are refused, and the error shows the field as it is written now.
func TestWordsOfTags(t *testing.T) {
	type inner struct{ X float32 }
	for _, x := range []struct {
		of   reflect.Type
		tag  string
		want string
	}{
		{reflect.TypeFor[[]inner](), "write", "write HP ecs.Write[inner]"},
		{reflect.TypeFor[[]inner](), "optional", "write HP ecs.Maybe[inner]"},
		{reflect.TypeFor[[]int32](), "optional, write", "write HP ecs.MaybeWrite[int32]"},
		{reflect.TypeFor[[]float32](), "pos.X,write", "write HP ecs.Write[float32] `ashlar:\"pos.X\"`"},
		{reflect.TypeFor[*inner](), "write", "write HP ecs.WriteOne[inner]"},
		{reflect.TypeFor[*inner](), "optional,left", "write HP ecs.MaybeOne[inner] `ashlar:\"left\"`"},
		{reflect.TypeFor[*inner](), "optional,write", "write HP ecs.MaybeWriteOne[inner]"},
		{reflect.TypeFor[ecs.Res[int32]](), "write", "write HP ecs.WriteRes[int32]"},
		{reflect.TypeFor[ecs.Changed[int32]](), "rows", "write HP ecs.ChangedRows[int32]"},
		{reflect.TypeFor[ecs.Added[int32]](), "left,rows", "write HP ecs.AddedRows[int32] `ashlar:\"left\"`"},
		{reflect.TypeFor[[4]int32](), "optional", "write _ ecs.Maybe[[4]int32]"},
		{reflect.TypeFor[inner](), "write", "remove the word"},
		{reflect.TypeFor[ecs.Write[inner]](), "write", "remove the word"},
		{reflect.TypeFor[ecs.Res[inner]](), "write,optional", "remove the word"},
		{reflect.TypeFor[ecs.With[inner]](), "optional", "remove the word"},
		{reflect.TypeFor[ecs.Changed[inner]](), "write", "remove the word"},
		{reflect.TypeFor[[]inner](), "rows", "remove the word"},
		{reflect.TypeFor[*ecs.Pool[inner]](), "rows", "remove the word"},
	} {
		_, err := field.ParseTag(reflect.StructField{Name: "HP", Type: x.of, Tag: reflect.StructTag(`ashlar:"` + x.tag + `"`)})
		if err == nil || !strings.HasSuffix(err.Error(), x.want) {
			t.Errorf("%v %s: %v, want %s", x.of, x.tag, err, x.want)
		}
	}
}

func TestEdits(t *testing.T) {
	for _, x := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"ashlar", "ashlar", 0}, {"", "abc", 3}, {"abc", "", 3}, {"ashler", "ashlar", 1}, {"ahslar", "ashlar", 2}, {"aslar", "ashlar", 1}, {"ashllar", "ashlar", 1}, {"hashla", "ashlar", 2}, {"json", "ashlar", 5}, {"kitten", "sitting", 3}} {
		if got := field.Edits(x.a, x.b); got != x.want {
			t.Errorf("%s and %s: %d, want %d", x.a, x.b, got, x.want)
		}
	}
}
