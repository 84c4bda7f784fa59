package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	behaviour = regexp.MustCompile("(?m)^\\| ([A-Z][0-9]+) \\| .* \\| `([^`]+)` \\|$")
	coded     = regexp.MustCompile(`(?m)^// ([A-Z][0-9]+(?:, [A-Z][0-9]+)*): (?:.*\n//)*.*\nfunc ((?:Test|Fuzz)\w+)\(`)
)

// TestBehaviours compares docs/behaviours.md with the comments of the tests that it names: each
// code has a test, and each code in a test has a line on the page.
func TestBehaviours(t *testing.T) {
	page, tests := map[string]bool{}, map[string]bool{} // the code and the test
	for _, m := range behaviour.FindAllStringSubmatch(read(t, "behaviours.md"), -1) {
		page[m[1]+" "+m[2]] = true
	}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range coded.FindAllStringSubmatch(strings.ReplaceAll(string(text), "\r\n", "\n"), -1) {
			for code := range strings.SplitSeq(m[1], ", ") {
				tests[code+" "+filepath.ToSlash(filepath.Dir(path))[len("../"):]+"."+m[2]] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(page) < 50 {
		t.Errorf("only %d lines found on the page", len(page))
	}
	for one := range page {
		if !tests[one] {
			t.Errorf("behaviours.md says %s, and the comment of that test does not begin with the code", one)
		}
	}
	for one := range tests {
		if !page[one] {
			t.Errorf("a test holds %s, and behaviours.md has no line that says so", one)
		}
	}
}
