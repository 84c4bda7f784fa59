package memmgr

import (
	"reflect"
	"testing"

	"github.com/ashlar-go/ashlar/profile/layout"
)

// A layout adds to what the options say, and changes no list of theirs.
func TestWith(t *testing.T) {
	l, err := layout.Parse("l", []byte(`ashlar layout 1
cold debris
rows table/a 9
near table/b table/c
near table/b table/d
near table/x table/b
near table/d table/c
stored poison volatile
world menu
cold buttons
`))
	if err != nil {
		t.Fatal(err)
	}
	o := AdaptOptions{cold: make([]string, 1, 9), order: make([]string, 1, 9), expected: make([]expected, 1, 9)}
	o.cold[0], o.order[0], o.expected[0] = "snow", "table/b", expected{"table/z", 1}
	got := o.With(l.In(""))
	want := AdaptOptions{
		cold:     []string{"snow", "debris"},
		order:    []string{"table/b", "table/d", "table/c"},
		expected: []expected{{"table/z", 1}, {"table/a", 9}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if o.cold[:2][1] != "" || o.order[:2][1] != "" || o.expected[:2][1].name != "" {
		t.Error("the options were changed")
	}
	if got := (AdaptOptions{}).With(l.In("")); !reflect.DeepEqual(got.order, []string{"table/b", "table/d", "table/c"}) {
		t.Errorf("without an order: %v", got.order)
	}
	if in := (AdaptOptions{}).With(l.In("menu")); len(in.cold) != 2 {
		t.Errorf("statements of a world that was asked for are lost: %v", in.cold)
	}
}
