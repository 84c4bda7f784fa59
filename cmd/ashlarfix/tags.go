package main

import (
	"go/ast"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// tag rewrites the words write, optional and rows in the tag of a field as its type. A type that the words do not fit stays, and
// ecs says why at run time.
func (e *edits) tag(field *ast.Field) {
	if field.Tag == nil {
		return
	}
	text, _ := strconv.Unquote(field.Tag.Value) // the parser has read it
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
