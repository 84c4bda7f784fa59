package main

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/buildssa"
	"golang.org/x/tools/go/ssa"
)

var readOnly = &analysis.Analyzer{
	Name: "readonly",
	Doc: `report writes to columns and values that are for reading

A field []T, *T or ecs.Maybe of a system's or query's struct is read, and so are the address that Get returns, memory
behind a resource, and slices of events. Whoever writes there all the same, or has a function of the package do so,
changes values that others may read at the same time, and that no reader of changes notices: ecs.Changed, views, and
queries of rows.`,
	Requires: []*analysis.Analyzer{buildssa.Analyzer},
	Run:      runReadOnly,
}

func runReadOnly(pass *analysis.Pass) (any, error) {
	built := pass.ResultOf[buildssa.Analyzer].(*buildssa.SSA)
	reported := map[token.Pos]bool{}
	report := func(instr ssa.Instruction, how string) {
		if how != "" && !reported[instr.Pos()] {
			reported[instr.Pos()] = true
			pass.Reportf(instr.Pos(), "%s", how)
		}
	}
	params := params{}
	for instr := range instructions(built.SrcFuncs...) {
		for _, v := range params.written(instr) {
			report(instr, throughGet(v))
		}
	}
	p := newProgram(built)
	for _, c := range p.called {
		r := p.reachOf(c)
		for instr := range instructions(r.fns...) {
			for _, v := range params.written(instr) {
				report(instr, r.throughField(v))
			}
		}
	}
	return nil, nil
}

// params tells which parameters' memory functions of the package write.
type params map[*ssa.Parameter]bool

// written is the memory that an instruction writes: addresses, maps, and slices of which elements are written.
func (p params) written(instr ssa.Instruction) (list []ssa.Value) {
	switch instr := instr.(type) {
	case *ssa.Store:
		return []ssa.Value{instr.Addr}
	case *ssa.MapUpdate:
		return []ssa.Value{instr.Map}
	case ssa.CallInstruction:
		call := instr.Common()
		fn := callee(call)
		if len(call.Args) > 0 && (isBuiltin(call, "copy", "clear", "delete") || changes(fullName(fn))) {
			return call.Args[:1]
		}
		if fn != nil && len(fn.Params) == len(call.Args) {
			for i, param := range fn.Params {
				if p.writes(param) {
					list = append(list, call.Args[i])
				}
			}
		}
	}
	return list
}

// writes tells whether a function writes memory of its parameter.
func (p params) writes(param *ssa.Parameter) bool {
	writes, known := p[param]
	if known || ecsName(param.Parent()) != "" {
		return writes
	}
	p[param] = false // of a function that calls itself
	for instr := range instructions(param.Parent()) {
		if slices.ContainsFunc(p.written(instr), func(v ssa.Value) bool { return source(v) == param }) {
			p[param] = true
			break
		}
	}
	return p[param]
}

// forReading are methods that return addresses for reading, and the remedy of code that writes there.
var forReading = map[string]string{
	"Res.Get": "use ecs.WriteRes", "Look.Get": "use *ecs.Pool and its Mut", "Prior.Get": "it has values of before", "Pool.Get": "use Mut",
	"Field.At": "use Mut", "Schema.Get": "use Mut", "Strided.At": "use ecs.WriteStrided",
}

// throughGet says how an address was got that is for reading; "": it was not.
func throughGet(v ssa.Value) string {
	call, is := source(v).(*ssa.Call)
	if !is {
		return ""
	}
	name := ecsName(callee(&call.Call))
	remedy, is := forReading[name]
	if !is {
		return ""
	}
	of, method, _ := strings.Cut(name, ".")
	return "writes through " + method + " of an ecs." + of + ", which is for reading: " + remedy
}

// throughField says which field has the memory for reading; "": none of the struct that the function is called with.
func (r *reach) throughField(v ssa.Value) string {
	if of := root(v); r.lists && slices.ContainsFunc(r.fn.Params, func(p *ssa.Parameter) bool { return p == of }) {
		return r.label + " writes a slice that All passes for reading: keep a copy (slices.Clone)"
	}
	load, is := root(v).(*ssa.UnOp)
	if !is || load.Op != token.MUL {
		return ""
	}
	field, is := load.X.(*ssa.FieldAddr)
	if !is || !r.isStruct(field.X) {
		return ""
	}
	instead := forWriting(load.Type())
	if instead == "" {
		return ""
	}
	return r.label + " writes " + text(field) + ", which its struct has for reading: make the field " + instead
}

// isStruct tells whether a value is the struct that the function is called with.
func (r *reach) isStruct(v ssa.Value) bool {
	for _, param := range r.fn.Params {
		if types.Identical(param.Type(), v.Type()) && r.refers(v, batch) {
			return true
		}
	}
	return false
}

// forWriting is the type of a field that has the values of another one's for writing; "" if that is not for reading.
func forWriting(t types.Type) string {
	short := func(t types.Type) string { return types.TypeString(t, (*types.Package).Name) }
	if n, is := types.Unalias(t).(*types.Named); is {
		if !inEcs(n) || n.TypeArgs().Len() != 1 {
			return ""
		}
		switch n.Obj().Name() {
		case "Maybe":
			return "ecs.MaybeWrite[" + short(n.TypeArgs().At(0)) + "]"
		case "MaybeOne":
			return "ecs.MaybeWriteOne[" + short(n.TypeArgs().At(0)) + "]"
		}
		return ""
	}
	switch t := t.(type) {
	case *types.Slice:
		return "ecs.Write[" + short(t.Elem()) + "]"
	case *types.Pointer:
		return "ecs.WriteOne[" + short(t.Elem()) + "]"
	}
	return ""
}
