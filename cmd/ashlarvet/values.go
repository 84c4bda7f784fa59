package main

import (
	"go/token"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// refers tells whether values of a type refer to memory that can be written.
func refers(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() == types.UnsafePointer
	case *types.Array:
		return refers(t.Elem())
	case *types.Struct:
		return slices.ContainsFunc(slices.Collect(t.Fields()), func(f *types.Var) bool { return refers(f.Type()) })
	case *types.Tuple:
		return slices.ContainsFunc(slices.Collect(t.Variables()), func(v *types.Var) bool { return refers(v.Type()) })
	}
	return true
}

// base is the value that has an address or value as a part, without a load from memory; nil: there is none.
func base(v ssa.Value) ssa.Value {
	switch v.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Field, *ssa.Index, *ssa.Slice, *ssa.Extract, *ssa.Next, *ssa.Range, *ssa.Lookup,
		*ssa.ChangeType, *ssa.Convert, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.TypeAssert:
		return *v.(ssa.Instruction).Operands(nil)[0]
	}
	return nil
}

// root is the value at which an address begins.
func root(v ssa.Value) ssa.Value {
	for base(v) != nil {
		v = base(v)
	}
	return v
}

// source is the value through which an address was found, by loads or without.
func source(v ssa.Value) ssa.Value {
	for {
		v = root(v)
		load, is := v.(*ssa.UnOp)
		if !is || load.Op != token.MUL {
			return v
		}
		v = load.X
	}
}

// isMade tells whether a value is memory that the function has made.
func isMade(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
		return true
	}
	return false
}

// contents are the values that a function stores in a variable, slice or map.
func contents(v ssa.Value) (list []ssa.Value) {
	if v.Referrers() == nil {
		return nil
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == v {
				list = append(list, r.Val)
			}
		case *ssa.MapUpdate:
			if r.Map == v {
				list = append(list, r.Key, r.Value)
			}
		case *ssa.FieldAddr:
			list = append(list, contents(r)...)
		case *ssa.IndexAddr:
			list = append(list, contents(r)...)
		case *ssa.Slice: // of a variable that make or code slices
			list = append(list, contents(r)...)
		}
	}
	return list
}

// binding is the value that a closure captures; nil if the package does not make it.
func binding(v *ssa.FreeVar) ssa.Value {
	fn := v.Parent()
	for instr := range instructions(fn.Parent()) {
		if m, is := instr.(*ssa.MakeClosure); is && m.Fn == fn {
			return m.Bindings[slices.Index(fn.FreeVars, v)]
		}
	}
	return nil
}

// instructions goes over the instructions of functions.
func instructions(fns ...*ssa.Function) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		for _, fn := range fns {
			if fn == nil {
				continue
			}
			for _, b := range fn.Blocks {
				for _, instr := range b.Instrs {
					if !yield(instr) {
						return
					}
				}
			}
		}
	}
}

// calls goes over the calls of functions, by go and defer, too.
func calls(fns []*ssa.Function) iter.Seq[*ssa.CallCommon] {
	return func(yield func(*ssa.CallCommon) bool) {
		for instr := range instructions(fns...) {
			if call, is := instr.(ssa.CallInstruction); is && !yield(call.Common()) {
				return
			}
		}
	}
}

// isBuiltin tells whether a call is one of some builtin functions.
func isBuiltin(call *ssa.CallCommon, names ...string) bool {
	b, is := call.Value.(*ssa.Builtin)
	return is && slices.Contains(names, b.Name())
}

// text is a variable, or a part of one, much as code writes it; "" for values without a name.
func text(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.FreeVar, *ssa.Global:
		return v.Name()
	case *ssa.Parameter:
		if v.Parent().Synthetic == "" { // not of the body of a loop
			return v.Name()
		}
	case *ssa.Alloc:
		if v.Pos().IsValid() && !slices.Contains([]string{"new", "complit", "slicelit", "varargs", "makeslice"}, v.Comment) {
			return v.Comment
		}
	case *ssa.UnOp:
		return text(v.X)
	case *ssa.FieldAddr:
		return join(text(v.X), fieldName(v.X.Type().Underlying().(*types.Pointer).Elem(), v.Field))
	case *ssa.Field:
		return join(text(v.X), fieldName(v.X.Type(), v.Field))
	}
	if x := base(v); x != nil {
		return text(x)
	}
	return ""
}

func join(of, field string) string {
	if of == "" {
		return field
	}
	return of + "." + field
}

func fieldName(t types.Type, i int) string { return t.Underlying().(*types.Struct).Field(i).Name() }
