package docs

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write api.txt anew")

// most is how many exported functions, methods, types and fields each package has for programs, at most.
// A removed name lowers the number here.
var most = map[string]int{
	"arena":          22,
	"chunk":          0,
	"ecs":            267,
	"memmgr":         96,
	"profile":        29,
	"profile/advice": 11,
	"profile/layout": 14,
	"views":          6,
}

// enginesMost is how many all packages have for engines, at most.
const enginesMost = 397

// engines is the line of api.txt behind which names are for engines.
const engines = "# for engines, without a promise"

// TestAPI: api.txt lists the exports of packages, for programs and for engines, and they export no more
// than they may.
func TestAPI(t *testing.T) {
	var lines, below []string
	total, inner := 0, 0
	for _, name := range publicPackages(t) {
		p := parsePackage(t, filepath.Join("..", name), name)
		total, inner = total+p.count, inner+p.engineCount
		t.Logf("%s has %d names of %d, and %d for engines", name, p.count, most[name], p.engineCount)
		if p.count > most[name] {
			t.Errorf("%s exports %d functions, methods, types and fields for programs, and may have %d: leave some out of its door", name, p.count, most[name])
		}
		for _, f := range p.hidden {
			t.Errorf("%s shows a type that a program can't name: export the type, or use another one", f)
		}
		for key, seen := range p.door {
			if !seen {
				t.Errorf("%s: the package comment lists %s for programs, which the package does not export", name, key)
			}
		}
		lines, below = append(lines, p.lines...), append(below, p.engineLines...)
	}
	t.Logf("%d names in all, and %d for engines", total, inner)
	if inner > enginesMost {
		t.Errorf("packages export %d functions, methods, types and fields for engines, and may have %d", inner, enginesMost)
	}
	lines = append(append(lines, engines), below...)
	text := strings.Join(lines, "\n") + "\n"
	if *update {
		if err := os.WriteFile("api.txt", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	was := strings.Split(strings.TrimSuffix(read(t, "api.txt"), "\n"), "\n")
	side := func(list []string) map[string]bool {
		of, behind := map[string]bool{}, ""
		for _, l := range list {
			if l == engines {
				behind = " (for engines)"
			}
			of[l+behind] = true
		}
		return of
	}
	is, old := side(lines), side(was)
	for l := range is {
		if !old[l] {
			t.Errorf("new, or changed: %s", l)
		}
	}
	for l := range old {
		if !is[l] {
			t.Errorf("gone, or changed: %s", l)
		}
	}
	if t.Failed() {
		t.Log("if the change is meant, write it down: go test ./docs -run TestAPI -update")
	}
}

// publicPackages are the packages that a program can import: all directories with Go code but the ones
// of commands, tests and documents, and the ones below an internal one.
func publicPackages(t *testing.T) (names []string) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || path == ".." {
			return err
		}
		if name := d.Name(); name == "internal" || name == "testdata" || strings.HasPrefix(name, ".") || slices.Contains([]string{"bench", "cmd", "docs"}, name) {
			return filepath.SkipDir
		}
		if files, _ := filepath.Glob(filepath.Join(path, "*.go")); len(files) > 0 {
			name, err := filepath.Rel("..", path)
			names = append(names, filepath.ToSlash(name))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// exported has the exports of a package.
type exported struct {
	name   string
	fset   *token.FileSet
	door   map[string]bool // names for programs, and whether the package has them; nil: all are
	hidden []string        // functions that show types which can't be named
	inside map[string]bool // packages below internal, by file and name there

	count, engineCount int      // of functions, methods, types and fields
	lines, engineLines []string // one for each name, sorted
}

// doorOf reads the names for programs in a package comment: the block below "# For programs". A name
// with methods has them in parentheses. A package without it is for engines as a whole, but for ecs.
//
//	Budget(Used Limit) NewBudget
func doorOf(name, comment string) map[string]bool {
	if name == "ecs" || name == "toy" {
		return nil
	}
	door := map[string]bool{}
	_, section, _ := strings.Cut(comment, "# For programs\n")
	section, _, _ = strings.Cut(section, "\n# ")
	of := ""
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "\t") {
			continue
		}
		for _, word := range strings.Fields(line) {
			method, last := strings.CutSuffix(word, ")")
			if typ, first, opens := strings.Cut(method, "("); opens {
				door[typ] = false
				of, method = typ, first
			}
			if of == "" {
				door[word] = false
				continue
			}
			door[of+"."+method] = false
			if last {
				of = ""
			}
		}
	}
	return door
}

// forPrograms tells whether a name is, and notes that the package has it. Key is a name of the
// package, or that of a type, a dot and that of a method.
func (e *exported) forPrograms(key string) bool {
	if e.door == nil {
		return true
	}
	typ, method, _ := strings.Cut(key, ".")
	if _, is := e.door[key]; is {
		e.door[key] = true
		return true
	}
	_, is := e.door[typ]
	return is && (method == "String" || method == "Error")
}

func parsePackage(t *testing.T, dir, name string) *exported {
	t.Helper()
	e := &exported{name: name, fset: token.NewFileSet(), inside: map[string]bool{}}
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, path := range paths {
		if ok, err := build.Default.MatchFile(filepath.Split(path)); err != nil || !ok || strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(e.fset, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
		for _, s := range f.Imports {
			if p, _ := strconv.Unquote(s.Path.Value); strings.Contains(p, "/internal/") {
				as := p[strings.LastIndex(p, "/")+1:]
				if s.Name != nil {
					as = s.Name.Name
				}
				e.inside[path+" "+as] = true
			}
		}
	}
	p, err := doc.NewFromFiles(e.fset, files, e.name)
	if err != nil {
		t.Fatal(err)
	}
	e.door = doorOf(name, p.Doc)
	e.values("const", p.Consts)
	e.values("var", p.Vars)
	for _, f := range p.Funcs {
		e.function(f)
	}
	for _, typ := range p.Types {
		e.values("const", typ.Consts)
		e.values("var", typ.Vars)
		e.typ(typ)
		for _, f := range append(typ.Funcs, typ.Methods...) {
			e.function(f)
		}
	}
	for _, lines := range []*[]string{&e.lines, &e.engineLines} {
		slices.Sort(*lines)
		*lines = slices.Compact(*lines)
	}
	return e
}

// counted adds one to the number of functions, methods, types and fields on the side of a name.
func (e *exported) counted(key string) {
	if e.forPrograms(key) {
		e.count++
	} else {
		e.engineCount++
	}
}

// add adds a line on the side of a name.
func (e *exported) add(key, format string, args ...any) {
	to := &e.lines
	if !e.forPrograms(key) {
		to = &e.engineLines
	}
	*to = append(*to, e.name+": "+fmt.Sprintf(format, args...))
}

// text is a piece of Go in one line.
func (e *exported) text(node any) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, e.fset, node); err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// values adds constants or variables, without their values.
func (e *exported) values(kind string, list []*doc.Value) {
	for _, v := range list {
		for _, name := range v.Names {
			if token.IsExported(name) {
				e.add(name, "%s %s", kind, name)
			}
		}
	}
}

// typ adds a type, and its exported fields or methods.
func (e *exported) typ(typ *doc.Type) {
	e.counted(typ.Name)
	spec := typ.Decl.Specs[0].(*ast.TypeSpec)
	head := typ.Name
	if spec.TypeParams != nil {
		head += e.params(spec.TypeParams)
	}
	var fields *ast.FieldList
	switch of := spec.Type.(type) {
	case *ast.StructType:
		e.add(typ.Name, "type %s struct", head)
		fields = of.Fields
	case *ast.InterfaceType:
		e.add(typ.Name, "type %s interface", head)
		fields = of.Methods
	default:
		if spec.Assign.IsValid() {
			head += " ="
		}
		e.add(typ.Name, "type %s %s", head, e.text(spec.Type))
		return
	}
	for _, f := range fields.List {
		for _, name := range f.Names {
			if name.IsExported() {
				e.counted(typ.Name)
				e.add(typ.Name, "type %s: %s %s", typ.Name, name.Name, e.text(f.Type))
			}
		}
		if len(f.Names) == 0 {
			e.counted(typ.Name)
			e.add(typ.Name, "type %s: %s", typ.Name, e.text(f.Type))
		}
	}
}

// params is a list of type parameters.
func (e *exported) params(list *ast.FieldList) string {
	var all []string
	for _, f := range list.List {
		for _, name := range f.Names {
			all = append(all, name.Name+" "+e.text(f.Type))
		}
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// function adds a function or method, and looks at the types that it shows.
func (e *exported) function(f *doc.Func) {
	key := f.Name
	if f.Recv != "" {
		key = baseName(f.Decl.Recv.List[0].Type) + "." + f.Name
	}
	e.counted(key)
	decl := *f.Decl
	decl.Doc, decl.Body = nil, nil
	e.add(key, "%s", e.text(&decl))
	name, own := e.name+"."+f.Name, map[string]bool{} // own are type parameters
	if decl.Recv != nil {
		base := decl.Recv.List[0].Type
		if star, ok := base.(*ast.StarExpr); ok {
			base = star.X
		}
		switch x := base.(type) {
		case *ast.IndexExpr:
			own[x.Index.(*ast.Ident).Name] = true
		case *ast.IndexListExpr:
			for _, i := range x.Indices {
				own[i.(*ast.Ident).Name] = true
			}
		}
		name = e.name + "." + baseName(decl.Recv.List[0].Type) + "." + f.Name
	}
	if tp := decl.Type.TypeParams; tp != nil {
		for _, field := range tp.List {
			for _, n := range field.Names {
				own[n.Name] = true
			}
		}
	}
	if !e.canName(decl.Type, own) {
		e.hidden = append(e.hidden, name)
	}
}

// canName tells whether a program can name all types within a piece of Go.
func (e *exported) canName(node ast.Node, own map[string]bool) (can bool) {
	can = true
	ast.Inspect(node, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.SelectorExpr:
			pkg, ok := n.X.(*ast.Ident)
			can = can && !(ok && e.inside[e.fset.File(n.Pos()).Name()+" "+pkg.Name])
			return false
		case *ast.Field: // names of parameters are no types
			can = can && e.canName(n.Type, own)
			return false
		case *ast.Ident:
			can = can && (n.IsExported() || own[n.Name] || doc.IsPredeclared(n.Name))
		}
		return true
	})
	return can
}

// The test finds each kind of hidden type.
func TestAPISees(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "toy")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	const code = `package toy

import (
	"io"

	core "example.org/internal/heart"
	"example.org/internal/lung"
)

type hidden struct{}

func (hidden) Promoted() {}

type Plain struct {
	hidden
	A, b int
	W    io.Writer
}

type Beat = core.Beat
type Pair[K comparable, V any] struct{ Key K }
type Small interface{ small() }

const One, two = 1, 2

var Err error

func Good(n int, w io.Writer) (*Plain, error)             { return nil, nil }
func (p *Pair[K, V]) Get(k K, f func(v V) Beat) []map[K]V { return nil }
func Narrow[T hidden](t T)                                {}
func Inner() (b core.Beat)                                { return }
func Deep(f func([]*hidden))                              {}
func Air(a ...lung.Air)                                   {}
func small(b core.Beat)                                   {}
`
	for name, text := range map[string]string{"toy.go": code, "toy_test.go": "package toy\n\nfunc Test() {}\n", "toy_none.go": "//go:build none\n\npackage toy\n\nfunc None() {}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := parsePackage(t, dir, "toy")
	slices.Sort(p.hidden)
	if want := []string{"toy.Air", "toy.Deep", "toy.Inner", "toy.Narrow"}; !slices.Equal(p.hidden, want) {
		t.Errorf("hidden types in %q, want %q", p.hidden, want)
	}
	want := `toy: const One
toy: func (Plain) Promoted()
toy: func (p *Pair[K, V]) Get(k K, f func(v V) Beat) []map[K]V
toy: func Air(a ...lung.Air)
toy: func Deep(f func([]*hidden))
toy: func Good(n int, w io.Writer) (*Plain, error)
toy: func Inner() (b core.Beat)
toy: func Narrow[T hidden](t T)
toy: type Beat = core.Beat
toy: type Pair: Key K
toy: type Pair[K comparable, V any] struct
toy: type Plain struct
toy: type Plain: A int
toy: type Plain: W io.Writer
toy: type Small interface
toy: var Err`
	if got := strings.Join(p.lines, "\n"); got != want {
		t.Errorf("it lists\n%s\nwant\n%s", got, want)
	}
	if p.count != 14 {
		t.Errorf("%d functions, methods, types and fields, want 14", p.count)
	}
}
