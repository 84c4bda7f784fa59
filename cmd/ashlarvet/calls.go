package main

import (
	"go/constant"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis/passes/buildssa"
	"golang.org/x/tools/go/ssa"
)

const ecsPath = "github.com/ashlar-go/ashlar/ecs"

// called is a function of a program that ecs calls with rows.
type called struct {
	fn       *ssa.Function
	label    string // in messages
	parallel bool   // it is a system that promises it
	loop     bool   // it is the body of a loop
	lists    bool   // it is called with slices for reading
}

// program is one package, with the calls of its functions.
type program struct {
	sites   map[*ssa.Function][]*ssa.CallCommon
	globals map[*ssa.Global][]ssa.Value // that the package stores there
	called  []called

	writesReceiver func(*types.Func) bool // nil: nothing is known about methods of other packages
}

// writes tells whether a method of another package writes memory of its receiver.
func (p *program) writes(fn *ssa.Function) bool {
	m, is := fn.Object().(*types.Func)
	return is && p.writesReceiver(m)
}

// newProgram finds all functions that ecs calls: of systems, observers and predicates, and bodies of loops.
func newProgram(built *buildssa.SSA) *program {
	p := &program{sites: map[*ssa.Function][]*ssa.CallCommon{}, globals: globals(built.Pkg, built.SrcFuncs)}
	for call := range calls(built.SrcFuncs) {
		if fn := callee(call); fn != nil {
			p.sites[fn] = append(p.sites[fn], call)
		}
	}
	for call := range calls(built.SrcFuncs) {
		switch name := ecsName(callee(call)); {
		case name == "System" && len(call.Args) == 4:
			p.register(registration{"system", call.Args[1], call.Args[2], call.Args[3]}, nil)
		case name == "Observe" && len(call.Args) == 3:
			p.register(registration{"observer", call.Args[1], call.Args[2], nil}, nil)
		case name != "":
			for _, arg := range call.Args {
				for _, fn := range p.functions(arg, nil) {
					p.called = append(p.called, called{fn: fn, label: "the function that " + name + " calls"})
				}
			}
		default:
			made, is := call.Value.(*ssa.Call)
			if !is || len(call.Args) != 1 {
				continue
			}
			if lists, is := loops[ecsName(callee(&made.Call))]; is {
				for _, fn := range p.functions(call.Args[0], nil) {
					p.called = append(p.called, called{fn: fn, label: "the loop", loop: true, lists: lists})
				}
			}
		}
	}
	return p
}

// loops are the iterators that pass memory which is good for one turn, and whether that is slices for reading.
var loops = map[string]bool{"Query.All": false, "Events.All": true, "Arrived.All": true, "Left.All": true}

// registration is the arguments of a call of System or Observe.
type registration struct {
	kind              string
	name, fn, options ssa.Value
}

// register adds the functions of a registration. A function that registers its own parameters is a registration
// wherever it is called. The arguments are given then.
func (p *program) register(r registration, given arguments) {
	label := "the " + r.kind
	if c, is := given.of(r.name).(*ssa.Const); is && c.Value != nil {
		label = r.kind + " " + strconv.Quote(constant.StringVal(c.Value))
	}
	if param, is := given.of(r.fn).(*ssa.Parameter); is && len(given) == 0 {
		for _, call := range p.sites[param.Parent()] {
			p.register(r, argumentsOf(param.Parent(), call))
		}
		return
	}
	for _, fn := range p.functions(r.fn, given) {
		p.called = append(p.called, called{fn: fn, label: label, parallel: r.options != nil && p.promises(r.options, given)})
	}
}

// arguments are the values of a function's parameters in one call.
type arguments map[ssa.Value]ssa.Value

func argumentsOf(fn *ssa.Function, call *ssa.CallCommon) arguments {
	a := arguments{}
	for i, param := range fn.Params {
		a[param] = call.Args[i]
	}
	return a
}

func (a arguments) of(v ssa.Value) ssa.Value {
	if given, is := a[v]; is {
		return given
	}
	return v
}

// functions returns the functions that a value of this package may be. An element or field may be any that the whole
// has and that takes as many parameters.
func (p *program) functions(v ssa.Value, given arguments) (list []*ssa.Function) {
	wanted, is := v.Type().Underlying().(*types.Signature)
	if !is {
		return nil
	}
	seen := map[ssa.Value]bool{}
	var add func(v ssa.Value)
	add = func(v ssa.Value) {
		v = given.of(v)
		if v == nil || seen[v] {
			return
		}
		seen[v] = true
		switch v := v.(type) {
		case *ssa.Function:
			if v = origin(v); v.Blocks != nil && v.Signature.Params().Len() == wanted.Params().Len() {
				list = append(list, v)
			}
		case *ssa.MakeClosure:
			add(v.Fn)
		case *ssa.FreeVar:
			add(binding(v))
		case *ssa.ChangeType:
			add(v.X)
		case *ssa.Phi:
			for _, edge := range v.Edges {
				add(edge)
			}
		case *ssa.UnOp: // a variable
			add(v.X)
		case *ssa.Global:
			for _, stored := range p.globals[v] {
				add(stored)
			}
		case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
			for _, stored := range contents(v) {
				add(stored)
			}
		case *ssa.Call:
			if fn := callee(&v.Call); fn != nil {
				for instr := range instructions(fn) {
					if r, is := instr.(*ssa.Return); is && len(r.Results) == 1 {
						add(r.Results[0])
					}
				}
			}
		default: // an element or a field
			if whole := base(v); whole != nil {
				add(whole)
			}
		}
	}
	add(v)
	return list
}

// callee is the function or method that a call names; nil for others.
func callee(call *ssa.CallCommon) *ssa.Function {
	if fn := call.StaticCallee(); fn != nil {
		return origin(fn)
	}
	return nil
}

// origin is the generic function of an instance.
func origin(fn *ssa.Function) *ssa.Function {
	if o := fn.Origin(); o != nil {
		return o
	}
	return fn
}

// ecsName is the name of a function of package ecs, with the type before that of a method; "" for others.
func ecsName(fn *ssa.Function) string {
	if path, name := fullName(fn); path == ecsPath {
		return name
	}
	return ""
}

// fullName is the path of a function's package, and its name, as in Query.All.
func fullName(fn *ssa.Function) (path, name string) {
	if fn == nil {
		return "", ""
	}
	f, is := fn.Object().(*types.Func)
	if !is || f.Pkg() == nil {
		return "", ""
	}
	name = f.Name()
	if recv := f.Signature().Recv(); recv != nil {
		of := types.TypeString(recv.Type(), func(*types.Package) string { return "" })
		of, _, _ = strings.Cut(strings.TrimPrefix(of, "*"), "[")
		name = of + "." + name
	}
	return f.Pkg().Path(), name
}
