package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// A summary lists the components that no group owns, and counts the rest.
func TestStoring(t *testing.T) {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	type value struct{ N int32 }
	spent := ecs.Register[value](w, "spent", ecs.Volatile)
	e, err := w.Spawn()
	if err != nil {
		t.Fatal(err)
	}
	if err := spent.Add(e, value{1}); err != nil {
		t.Fatal(err)
	}
	type owned int64
	ecs.Register[owned](w, "owned")
	ecs.GroupOf[struct{ Owned owned }](w, "group")
	list := func() string {
		var b strings.Builder
		storing(&b, w)
		return b.String()
	}
	if got, want := list(), "storage\tspent: 4 bytes; optional, stated; 1 entity in 1 table\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for i := range 13 {
		ecs.Register[value](w, fmt.Sprint("v", i))
	}
	if got := list(); strings.Count(got, "\n") != 13 || !strings.HasSuffix(got, "\n\tv10: 4 bytes; fixed, by default; 0 entities in 0 tables\n\tand 2 more\n") {
		t.Error(got)
	}
}
