package docs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// source has the names that the Go code of the repository declares and mentions.
type source struct {
	fset     *token.FileSet
	files    map[string]*ast.File       // by path
	packages map[string]map[string]bool // top-level names, by the package's name; all that share it
	types    map[string]*members        // by the type's name; all that share it
	fields   map[string][]string        // types of fields, by the field's name
	named    map[string]bool            // each identifier that stands in code
}

// members are fields and methods of a type, and the types that it embeds.
type members struct {
	names    map[string]bool
	embedded []string
}

// parseAll parses all Go files, for tests too.
func parseAll(t *testing.T) *source {
	t.Helper()
	s := &source{token.NewFileSet(), map[string]*ast.File{}, map[string]map[string]bool{}, map[string]*members{}, map[string][]string{}, map[string]bool{}}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != ".." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		f, err := parser.ParseFile(s.fset, path, nil, parser.ParseComments)
		if err == nil {
			s.files[filepath.ToSlash(path)] = f
			s.add(f)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.files) < 100 {
		t.Fatalf("only %d files found", len(s.files))
	}
	return s
}

func (s *source) add(f *ast.File) {
	name := strings.TrimSuffix(f.Name.Name, "_test")
	scope := s.packages[name]
	if scope == nil {
		scope = map[string]bool{}
		s.packages[name] = scope
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				scope[d.Name.Name] = true
			} else if name := baseName(d.Recv.List[0].Type); name != "" {
				s.typeOf(name).names[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						scope[n.Name] = true
					}
				case *ast.TypeSpec:
					scope[spec.Name.Name] = true
					s.addType(spec)
				}
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is {
			s.named[id.Name] = true
		}
		return true
	})
}

func (s *source) typeOf(name string) *members {
	m := s.types[name]
	if m == nil {
		m = &members{names: map[string]bool{}}
		s.types[name] = m
	}
	return m
}

func (s *source) addType(spec *ast.TypeSpec) {
	m := s.typeOf(spec.Name.Name)
	var fields *ast.FieldList
	switch x := spec.Type.(type) {
	case *ast.StructType:
		fields = x.Fields
	case *ast.InterfaceType:
		fields = x.Methods
	default: // members of an alias or a named type of another type
		m.embedded = append(m.embedded, baseName(x))
		return
	}
	for _, field := range fields.List {
		for _, n := range field.Names {
			m.names[n.Name] = true
			s.fields[n.Name] = append(s.fields[n.Name], baseName(field.Type))
		}
		if len(field.Names) == 0 {
			name := baseName(field.Type)
			m.names[name] = true
			m.embedded = append(m.embedded, name)
		}
	}
}

// baseName is the name of a type without package, pointer and arguments; "" if it has none.
func baseName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.StarExpr:
		return baseName(x.X)
	case *ast.IndexExpr:
		return baseName(x.X)
	case *ast.IndexListExpr:
		return baseName(x.X)
	case *ast.SelectorExpr:
		return x.Sel.Name
	}
	return ""
}

// has tells whether a type has a member, its own or an embedded one. Of a type that is
// defined by one of another module, all is believed.
func (s *source) has(typ, name string, seen ...string) bool {
	m := s.types[typ]
	if m == nil || m.names[name] {
		return true
	}
	for _, e := range m.embedded {
		if len(seen) < 8 && e != typ && s.has(e, name, append(seen, typ)...) {
			return true
		}
	}
	return false
}

// stale describes the fault of a dotted name, as World.Check, ecs.World.Check or Memory.Stress,
// which is a field of a field; "" if nothing.
func (s *source) stale(name string) string {
	parts := strings.Split(name, ".")
	if scope := s.packages[parts[0]]; scope != nil {
		if parts = parts[1:]; !scope[parts[0]] {
			return "its package has no " + parts[0]
		}
	}
	if len(parts) == 1 || !ast.IsExported(parts[0]) || s.types[parts[0]] == nil || s.has(parts[0], parts[1]) {
		return ""
	}
	for _, typ := range s.fields[parts[0]] {
		if s.types[typ] != nil && s.has(typ, parts[1]) {
			return ""
		}
	}
	return fmt.Sprintf("%s has no %s", parts[0], parts[1])
}

var (
	dotted = regexp.MustCompile(`(?:^|[^\w./"\-])((?:[a-z]\w*\.)?[A-Z]\w*(?:\.[A-Z]\w*)*)`)
	linked = regexp.MustCompile(`(?:^|\W)\[\*?([A-Z][a-z]\w*)\]`)
	single = regexp.MustCompile("^[A-Z][a-z]+\\w*$")

	firstCell = regexp.MustCompile(`(?m)^\|[^|\n]*\|`)
)

// known are names of other programs, and names that pages use already and code will have.
var known = map[string]bool{
	"WithPresent": true, "WithDisabled": true, // Unity's
}

// TestIdentifiers: names of Go on pages and in comments exist.
func TestIdentifiers(t *testing.T) {
	s := parseAll(t)
	n := 0
	check := func(where, name string) {
		if n++; known[name] {
			return
		}
		if why := s.stale(name); why != "" {
			t.Errorf("%s: %s: %s", where, name, why)
		}
	}
	for _, f := range s.files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				for _, m := range dotted.FindAllStringSubmatch(c.Text, -1) {
					if strings.Contains(m[1], ".") {
						check(s.fset.Position(c.Pos()).String(), m[1])
					}
				}
				for _, m := range linked.FindAllStringSubmatch(c.Text, -1) {
					if !s.packages[strings.TrimSuffix(f.Name.Name, "_test")][m[1]] {
						t.Errorf("%s: [%s]: package %s has none", s.fset.Position(c.Pos()), m[1], f.Name.Name)
					}
				}
			}
		}
	}
	for _, page := range pages(t) {
		text := fence.ReplaceAllString(read(t, page), "")
		if strings.HasPrefix(filepath.Base(page), "coming-from-") {
			text = firstCell.ReplaceAllString(text, "|") // names of other libraries
		}
		for _, m := range inCode.FindAllString(text, -1) {
			code := strings.Trim(m, "`")
			for _, m := range dotted.FindAllStringSubmatch(code, -1) {
				check(page, m[1])
			}
			if single.MatchString(code) && !s.named[code] && !known[code] {
				t.Errorf("%s: %s: no code has this name", page, code)
			}
		}
	}
	if n < 500 {
		t.Errorf("only %d names found", n)
	}
}
