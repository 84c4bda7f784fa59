// Package guide has no code of its own: its examples are the snippets that the pages of the guide
// quote, and its tests hold the pages to that.
package guide

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

const (
	readme   = "../../README.md"
	maxWords = 800
)

// block is a fenced block of a page.
type block struct {
	language, text string
	line           int
}

var fenced = regexp.MustCompile("(?ms)^```([^\n`]*)\n(.*?)^```[ \t]*$")

func blocks(page string) (list []block) {
	for _, m := range fenced.FindAllStringSubmatchIndex(page, -1) {
		list = append(list, block{page[m[2]:m[3]], page[m[4]:m[5]], 1 + strings.Count(page[:m[0]], "\n")})
	}
	return list
}

func (b block) program() bool {
	return b.language == "go" && strings.HasPrefix(b.text, "package main\n")
}

func pages(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Fatal("the guide has no pages")
	}
	return append(names, readme)
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

// examples is the file with the examples that a page quotes. The pages for users of other
// libraries share one.
func examples(page string) string {
	if strings.HasPrefix(filepath.Base(page), "coming-from-") {
		return "coming_from_test.go"
	}
	return strings.ReplaceAll(strings.TrimSuffix(filepath.Base(page), ".md"), "-", "_") + "_test.go"
}

// TestPagesAreShort: a page of the guide is read in a few minutes.
func TestPagesAreShort(t *testing.T) {
	for _, page := range pages(t) {
		if n := len(strings.Fields(read(t, page))); n > maxWords && page != readme {
			t.Errorf("%s has %d words, code included; at most %d", page, n, maxWords)
		}
	}
}

// TestSnippets: each piece of Go on a page is a part of the page's examples, which go test
// compiles and runs, or a program, which TestPrograms builds and runs. Each block of text
// is a part of the examples' output.
func TestSnippets(t *testing.T) {
	for _, page := range pages(t) {
		code, printed, program := "", "", false
		for _, b := range blocks(read(t, page)) {
			switch {
			case b.program():
				program = true
				continue
			case b.language == "go", b.language == "text" && !program:
				if code == "" {
					code = read(t, examples(page))
					code, printed = "\n"+unindented(code), "\n"+uncommented(code)
				}
			}
			have := map[string]string{"go": code, "text": printed}[b.language]
			piece := strings.Trim(unindented(b.text), "\n")
			if b.language == "text" && program {
				program = false // TestPrograms compares it
				continue
			}
			if (b.language == "go" || b.language == "text") && (piece == "" || !strings.Contains(have, "\n"+piece+"\n")) {
				t.Errorf("%s:%d: %s does not have:\n%s", page, b.line, examples(page), piece)
			}
		}
	}
}

// unindented is code without the white space at both ends of each line.
func unindented(code string) string {
	var b strings.Builder
	for line := range strings.Lines(code) {
		b.WriteString(strings.TrimSpace(line) + "\n")
	}
	return b.String()
}

// uncommented is the comments of code, which have the output of examples.
func uncommented(code string) string {
	var b strings.Builder
	for line := range strings.Lines(code) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), "//"); ok {
			b.WriteString(strings.TrimSpace(text) + "\n")
		}
	}
	return b.String()
}

// TestPrograms builds each program on a page in a module of its own, as a reader would,
// and compares its output with the block that follows.
func TestPrograms(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "ios" || runtime.GOOS == "android" {
		t.Skip("there is no go command to build with")
	}
	programs := 0
	for _, page := range pages(t) {
		list := blocks(read(t, page))
		for i, b := range list {
			if !b.program() {
				continue
			}
			programs++
			if i+1 == len(list) || list[i+1].language != "text" {
				t.Errorf("%s:%d: no block of text with the program's output follows", page, b.line)
				continue
			}
			if got, want := output(t, b.text), list[i+1].text; got != want {
				t.Errorf("%s:%d: the program prints:\n%s\nthe page says:\n%s", page, b.line, got, want)
			}
		}
	}
	if programs < 2 {
		t.Errorf("%d programs found: the README and the first page have one each", programs)
	}
}

