package docs

import (
	"go/ast"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// subjects are words that stand where a noun should: the subject of a comment is a thing with a
// name.
var subjects = [...]struct {
	name string
	word *regexp.Regexp
}{
	{"what", regexp.MustCompile(`(?i)\bwhat\b`)},
	{"those", regexp.MustCompile(`(?i)\bthose\b`)},
	{"whose/of which", regexp.MustCompile(`(?i)\b(?:whose|of which)\b`)},
}

// subjectsMost is how many of each there may be in a thousand words of a package's comments.
const subjectsMost = 1

var (
	proseWord = regexp.MustCompile(`[A-Za-z][A-Za-z'-]*`)
	directive = regexp.MustCompile(`^//[a-z]+:`)
	outputs   = regexp.MustCompile(`^// (?:Unordered output|Output):`)
)

// TestSubjects: comments have nouns as their subjects. A package of few words may have one of each.
func TestSubjects(t *testing.T) {
	words, found := map[string]int{}, map[string]*[len(subjects)]int{}
	for file, f := range parseAll(t).files {
		name := strings.TrimPrefix(path.Dir(file), "../")
		if found[name] == nil {
			found[name] = new([len(subjects)]int)
		}
		for _, group := range f.Comments {
			for _, c := range group.List {
				if outputs.MatchString(c.Text) {
					break // of a program: behind it in the group is no comment
				}
				if directive.MatchString(c.Text) {
					continue
				}
				words[name] += len(proseWord.FindAllString(c.Text, -1))
				for i, s := range subjects {
					found[name][i] += len(s.word.FindAllString(c.Text, -1))
				}
			}
		}
	}
	all, sums := 0, [len(subjects)]int{}
	for _, name := range slices.Sorted(maps.Keys(words)) {
		rates := [len(subjects)]float64{}
		for i, n := range found[name] {
			rates[i] = 1000 * float64(n) / float64(max(words[name], 1000))
			if rates[i] > subjectsMost {
				t.Errorf("%s: %q %.1f times in 1,000 words of comments, and may have %d: name the thing", name, subjects[i].name, rates[i], subjectsMost)
			}
			sums[i] += n
		}
		all += words[name]
		t.Logf("%-32s %6d words, %.1f", name, words[name], rates)
	}
	for i, s := range subjects {
		t.Logf("%s: %.1f in 1,000 of %d words", s.name, 1000*float64(sums[i])/float64(all), all)
	}
}

// fieldsMost is how many fields a struct may have before its comment has to say which functions
// change them.
const fieldsMost = 8

// mutation finds, in a comment, a statement about changes of a struct's fields.
var mutation = regexp.MustCompile(`(?i)\b(?:changes?|changed|sets?|fixed|fills?|filled|resets?|closes|closed|idle|running)\b`)

// TestLargeStructs: a struct with many fields says on the type which states it has, or which functions
// change it.
func TestLargeStructs(t *testing.T) {
	large := 0
	for file, f := range parseAll(t).files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			decl, is := n.(*ast.GenDecl)
			if !is {
				return true
			}
			for _, spec := range decl.Specs {
				typ, is := spec.(*ast.TypeSpec)
				if !is {
					continue
				}
				of, is := typ.Type.(*ast.StructType)
				if !is || of.Fields.NumFields() <= fieldsMost {
					continue
				}
				// the type's own name, as Set, is no statement
				if large++; !mutation.MatchString(strings.ReplaceAll(decl.Doc.Text()+typ.Doc.Text(), typ.Name.Name, "")) {
					t.Errorf("%s: %s has %d fields, and its comment does not say which functions change them", file, typ.Name.Name, of.Fields.NumFields())
				}
			}
			return true
		})
	}
	t.Logf("%d structs of more than %d fields", large, fieldsMost)
}
