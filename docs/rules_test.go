// Package docs has no code. Its tests hold the pages to the project's rules.
package docs

import (
	"fmt"
	"go/ast"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pages are the documents that people read: all but the list of changes.
func pages(t *testing.T) (names []string) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != ".." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if strings.HasSuffix(path, ".md") && d.Name() != "CHANGELOG.md" {
			names = append(names, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(names) < 10 {
		t.Fatalf("only %d pages found", len(names))
	}
	return names
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

var (
	fence   = regexp.MustCompile("(?ms)^```.*?^```[ \t]*$")
	inCode  = regexp.MustCompile("`[^`\n]*`")
	link    = regexp.MustCompile(`\[[^\]\n]*\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ +(.*)$`)
)

// TestLinks: a page links to files and headings that exist.
func TestLinks(t *testing.T) {
	n := 0
	for _, page := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(inCode.ReplaceAllString(fence.ReplaceAllString(read(t, page), ""), ""), -1) {
			target, part, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			n++
			file := page
			if target != "" {
				file = filepath.Join(filepath.Dir(page), target)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s, which is not there", page, m[1])
				continue
			}
			if part != "" && !slices.Contains(anchors(read(t, file)), part) {
				t.Errorf("%s links to %s, which has no such heading", page, m[1])
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d links found", n)
	}
}

// anchors are the names by which a page's headings are linked to.
func anchors(page string) (names []string) {
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(page, ""), -1) {
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ' || r == '-':
				return '-'
			case strings.ContainsRune("`*_.,:;!?()'\"/<>&+=→×…–²³", r):
				return -1
			}
			return r
		}, strings.ToLower(m[1]))
		names = append(names, name)
	}
	return names
}

// sentences are the sentences of a page's prose: neither code nor tables nor headings.
func sentences(page string) (list []string) {
	var prose strings.Builder
	for line := range strings.Lines(fence.ReplaceAllString(page, "")) {
		line = strings.TrimRight(line, "\n")
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(trimmed, "|"), strings.HasPrefix(trimmed, "#"), strings.HasPrefix(line, "\t"), trimmed == "":
			prose.WriteString("\n\n")
		case strings.HasPrefix(trimmed, "- "), strings.HasPrefix(trimmed, "* "):
			prose.WriteString("\n\n" + trimmed[2:])
		default:
			prose.WriteString(" " + trimmed)
		}
	}
	text := inCode.ReplaceAllString(link.ReplaceAllString(prose.String(), "link"), "code")
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		words := strings.Fields(paragraph)
		from := 0
		for i, w := range words {
			w = strings.TrimRight(w, `)"*_`)
			if i == len(words)-1 || strings.HasSuffix(w, ".") && len(w) > 2 && w != "e.g." && w != "i.e." || strings.HasSuffix(w, "?") || strings.HasSuffix(w, "!") {
				list = append(list, strings.Join(words[from:i+1], " "))
				from = i + 1
			}
		}
	}
	return list
}

// The rule is in CONTRIBUTING.md.
const (
	meanWords = 18
	longWords = 35
	longShare = 0.02
)

// TestSentences: pages are easy to read.
func TestSentences(t *testing.T) {
	words, all := 0, 0
	var long []string
	for _, page := range pages(t) {
		for _, s := range sentences(read(t, page)) {
			n := len(strings.Fields(s))
			if words, all = words+n, all+1; n > longWords {
				long = append(long, fmt.Sprintf("%s: %d words: %s", page, n, s))
			}
		}
	}
	mean, share := float64(words)/float64(all), float64(len(long))/float64(all)
	t.Logf("%d sentences of %.1f words; %.1f %% have more than %d", all, mean, 100*share, longWords)
	if mean > meanWords || share > longShare {
		t.Errorf("%.1f words a sentence (%d), %.1f %% over %d words (%.0f %%):\n%s", mean, meanWords, 100*share, longWords, 100*longShare, strings.Join(long, "\n"))
	}
}

// TestSkipsSayWhy: a test that is skipped says in words what is missing, and not only by an error.
func TestSkipsSayWhy(t *testing.T) {
	n := 0
	for file, f := range parseAll(t).files {
		ast.Inspect(f, func(node ast.Node) bool {
			call, is := node.(*ast.CallExpr)
			if !is {
				return true
			}
			if s, is := call.Fun.(*ast.SelectorExpr); is && strings.HasPrefix(s.Sel.Name, "Skip") && len(call.Args) > 0 {
				n++
				if said, is := call.Args[0].(*ast.BasicLit); !is || len(strings.Fields(said.Value)) < 3 {
					t.Errorf("%s: a test is skipped without saying what is missing, and where the same is tested otherwise", file)
				}
			}
			return true
		})
	}
	if n < 50 {
		t.Errorf("only %d skips found", n)
	}
}