// TestReadmeIsShort: its program has at most 34 lines of code.
func TestReadmeIsShort(t *testing.T) {
	for _, b := range blocks(read(t, readme)) {
		n := 0
		for line := range strings.Lines(b.text) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
				n++
			}
		}
		if b.program() && n > 34 {
			t.Errorf("the README's program has %d lines of code; at most 34", n)
		}
	}
}

// dropped is a statement that drops an error of the world or of a spawner.
var dropped = regexp.MustCompile(`(?m)^\s*(defer )?\w+\.(Close|Run|RunFor|Spawn\w*|SafePoint|Destroy)\(.*\)$`)

// TestNoErrorIsDropped: snippets and programs of the pages do something with each error.
func TestNoErrorIsDropped(t *testing.T) {
	for _, page := range pages(t) {
		for _, b := range blocks(read(t, page)) {
			if call := dropped.FindString(b.text); b.language == "go" && call != "" {
				t.Errorf("%s:%d: %s", page, b.line, strings.TrimSpace(call))
			}
		}
	}
}

// TestReadmesMistakes: the README's program prints a mistake of the set-up once.
func TestReadmesMistakes(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "ios" || runtime.GOOS == "android" {
		t.Skip("there is no go command to build with")
	}
	const line = `ecs.Register[Velocity](w, "velocity")`
	for _, b := range blocks(read(t, readme)) {
		if !b.program() {
			continue
		}
		text, err := printed(t, strings.Replace(b.text, line, "", 1))
		if n := strings.Count(text, "SpawnerOf"); n != 1 || err == nil {
			t.Errorf("without %s the mistake stands %d times in:\n%s", line, n, text)
		}
	}
}

// output is the text that a program prints.
func output(t *testing.T, program string) string {
	t.Helper()
	text, err := printed(t, program)
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return text
}

// printed is the text that a program prints, and why it has failed.
func printed(t *testing.T, program string) (string, error) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	module := strings.Replace(read(t, "../../go.mod"), "module github.com/ashlar-go/ashlar", "module hello", 1) +
		"\nrequire github.com/ashlar-go/ashlar v0.0.0\n\nreplace github.com/ashlar-go/ashlar => " + filepath.ToSlash(root) + "\n"
	for name, text := range map[string]string{"go.mod": module, "go.sum": read(t, "../../go.sum"), "main.go": program} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(dir, "hello.exe")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".")
	build.Dir = dir
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	text, err := exec.CommandContext(t.Context(), binary).CombinedOutput()
	return string(text), err
}

// TestReadmeCommands: .ci/run takes the README's first command of each kind.
func TestReadmeCommands(t *testing.T) {
	for first, want := range map[string]string{"go test ": "go test -timeout 20m ./...", "go run ": "go run ./cmd/ashlar run life"} {
		line := ""
		for line = range strings.Lines(read(t, readme)) {
			if strings.HasPrefix(line, first) {
				break
			}
		}
		if !strings.HasPrefix(strings.TrimSuffix(line, "\n"), want) {
			t.Errorf("the first line that begins with %q is %q: want %q", first, line, want)
		}
	}
}

// TestNext: a reader who follows the links at the ends of pages passes all pages, in the order of the guide's README.
func TestNext(t *testing.T) {
	listed := regexp.MustCompile(`(?m)^\| \[[^\]]+\]\(([a-z-]+\.md)\) \|`).FindAllStringSubmatch(read(t, "README.md"), -1)
	if len(listed) < 20 {
		t.Fatalf("the README lists %d pages", len(listed))
	}
	next := regexp.MustCompile(`\n\nNext: \[[^\]]+\]\(([^)]+)\)\.\n$`)
	for i, page := range listed {
		got, want := "", ""
		if m := next.FindStringSubmatch(read(t, page[1])); m != nil {
			got = m[1]
		}
		if i+1 < len(listed) {
			want = listed[i+1][1]
		}
		if got != want {
			t.Errorf("%s ends with a link to %q: the next page of the README is %q", page[1], got, want)
		}
	}
}
