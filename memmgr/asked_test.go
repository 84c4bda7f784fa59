package memmgr_test

import (
	"reflect"
	"testing"

	"github.com/ashlar-go/ashlar/memmgr"
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
	o := memmgr.AdaptOptions{Cold: make([]string, 1, 9), Order: make([]string, 1, 9), Expected: make([]memmgr.Expected, 1, 9)}
	o.Cold[0], o.Order[0], o.Expected[0] = "snow", "table/b", memmgr.Expected{Name: "table/z", Rows: 1}
	got := o.With(l.In(""))
	want := memmgr.AdaptOptions{
		Cold:     []string{"snow", "debris"},
		Order:    []string{"table/b", "table/d", "table/c"},
		Expected: []memmgr.Expected{{Name: "table/z", Rows: 1}, {Name: "table/a", Rows: 9}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if o.Cold[:2][1] != "" || o.Order[:2][1] != "" || o.Expected[:2][1].Name != "" {
		t.Error("the options were changed")
	}
	if got := (memmgr.AdaptOptions{}).With(l.In("")); !reflect.DeepEqual(got.Order, []string{"table/b", "table/d", "table/c"}) {
		t.Errorf("without an order: %v", got.Order)
	}
	if in := (memmgr.AdaptOptions{}).With(l.In("menu")); len(in.Cold) != 2 {
		t.Errorf("statements of a world that was asked for are lost: %v", in.Cold)
	}
}
