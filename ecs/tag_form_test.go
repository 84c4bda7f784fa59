package ecs

import (
	"reflect"
	"strings"
	"testing"
)

// Tags that reflect reads nothing from are refused, and go vet refuses them in structs: so
// they are given as text.
func TestFormOfTags(t *testing.T) {
	for _, text := range []string{`ashlar: "write"`, `ashlar :"write"`, `write`, "ashlar:`write`", "ashlar:'w'", `ashlar:"write"optional`, `ashlar:"write`, `json:"a" write`, `a"b:"c"`, `ashlar:`, `ashlar`} {
		if _, err := parseTag(reflect.StructTag(text)); err == nil || !strings.Contains(err.Error(), "has the wrong form and is not read: write `ashlar:") {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, want := range map[string]tag{
		"": {}, " ": {}, `ashlar:""`: {}, ` json:"a b:c"  ashlar:"write, optional,x" `: {name: "x", write: true, optional: true}, `ashlar:"write"`: {write: true}, `ashlar:"rows,x"`: {name: "x", rows: true},
	} {
		if got, err := parseTag(reflect.StructTag(text)); got != want || err != nil {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	if _, err := parseTag(`ashlar:"a,b"`); err == nil || !strings.Contains(err.Error(), `names two components, "a" and "b"`) {
		t.Error(err)
	}
}

func TestEdits(t *testing.T) {
	for _, x := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"ashlar", "ashlar", 0}, {"", "abc", 3}, {"abc", "", 3}, {"ashler", "ashlar", 1}, {"ahslar", "ashlar", 2}, {"aslar", "ashlar", 1}, {"ashllar", "ashlar", 1}, {"hashla", "ashlar", 2}, {"json", "ashlar", 5}, {"kitten", "sitting", 3}} {
		if got := edits(x.a, x.b); got != x.want {
			t.Errorf("%s and %s: %d, want %d", x.a, x.b, got, x.want)
		}
	}
}
