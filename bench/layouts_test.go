package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
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

// Each example of the documentation prints the same by the layout that a run of it advised, and advises that one again.
func TestExamplesAgain(t *testing.T) {
	advised := 0
	for _, x := range laidExamples() {
		dir := t.TempDir()
		first, digest := x.layout(dir, "off")
		file := filepath.Join(dir, "own.layout")
		twin.Check(os.WriteFile(file, []byte(layout.Revise("", first)), 0o600))
		again, same := x.layout(dir, file)
		if advised += len(first); digest != same || !slices.Equal(linesOf(first), linesOf(again)) {
			t.Errorf("%s prints another text: %v; %q, then %q", x.name, digest != same, linesOf(first), linesOf(again))
		}
	}
	if advised == 0 {
		t.Error("nothing is advised, so nothing is tested")
	}
}

// Statements of stored say one gain together, and others each its own; what says none counts nothing.
func TestGainSaid(t *testing.T) {
	list := []layout.Statement{
		{Word: layout.Stored, Why: "it is removed often: about 4ms less in the first 100 frames, all together"},
		{Word: layout.Stored, Why: "likewise: about 4ms less in the first 100 frames, all together"},
		{Word: layout.Rows, Why: "2 MiB: about 500µs less until it has grown"},
		{Word: layout.Rows, Why: "4 MiB: about 1.5ms less until it has grown"},
		{Word: layout.Rows, Why: "by hand"},
	}
	for word, want := range map[layout.Word]time.Duration{layout.Stored: 4 * time.Millisecond, layout.Rows: 2 * time.Millisecond, layout.Sort: 0} {
		if got := gainSaid(list, word); got != want {
			t.Errorf("%v: %v, want %v", word, got, want)
		}
	}
}
