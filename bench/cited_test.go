package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/bench/internal/programs"
)

var (
	benchCommand = regexp.MustCompile("go -C bench run \\. ([^\n`)\\[]+)")
	benchWord    = regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`)
)

// citations are the arguments of this command that pages and comments of the other module name.
func citations(t *testing.T) (list [][]string) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != ".." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "bench"):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".md") && !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		for _, m := range benchCommand.FindAllStringSubmatch(string(text), -1) {
			var args []string
			for _, word := range benchWord.FindAllString(m[1], -1) {
				args = append(args, strings.TrimRight(strings.Trim(word, `'"`), ".;"))
			}
			list = append(list, args)
		}
		return err
	})
	if err != nil || len(list) < 20 {
		t.Fatalf("%d commands found, %v", len(list), err)
	}
	return list
}

// Commands in documents are understood and name programs or contests that there are, and each table is named by one.
func TestRowsAreCited(t *testing.T) {
	cited := map[string]bool{}
	for _, args := range citations(t) {
		for _, arg := range args {
			cited[strings.TrimPrefix(arg, "-")] = true
		}
		if i := slices.Index(args, "-stage"); i >= 0 {
			if _, found := variant(programs.All(), args[i+1]); !found {
				t.Errorf("%q names no variant of a program", args)
			}
			continue
		}
		var out, errs bytes.Buffer
		if status := run(append(slices.Clone(args), "-list"), &out, &errs); status != 0 || out.Len() == 0 {
			t.Errorf("%q: status %d, %d bytes of names, %s", args, status, out.Len(), errs.String())
		}
	}
	for _, m := range modes() {
		if !cited[m.name] {
			t.Errorf("-%s: no document names it", m.name)
		}
	}
	for _, e := range exhibits() {
		if !cited[e.name] {
			t.Errorf("-%s: no document names it", e.name)
		}
	}
}
