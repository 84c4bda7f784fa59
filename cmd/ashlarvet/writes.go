package main

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/buildssa"
	"golang.org/x/tools/go/ssa"
)

var parallelWrites = &analysis.Analyzer{
	Name: "parallelwrites",
	Doc: `report writes of systems that promise ecs.Parallel to variables outside of them

Workers call such a system at the same time. So it must not write variables that it captures, fields of
its receiver and variables of packages. A lock does not help: the order of workers changes from run to
run. An atomic sum of integers does not depend on it, and is not reported while the result of Add is not used.`,
	Requires: []*analysis.Analyzer{buildssa.Analyzer, receivers},
	Run:      runWrites,
}

func runWrites(pass *analysis.Pass) (any, error) {
	p := newProgram(pass.ResultOf[buildssa.Analyzer].(*buildssa.SSA))
	p.writesReceiver = pass.ResultOf[receivers].(func(*types.Func) bool)
	type key struct { // one report a line and variable
		file, name string
		line       int
	}
	reported := map[key]bool{}
	for _, c := range p.called {
		if !c.parallel {
			continue
		}
		r := p.reachOf(c)
		inOrder := slices.SortedStableFunc(instructions(r.fns...), func(a, b ssa.Instruction) int { return cmp.Compare(a.Pos(), b.Pos()) })
		for _, instr := range inOrder {
			v, how := r.write(instr)
			if v == nil {
				continue
			}
			at := pass.Fset.Position(instr.Pos())
			if k := (key{at.Filename, text(v), at.Line}); !reported[k] {
				reported[k] = true
				pass.Reportf(instr.Pos(), "%s promises ecs.Parallel, and %s", c.label, how)
			}
		}
	}
	return nil, nil
}

const (
	race  = ", which its struct does not name. Workers do so at the same time: use a field (a column, ecs.WriteRes, ecs.WriteEvents, ecs.Local for scratch), or leave Parallel out"
	order = ", which its struct does not name. Workers take turns, in another order in each run: use a field (a column, ecs.WriteRes, ecs.WriteEvents, ecs.Random), or leave Parallel out"
)

// write is the memory outside that an instruction writes, and how; nil if it does not.
func (r *reach) write(instr ssa.Instruction) (v ssa.Value, how string) {
	switch instr := instr.(type) {
	case *ssa.Store:
		v, how = instr.Addr, "writes "+text(instr.Addr)+race
	case *ssa.MapUpdate:
		v, how = instr.Map, "writes "+text(instr.Map)+race
	case *ssa.Send:
		v, how = instr.Chan, "sends to "+text(instr.Chan)+order
	case *ssa.UnOp:
		if instr.Op == token.ARROW {
			v, how = instr.X, "receives from "+text(instr.X)+order
		}
	case *ssa.Select:
		for _, s := range instr.States {
			if r.refers(s.Chan, outside) {
				v, how = s.Chan, "selects "+text(s.Chan)+order
			}
		}
	case ssa.CallInstruction:
		if name := draws(instr.Common()); name != "" {
			return instr.Common().Value, "calls " + name + " of all of the program" + order
		}
		v, how = r.callWrites(instr, instr.Common())
	}
	if v == nil || !r.refers(v, outside) {
		return nil, ""
	}
	return v, how
}

// callWrites is memory that a call may write. Functions of this package are looked at, and the others are judged by
// their names and arguments.
func (r *reach) callWrites(instr ssa.CallInstruction, call *ssa.CallCommon) (v ssa.Value, how string) {
	if len(call.Args) == 0 || r.inside[callee(call)] {
		return nil, ""
	}
	first := call.Args[0]
	if isBuiltin(call, "append", "copy", "delete", "clear") {
		if s, is := first.(*ssa.Slice); is && s.Max != nil { // it appends to a copy
			return nil, ""
		}
		return first, "writes " + text(first) + race
	}
	path, name := fullName(callee(call))
	of, method, _ := strings.Cut(name, ".")
	named := "calls " + strings.TrimPrefix(name, of+".") + " of " + text(first)
	switch {
	case path == "sync/atomic":
		if depends(instr, strings.TrimPrefix(name, of+".")) {
			return first, named + order
		}
	case strings.HasPrefix(path, "math/rand") && method != "":
		return first, named + order
	case path == "sync" && of == "Map" && !slices.Contains([]string{"Load", "Range"}, method):
		return first, named + order
	case changes(path, name):
		return first, "has " + name + " of package " + path + " write " + text(first) + race
	case writers[path+"."+name], buffers[path+"."+of] && !slices.Contains([]string{"Bytes", "Cap", "Len", "String"}, method):
		return first, named + race
	case path != ecsPath:
		if method != "" && path != "sync" && r.program.writes(callee(call)) && r.refers(first, outside) {
			return first, named + race
		}
		if call.Signature().Recv() != nil { // read by most methods
			call = &ssa.CallCommon{Args: call.Args[1:]}
		}
		for _, arg := range call.Args {
			if a := address(arg); a != nil && r.refers(a, outside) {
				return a, "passes on the address of " + text(a) + race
			}
		}
	}
	return nil, ""
}

// writers are methods of ecs that write memory of the world at once.
var writers = map[string]bool{ecsPath + ".Pool.Mut": true, ecsPath + ".Pool.Set": true, ecsPath + ".WriteEvents.Write": true}

// changes tells whether a function of the standard library writes the slice, map or list that it is passed first.
func changes(path, name string) bool {
	switch path {
	case "slices":
		begins := func(verb string) bool { return strings.HasPrefix(name, verb) }
		return !begins("Sorted") && slices.ContainsFunc([]string{"Sort", "Reverse", "Delete", "Insert", "Replace", "Compact"}, begins)
	case "sort":
		return slices.Contains([]string{"Ints", "Float64s", "Strings", "Slice", "SliceStable", "Sort", "Stable"}, name)
	case "maps":
		return slices.Contains([]string{"Copy", "DeleteFunc", "Insert"}, name)
	case "container/list":
		return strings.HasPrefix(name, "List.") && !slices.Contains([]string{"Len", "Front", "Back"}, strings.TrimPrefix(name, "List."))
	}
	return false
}

// draws is the function of the random numbers that all of a program shares; "": it is none.
func draws(call *ssa.CallCommon) string {
	path, name := fullName(callee(call))
	if path != "math/rand" && path != "math/rand/v2" || strings.HasPrefix(name, "New") || strings.Contains(name, ".") {
		return ""
	}
	return "rand." + name
}

var buffers = map[string]bool{"bytes.Buffer": true, "strings.Builder": true}

// depends tells whether the outcome of an operation of sync/atomic depends on the order of workers. Sums and sets
// of bits do not, while their results are not used.
func depends(instr ssa.CallInstruction, name string) bool {
	for _, commutes := range []string{"Add", "And", "Or"} {
		if strings.HasPrefix(name, commutes) {
			v := instr.Value()
			return v != nil && len(*v.Referrers()) > 0
		}
	}
	return !strings.HasPrefix(name, "Load")
}

// address is the variable behind an argument that is an address; nil if it is none.
func address(v ssa.Value) ssa.Value {
	if m, is := v.(*ssa.MakeInterface); is {
		v = m.X
	}
	switch v := v.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Global:
		return v
	case *ssa.FreeVar: // of a method value it is the receiver itself
		if _, is := v.Type().Underlying().(*types.Pointer); is && !strings.HasPrefix(v.Parent().Synthetic, "bound") {
			return v
		}
	}
	return nil
}
