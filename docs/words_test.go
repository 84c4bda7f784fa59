package docs

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// replaced are words that have a better one, and where the old one must not come back. The
// glossary has the better ones.
var replaced = []struct {
	old   string // a regular expression of whole words
	use   string
	pages bool // on pages
	code  bool // in comments, and in the strings of code that is not a test
}{
	{"cache regions?", "annex", true, true},
	{"Chunk" + "ID", "chunk.ID", true, true},
	{"megachunks?", "region", true, true},
	{"archetypes? tables?", "table", true, true},
	{"rivals?", "baseline", true, false},
	{"nobody|anybody|somebody", "a name for what is meant", true, false},
	{"as far as", "if, or up to", true, false},
	{"(is|are) none", "there is no", true, false},
	{"at hand", "already has", true, false},
}

// exempt are pages on which an old word is right: the glossary translates.
var exempt = map[string]bool{"glossary.md": true, "architecture.md": true, "embedding.md": true, "profiles.md": true}

// TestWords: a word that was replaced does not come back.
func TestWords(t *testing.T) {
	old := make([]*regexp.Regexp, len(replaced))
	for i, r := range replaced {
		old[i] = regexp.MustCompile(`(?i)\b(` + r.old + `)\b`)
	}
	for _, page := range pages(t) {
		if exempt[filepath.Base(page)] {
			continue
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range replaced {
			if m := old[i].FindString(string(text)); m != "" && r.pages {
				t.Errorf("%s: %q: say %s", page, m, r.use)
			}
		}
	}
	s := parseAll(t)
	for path, f := range s.files {
		if strings.HasPrefix(path, "../docs/") {
			continue
		}
		for i, r := range replaced {
			if !r.code {
				continue
			}
			for _, group := range f.Comments {
				if m := old[i].FindString(group.Text()); m != "" {
					t.Errorf("%s: %q: say %s", s.fset.Position(group.Pos()), m, r.use)
				}
			}
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if lit, is := n.(*ast.BasicLit); is && lit.Kind == token.STRING {
					text, _ := strconv.Unquote(lit.Value)
					if m := old[i].FindString(text); m != "" {
						t.Errorf("%s: %q: say %s", s.fset.Position(lit.Pos()), m, r.use)
					}
				}
				return true
			})
		}
	}
}
