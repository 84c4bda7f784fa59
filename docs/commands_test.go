package docs

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// commands are the tests, benchmarks and rows that a comment may name to show a figure.
type commands struct {
	functions map[string]bool // of tests and benchmarks
	rows      []string        // strings in the code of bench: names of flags, rows and programs are among them
}

func parseCommands(t *testing.T) *commands {
	t.Helper()
	c := &commands{functions: map[string]bool{}}
	for path, f := range parseAll(t).files {
		for _, d := range f.Decls {
			if fn, is := d.(*ast.FuncDecl); is && fn.Recv == nil && strings.HasSuffix(path, "_test.go") {
				c.functions[fn.Name.Name] = true
			}
		}
		if filepath.ToSlash(filepath.Dir(path)) != "../bench" || strings.HasSuffix(path, "_test.go") {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, is := n.(*ast.BasicLit); is && lit.Kind == token.STRING {
				text, _ := strconv.Unquote(lit.Value)
				c.rows = append(c.rows, text)
			}
			return true
		})
	}
	if len(c.functions) < 100 || len(c.rows) < 100 {
		t.Fatalf("only %d tests and %d strings of bench found", len(c.functions), len(c.rows))
	}
	return c
}

var (
	namesFunction = regexp.MustCompile(`\b(?:Benchmark|Test)[A-Z]\w*`)
	namesPattern  = regexp.MustCompile(`go test \S+ .*?-bench '?\^?(\w+)`)
	namesBench    = regexp.MustCompile(`go -C bench run \. -(\w+)(?: ('[^']+'|[\w|]+))?`)
)

// shows returns nil if a comment names a command that exists.
func (c *commands) shows(doc string) error {
	doc = strings.Join(strings.Fields(doc), " ")
	found := false
	for _, name := range namesFunction.FindAllString(doc, -1) {
		if !c.functions[name] {
			return fmt.Errorf("its comment names %s, which is no test or benchmark", name)
		}
		found = true
	}
	for _, m := range namesPattern.FindAllStringSubmatch(doc, -1) {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(c.functions)), func(name string) bool {
			return strings.HasPrefix(name, "Benchmark") && strings.Contains(name, m[1])
		}) {
			return fmt.Errorf("its comment names benchmarks %s, and there are none such", m[1])
		}
		found = true
	}
	for _, m := range namesBench.FindAllStringSubmatch(doc, -1) {
		if !slices.Contains(c.rows, m[1]) {
			return fmt.Errorf("its comment names the flag -%s of bench, which has no such flag", m[1])
		}
		if m[1] == "rows" && m[2] != "" {
			rows, err := regexp.Compile(strings.Trim(m[2], "'"))
			if err != nil || !slices.ContainsFunc(c.rows, rows.MatchString) {
				return fmt.Errorf("its comment names rows %s of bench, which has none such", m[2])
			}
		}
		found = true
	}
	if !found {
		return fmt.Errorf("its comment has to name the benchmark, the test or the rows of bench that show its value")
	}
	return nil
}
