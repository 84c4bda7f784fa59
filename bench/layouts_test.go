package main

import (
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/profile/layout"
)

// A run by the layout that a run of the same program advised advises the same one, also where ways of
// storing cost nearly the same and are chosen by what was before.
func TestLayoutsAgain(t *testing.T) {
	advised := 0
	for _, p := range laidPrograms() {
		n, frames := min(p.Entities, 20_000), 150
		first := layoutOf(p, n, frames, layout.Source{Off: true})
		again := layoutOf(p, n, frames, layout.Source{Text: []byte(layout.Revise("", first))})
		if advised += len(first); !slices.Equal(linesOf(first), linesOf(again)) {
			t.Errorf("%s: %d statements\n%q\nthen\n%q", p.Name, len(first), linesOf(first), linesOf(again))
		}
	}
	if advised < 10 {
		t.Errorf("%d statements in all: nothing is tested", advised)
	}
}

func linesOf(list []layout.Statement) (lines []string) {
	for _, s := range list {
		lines = append(lines, s.String())
	}
	return lines
}
