package main

import (
	"go/ast"
	"reflect"
	"strconv"
	"strings"
)

// tags rewrites the words write, optional and rows in tags of fields as types.
func tags(f *ast.File) bool {
	in, is := ecsName(f)
	if !is {
		return false
	}
	changed := false
	ast.Inspect(f, func(n ast.Node) bool {
		s, is := n.(*ast.StructType)
		if !is {
			return true
		}
		for _, field := range s.Fields.List {
			if field.Tag != nil {
				changed = tag(in, field) || changed
			}
		}
		return true
	})
	return changed
}

// tag rewrites one field. A type that the words do not fit stays, and ecs says why at run time.
func tag(in string, field *ast.Field) bool {
	text, err := strconv.Unquote(field.Tag.Value)
	if err != nil {
		return false
	}
	var write, optional, rows bool
	name, old := "", reflect.StructTag(text).Get("ashlar")
	for word := range strings.SplitSeq(old, ",") {
		switch word = strings.TrimSpace(word); word {
		case "write":
			write = true
		case "optional":
			optional = true
		case "rows":
			rows = true
		default:
			name = word
		}
	}
	is := typed(in, field.Type, write, optional, rows)
	if is == nil {
		return false
	}
	switch field.Type.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		field.Names = []*ast.Ident{{NamePos: field.Pos(), Name: "_"}}
	}
	field.Type = is
	field.Tag.Value = "`" + strings.Replace(text, strconv.Quote(old), strconv.Quote(name), 1) + "`"
	if name == "" {
		rest := strings.TrimSpace(strings.Replace(text, "ashlar:"+strconv.Quote(old), "", 1))
		if field.Tag.Value = "`" + rest + "`"; rest == "" {
			field.Tag = nil
		}
	}
	return true
}

// typed is the type that says the same as the words; nil if there is none.
func typed(in string, of ast.Expr, write, optional, rows bool) ast.Expr {
	form := ""
	if optional {
		form = "Maybe"
	}
	if write {
		form += "Write"
	}
	switch t := of.(type) {
	case *ast.ArrayType:
		if t.Len == nil && form != "" {
			return instance(in, form, t, t.Elt)
		}
	case *ast.StarExpr:
		if form != "" {
			return instance(in, form+"One", t, t.X)
		}
	case *ast.IndexExpr:
		name := t.X
		if sel, is := name.(*ast.SelectorExpr); is {
			name = sel.Sel
		}
		id, is := name.(*ast.Ident)
		switch {
		case is && id.Name == "Res" && write:
			id.Name = "WriteRes"
			return t
		case is && rows && (id.Name == "Changed" || id.Name == "Added"):
			id.Name += "Rows"
			return t
		}
	case *ast.Ident, *ast.SelectorExpr: // of a group, in a struct of values; the field has no value now
		if form == "Maybe" {
			return instance(in, form, t, t)
		}
	}
	return nil
}

// instance is in.name[of], where a type stood before.
func instance(in, name string, at ast.Node, of ast.Expr) ast.Expr {
	id := &ast.Ident{NamePos: at.Pos(), Name: name}
	var x ast.Expr = id
	if in != "" {
		x = &ast.SelectorExpr{X: &ast.Ident{NamePos: at.Pos(), Name: in}, Sel: id}
	}
	return &ast.IndexExpr{X: x, Lbrack: at.Pos(), Index: of, Rbrack: of.End()}
}
