package report

import (
	"reflect"
	"testing"

	"github.com/ashlar-go/ashlar/profile"
)

// Pairs are of components, or of the fields that a system has alone, by the rows of both in all systems.
func TestTogether(t *testing.T) {
	p := profile.Profile{Frames: 10, Systems: []profile.System{
		{Name: "move", Fields: []profile.Field{{Path: "body.At", Write: true}, {Path: "body.Speed"}}, Access: []profile.Access{
			{Group: "table/body", Component: "body", Write: true, Rows: 1000}, {Group: "table/body", Component: "body", Rows: 1000},
			{Group: "table/body+sprite", Component: "body", Write: true, Rows: 500}, {Group: "table/body+sprite", Component: "body", Rows: 500},
		}},
		{Name: "draw", Access: []profile.Access{
			{Group: "table/body+sprite", Component: "sprite", Rows: 500}, {Group: "table/body+sprite", Component: "body", Rows: 500}, {Group: "light", Component: "light", Scattered: true, Rows: 20},
		}},
		{Name: "cull", Access: []profile.Access{{Group: "table/body+sprite", Component: "body", Rows: 500}, {Group: "table/body+sprite", Component: "sprite", Write: true, Rows: 500}}},
	}}
	want := [][]string{
		{"<used together", "<with", "rows", "systems"},
		{"body.At", "body.Speed", "150", "1"},
		{"body", "sprite", "100", "2"},
		{"body", "light", "2", "1"},
		{"light", "sprite", "2", "1"},
	}
	if got := together(p).rows; !reflect.DeepEqual(got, want) {
		t.Errorf("\ngot  %v\nwant %v", got, want)
	}
	many := profile.System{}
	for i := range 26 {
		many.Access = append(many.Access, profile.Access{Component: string(rune('a' + i)), Rows: 1})
	}
	if got := together(profile.Profile{Frames: 1, Systems: []profile.System{many}}).rows; len(got) != 1+togetherMost {
		t.Errorf("%d pairs", len(got)-1)
	}
}
