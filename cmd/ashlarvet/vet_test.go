package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

// Comments "want" in testdata say which lines are reported. All others are not.
func TestParallelWrites(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), parallelWrites, "writes")
}

func TestBatchEscape(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), batchEscape, "escape")
}

func TestReadOnly(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), readOnly, "readonly")
}

// Package ecs has all names that the analyzers know. In testdata it is a copy of a few.
func TestNamesAreThoseOfEcs(t *testing.T) {
	api, err := os.ReadFile("../../docs/api.txt")
	if err != nil {
		t.Fatal(err)
	}
	methods := slices.Concat(slices.Collect(maps.Keys(loops)), slices.Collect(maps.Keys(rowsOf)), slices.Collect(maps.Keys(lasting)), slices.Collect(maps.Keys(forReading)), slices.Collect(maps.Keys(writers)))
	for _, name := range methods {
		of, method, _ := strings.Cut(strings.TrimPrefix(name, ecsPath+"."), ".")
		if !regexp.MustCompile(`(?m)^ecs: func \(\w+ \*?` + of + `(\[[^]]+\])?\) ` + method + `\(|^ecs: type ` + of + `: Res`).Match(api) {
			t.Errorf("ecs has no method %s", name)
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^ecs: func \(\w+ \*?(\w+)\[[^]]+\]\) (\w+)\(.*\) \(?(?:v )?(?:\*T|S)\b`).FindAllSubmatch(api, -1) {
		if name := string(m[1]) + "." + string(m[2]); !slices.Contains(methods, name) {
			t.Errorf("nothing says how long the address is good that %s returns", name)
		}
	}
	for name := range passed {
		if !regexp.MustCompile(`(?m)^ecs: type ` + name + `\b`).Match(api) {
			t.Errorf("ecs has no type %s", name)
		}
	}
}

// A program against package ecs itself is reported by go vet, and by the command alone.
func TestProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a command")
	}
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod")
		out, err := cmd.CombinedOutput()
		return string(out) + fmtError(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tool := filepath.Join(dir, "ashlarvet")
	if out, err := exec.Command("go", "build", "-o", tool, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sums, err := os.ReadFile("../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	write("go.sum", string(sums))
	write("go.mod", "module hello\n\ngo 1.26\n\nrequire github.com/ashlar-go/ashlar v0.0.0\n\nreplace github.com/ashlar-go/ashlar => "+root+"\n")
	write("main.go", `package main

import "github.com/ashlar-go/ashlar/ecs"

func main() {
	w, total, last := ecs.New(ecs.Options{}), 0, []int(nil)
	ecs.Register[int](w, "n")
	ecs.System(w, "sum", func(c *struct{ N []int }) {
		for _, n := range c.N {
			total += n
			last = append(last, n)
		}
		last = c.N[1:]
	}, ecs.Parallel())
	for c := range ecs.QueryOf[struct{ N []int }](w).All() {
		last = c.N
	}
	println(total, last)
}
`)
	for _, args := range [][]string{{"go", "vet", "-vettool=" + tool, "."}, {tool, "."}} {
		got := run(args[0], args[1:]...)
		for _, want := range []string{
			`main.go:10:4: system "sum" promises ecs.Parallel, and writes total`,
			`main.go:11:4: system "sum" promises ecs.Parallel, and writes last`,
			`main.go:13:3: system "sum" promises ecs.Parallel, and writes last`,
			`main.go:13:3: memory c.N of a batch is good until system "sum" returns, and is stored in last`,
			`main.go:16:3: memory N of a batch is good until the turn of the loop ends, and is stored in last`,
			"exit status",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("%v: no %q in\n%s", args, want, got)
			}
		}
	}
}

func fmtError(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
