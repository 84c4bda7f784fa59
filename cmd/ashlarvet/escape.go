package main

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/buildssa"
	"golang.org/x/tools/go/ssa"
)

var batchEscape = &analysis.Analyzer{
	Name: "batchescape",
	Doc: `report slices and pointers of a batch that are kept

What a system, an observer or a loop over a query gets is good until it returns, or until the turn of the
loop ends. Then the memory has other rows. It is reported where it is stored in variables outside, in a resource
or an ecs.Local, is sent, or is used by goroutines that the function does not wait for.`,
	Requires: []*analysis.Analyzer{buildssa.Analyzer},
	Run:      runEscape,
}

func runEscape(pass *analysis.Pass) (any, error) {
	p := newProgram(pass.ResultOf[buildssa.Analyzer].(*buildssa.SSA))
	reported := map[token.Pos]bool{}
	for _, c := range p.called {
		r := p.reachOf(c)
		waits := r.waits()
		for instr := range instructions(r.fns...) {
			v, how := r.keeps(instr, waits)
			if v == nil || reported[instr.Pos()] {
				continue
			}
			reported[instr.Pos()] = true
			pass.Reportf(instr.Pos(), "%s is good until %s, and %s: keep a copy (slices.Clone), or the entity", thing(v), r.end(), how)
		}
	}
	return nil, nil
}

// keeps is the memory of the batch that an instruction keeps, and how; nil if it does not.
func (r *reach) keeps(instr ssa.Instruction, waits bool) (v ssa.Value, how string) {
	used, in := []ssa.Value(nil), ssa.Value(nil)
	switch instr := instr.(type) {
	case *ssa.Store:
		used, in = []ssa.Value{instr.Val}, instr.Addr
	case *ssa.MapUpdate:
		used, in = []ssa.Value{instr.Value, instr.Key}, instr.Map
	case *ssa.Send:
		used, in, how = []ssa.Value{instr.X}, instr.Chan, "is sent"
	case *ssa.Go:
		used, how = append(instr.Call.Args, instr.Call.Value), "is used by a goroutine that the function does not wait for"
	case *ssa.Call:
		used = instr.Call.Args
		if _, name := fullName(callee(&instr.Call)); name != "WaitGroup.Go" && name != "Group.Go" {
			return nil, ""
		}
		how = "is used by a goroutine that the function does not wait for"
	}
	if in == nil && waits && strings.Contains(how, "goroutine") || in != nil && !r.outlives(in) {
		return nil, ""
	}
	for _, v := range used {
		if r.refers(v, batch) {
			if how == "" {
				how = storedIn(in)
			}
			return v, how
		}
	}
	return nil, ""
}

// outlives tells whether memory is there when the call has returned.
func (r *reach) outlives(v ssa.Value) bool {
	call, is := root(v).(*ssa.Call)
	return r.refers(v, outside) || is && lasting[ecsName(callee(&call.Call))]
}

// lasting are methods that return addresses which are good as long as the world.
var lasting = map[string]bool{"Local.Get": true, "Res.Get": true, "WriteRes.Mut": true}

// waits tells whether the function seems to wait for goroutines: it calls a method Wait, or receives.
func (r *reach) waits() bool {
	for instr := range instructions(r.fns...) {
		switch instr := instr.(type) {
		case *ssa.UnOp:
			if instr.Op == token.ARROW {
				return true
			}
		case *ssa.Select:
			return true
		case *ssa.Call:
			if _, name := fullName(callee(&instr.Call)); strings.HasSuffix(name, ".Wait") {
				return true
			}
		}
	}
	return false
}

// end is when memory of the batch ends.
func (r *reach) end() string {
	if r.loop {
		return "the turn of the loop ends"
	}
	return r.label + " returns"
}

// thing is memory of a batch in a message.
func thing(v ssa.Value) string {
	t := text(v)
	if _, is := v.(*ssa.MakeClosure); is {
		return "memory of a batch that the closure uses"
	} else if t == "" {
		return "memory of a batch"
	}
	return "memory " + t + " of a batch"
}

func storedIn(v ssa.Value) string {
	if t := text(v); t != "" {
		return "is stored in " + t
	} else if _, is := v.(*ssa.FreeVar); is { // a result without a name
		return "is returned"
	}
	return "is stored in memory that is there longer"
}
