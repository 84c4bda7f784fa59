package ecs

import (
	"fmt"
	"testing"
)

// A build is charged to those who can use it: no system that writes the owner comes
// between them.
func TestSharers(t *testing.T) {
	type place struct{ X, Y float64 }
	type mark struct{ V uint64 }
	type look struct {
		M []mark
		X []float64 `ashlar:"place.X"`
	}
	type push struct {
		M []mark
		Y []float64 `ashlar:"place.Y,write"`
	}
	type drive struct {
		P []place `ashlar:"write"`
	}
	for order, want := range map[string]string{
		"l":     "1",
		"lll":   "3 3 3",
		"ldl":   "1 1",
		"llpl":  "2 2 1",
		"dlldl": "2 2 1",
		"pld":   "1",
	} {
		w, err := New(Options{})
		if err != nil {
			t.Fatal(err)
		}
		Register[place](w, "place")
		Register[mark](w, "mark")
		GroupOf[struct{ P place }](w, "places")
		g, _ := GroupOf[struct{ M mark }](w, "marks")
		for i, s := range order {
			name := fmt.Sprint("system", i)
			switch s {
			case 'l':
				System(w, name, func(*look) {})
			case 'p':
				System(w, name, func(*push) {})
			case 'd':
				System(w, name, func(*drive) {})
			}
		}
		got := ""
		for i, s := range order {
			if s == 'l' {
				got += fmt.Sprint(" ", w.sharers(&served{query: w.systems[i].query, group: g.group}, g.views[0]))
			}
		}
		if got[1:] != want {
			t.Errorf("%s: %s, want %s", order, got[1:], want)
		}
		w.Close()
	}
}
