package main

import (
	"go/ast"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// tags rewrites the words write, optional and rows in tags of fields as types.
func (e *edits) tags(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		if s, is := n.(*ast.StructType); is {
			for _, field := range s.Fields.List {
				if field.Tag != nil {
					e.tag(field)
				}
			}
		}
		return true
	})
}

// tag rewrites one field. A type that the words do not fit stays, and ecs says why at run time.
func (e *edits) tag(field *ast.Field) {
	text, err := strconv.Unquote(field.Tag.Value)
	if err != nil {
		return
	}
	old := reflect.StructTag(text).Get("ashlar")
	words := strings.FieldsFunc(old, func(r rune) bool { return r == ',' || r == ' ' })
	has := func(word string) bool { // and takes it away, so that a name is left
		n := len(words)
		words = slices.DeleteFunc(words, func(w string) bool { return w == word })
		return len(words) < n
	}
	typed := e.typed(field.Type, has("write"), has("optional"), has("rows"))
	if typed == "" {
		return
	}
	if len(field.Names) == 0 && strings.HasPrefix(typed, e.ecs+".Maybe[") { // of a group: it has no value now
		typed = "_ " + typed
	}
	e.replace(field.Type.Pos(), field.Type.End(), typed)
	rest := strings.Replace(text, "ashlar:"+strconv.Quote(old), "ashlar:"+strconv.Quote(strings.Join(words, ",")), 1)
	rest = strings.TrimSpace(strings.Replace(rest, `ashlar:""`, "", 1))
	if rest != "" {
		rest = "`" + rest + "`"
	}
	e.replace(field.Tag.Pos(), field.Tag.End(), rest)
}

// typed is the type that says the same as the words; "" if there is none.
func (e *edits) typed(of ast.Expr, write, optional, rows bool) string {
	form := e.ecs + "."
	if optional {
		form += "Maybe"
	}
	if write {
		form += "Write"
	}
	switch t := of.(type) {
	case *ast.ArrayType:
		if t.Len == nil && (write || optional) {
			return form + "[" + e.text(t.Elt) + "]"
		}
	case *ast.StarExpr:
		if write || optional {
			return form + "One[" + e.text(t.X) + "]"
		}
	case *ast.IndexExpr:
		text := e.text(t)
		switch name, _, _ := strings.Cut(strings.TrimPrefix(text, e.ecs+"."), "["); {
		case name == "Res" && write:
			return strings.Replace(text, "Res", "WriteRes", 1)
		case rows && (name == "Changed" || name == "Added"):
			return strings.Replace(text, name, name+"Rows", 1)
		}
	case *ast.Ident, *ast.SelectorExpr: // of a group, in a struct of values
		if optional && !write {
			return form + "[" + e.text(t) + "]"
		}
	}
	return ""
}
