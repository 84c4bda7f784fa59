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
	type turn struct {
		M []mark
		Y []float64 `ashlar:"place.Y"`
	}
	type see struct {
		M []mark
		P []place
	}
	for order, want := range map[string]string{
		"l":     "1",
		"ly":    "1", // of transform.X
		"lyl":   "2 2",
		"lydly": "1 1",
		"lpy":   "1",
		"ls":    "1",
		"lsdl":  "1 1",
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
			case 'y':
				System(w, name, func(*turn) {})
			case 's':
				System(w, name, func(*see) {})
			case 'p':
				System(w, name, func(*push) {})
			case 'd':
				System(w, name, func(*drive) {})
			}
		}
		got := ""
		for i, s := range order {
			if s == 'l' {
				in := &served{query: w.systems[i].query, group: g.group}
				v := g.view(&in.query.columns[1])
				got += fmt.Sprint(" ", w.sharers(in, v))
			}
		}
		if got[1:] != want {
			t.Errorf("%s: %s, want %s", order, got[1:], want)
		}
		w.Close()
	}
}
