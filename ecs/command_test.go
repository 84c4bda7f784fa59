package ecs

import (
	"reflect"
	"testing"
)

// Dropped commands of components, of bundles and of all that match are told by name when the queue is empty again.
func TestDropsAreNamed(t *testing.T) {
	type mark struct{ N int64 }
	type dot struct{ N int64 }
	w := New(Options{})
	marks := Register[mark](w, "mark")
	Register[dot](w, "dot")
	some, both := SpawnerOf[struct{ dot }](w), SpawnerOf[struct {
		mark
		dot
	}](w)
	do := w.Commands()
	e, err := w.Spawn()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		do.Destroy(e)
		do.SetEnabled(e, false)
		marks.Later(do).Add(e, mark{1})
		some.Later(do).Put(e, struct{ dot }{dot{1}})
		both.Later(do).Put(e, struct {
			mark
			dot
		}{})
		marks.Later(do).Remove(e)
	}
	if err := w.SafePoint(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range DropsIn(w.Stats()) {
		got = append(got, d.What)
	}
	each := []string{`disable`, `add "mark"`, `put "dot"`, `put "mark", "dot"`, `remove "mark"`}
	want := append(append(append([]string{}, each...), "destroy"), each...)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
