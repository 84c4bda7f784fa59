package ecs_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
)

type (
	zeroSolo  struct{ HP hp }
	zeroBound struct{ HP *hp }
)

// zeroTypes has a pointer to the zero value of each exported type, or a nil one where it is
// an interface.
func zeroTypes() map[string]any {
	return map[string]any{
		"Or": new(ecs.Or[hp, frozen]), "AnyQuery": (*ecs.AnyQuery)(nil), "Handles": new(ecs.Handles),
		"Added": new(ecs.Added[hp]), "Changed": new(ecs.Changed[hp]),
		"AnyGroup": (*ecs.AnyGroup)(nil), "AnyPool": (*ecs.AnyPool)(nil), "Spawner": new(ecs.Spawner[zeroSolo]), "Storage": new(ecs.Storage),
		"Later": new(ecs.Later[hp]), "LaterSpawner": new(ecs.LaterSpawner[zeroSolo]),
		"Commands": new(ecs.Commands), "AtEnd": new(ecs.AtEnd), "Entity": new(ecs.Entity), "Exchange": new(ecs.Exchange[zeroSolo]), "Group": new(ecs.Group[zeroSolo]), "Options": new(ecs.Options),
		"Disabled": new(ecs.Disabled[hp]), "Present": new(ecs.Present[hp]), "Lock": new(ecs.Lock),
		"Phase": new(ecs.Phase), "Res": new(ecs.Res[hp]), "Rows": new(ecs.Rows), "Pool": new(ecs.Pool[hp]), "Has": new(ecs.Has), "Query": new(ecs.Query[struct{ HP *hp }]),
		"ComponentStats": new(ecs.ComponentStats),
		"Stats":          new(ecs.Stats), "SortWay": new(ecs.SortWay), "SystemOption": new(ecs.SystemOption),
		"AnySchema": new(ecs.AnySchema), "Contract": new(ecs.Contract[zeroBound]), "Field": new(ecs.Field[zeroBound, hp]),
		"Schema": new(ecs.Schema[zeroBound]),
		"Views":  new(ecs.Views), "With": new(ecs.With[hp]), "Look": new(ecs.Look[hp]), "Prior": new(ecs.Prior[hp]), "WriteRes": new(ecs.WriteRes[hp]), "ChangedRows": new(ecs.ChangedRows[hp]), "AddedRows": new(ecs.AddedRows[hp]),
		"Split": new(ecs.Split[hp]), "Strided": new(ecs.Strided[hp]), "WriteStrided": new(ecs.WriteStrided[hp]),
		"Write": new(ecs.Write[hp]), "Maybe": new(ecs.Maybe[hp]), "MaybeWrite": new(ecs.MaybeWrite[hp]), "WriteOne": new(ecs.WriteOne[hp]), "MaybeOne": new(ecs.MaybeOne[hp]), "MaybeWriteOne": new(ecs.MaybeWriteOne[hp]),
		"Without": new(ecs.Without[hp]), "World": new(ecs.World), "Random": new(ecs.Random), "Draws": new(ecs.Draws), "Local": new(ecs.Local[hp]),
		"Events": new(ecs.Events[hp]), "WriteEvents": new(ecs.WriteEvents[hp]),
		"Arrived": new(ecs.Arrived[hp]), "Left": new(ecs.Left[hp]), "Set": new(ecs.Set[hp]), "Schedule": new(ecs.Schedule),
	}
}

// No exported type is left out of the table.
func TestZeroTypesAreAll(t *testing.T) {
	noTests := func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }
	packages, err := parser.ParseDir(token.NewFileSet(), ".", noTests, 0)
	if err != nil || packages["ecs"] == nil {
		t.Skipf("the sources can't be read here: %v", err)
	}
	listed := zeroTypes()
	ast.Inspect(packages["ecs"], func(n ast.Node) bool {
		if spec, is := n.(*ast.TypeSpec); is && spec.Name.IsExported() {
			if _, is := listed[spec.Name.Name]; !is {
				t.Errorf("%s is exported, and not in the table", spec.Name.Name)
			}
			delete(listed, spec.Name.Name)
		}
		return true
	})
	for name := range listed {
		t.Errorf("%s is in the table, and no type", name)
	}
}

// uncollected keeps the garbage collector from running during a test that calls methods by
// reflection, under js/wasm. There Go 1.26 keeps the code address of such a method in a word
// that the collector takes for a pointer, and a heap of some 600 MiB reaches up to these
// addresses: "found bad pointer in Go heap". (Go issue 80472 is the same, in another place.)
func uncollected(t *testing.T) {
	if runtime.GOARCH != "wasm" {
		return
	}
	percent := debug.SetGCPercent(-1)
	runtime.GC() // a cycle that has begun ends before the first method is looked up
	t.Cleanup(func() { debug.SetGCPercent(percent) })
}

// Each method of each exported type, of its zero value and of a nil pointer to it, with
// arguments that are all zero: it returns, or panics with a message of this package. Get of a query, Valid and
// Get of a schema and At of a field are Go's own panic: they are inlined where they are called, and a test for it has
// no room there. Get, Mut and Has of a pool and Get of a Look and of a Prior are, too, but for checked builds. So are methods
// of a nil Group or Schema that belong to its embedded parts.
func TestMethodsOfZeroValues(t *testing.T) {
	uncollected(t)
	embedded := map[string]reflect.Type{"Group": reflect.TypeFor[*ecs.Spawner[zeroSolo]](), "Schema": reflect.TypeFor[*ecs.AnySchema]()}
	called := 0
	for name, zero := range zeroTypes() {
		for _, v := range []reflect.Value{reflect.ValueOf(zero), reflect.Zero(reflect.TypeOf(zero))} {
			what := "zero " + name
			if v.IsNil() {
				what = "nil *" + name
			}
			if v.IsNil() && name == "Draws" {
				continue // a draw takes a nanosecond, so nothing is tested: Go panics by itself
			}
			for i := range v.NumMethod() {
				method := v.Type().Method(i)
				if value := v.Type().Elem(); v.IsNil() && (value.Kind() == reflect.Uint64 || value.Kind() == reflect.Uint8 || value.Kind() == reflect.Struct) {
					if _, is := value.MethodByName(method.Name); is {
						continue // of values: a nil pointer has none
					}
				}
				if within := embedded[name]; within != nil && v.IsNil() {
					if _, is := within.MethodByName(method.Name); is {
						continue
					}
				}
				switch name + "." + method.Name {
				case "Pool.Get", "Pool.Mut", "Pool.Has", "Look.Get", "Prior.Get":
					if !arena.Checked {
						continue
					}
				case "Query.Get", "Schema.Valid", "Schema.Get", "Field.At":
					continue
				}
				called++
				callZero(t, what+"."+method.Name, v.Method(i))
			}
		}
	}
	if called < 90 {
		t.Errorf("only %d methods were called", called)
	}
}

// callZero calls a function with zero arguments, and an iterator that it returns.
func callZero(t *testing.T, what string, f reflect.Value) {
	t.Helper()
	defer func() {
		t.Helper()
		r := recover()
		if _, faulted := r.(runtime.Error); faulted || r != nil && !strings.HasPrefix(fmt.Sprint(r), "ecs: ") {
			t.Errorf("%s: %v", what, r)
		}
	}()
	var args []reflect.Value
	for i := range f.Type().NumIn() {
		if arg := f.Type().In(i); i < f.Type().NumIn()-1 || !f.Type().IsVariadic() {
			args = append(args, reflect.Zero(arg))
		}
	}
	for _, out := range f.Call(args) {
		if out.Kind() == reflect.Func && !out.IsNil() {
			yield := reflect.MakeFunc(out.Type().In(0), func([]reflect.Value) []reflect.Value { return []reflect.Value{reflect.ValueOf(false)} })
			out.Call([]reflect.Value{yield})
		}
	}
}

// The methods of a pool, a group and so on that were made, with arguments that are zero.
func TestMethodsWithZeroArguments(t *testing.T) {
	uncollected(t)
	w := ecs.New(ecs.Options{})
	p := ecs.Register[hp](w, "hp")
	ecs.Register[frozen](w, "frozen")
	g := ecs.GroupOf[zeroSolo](w, "solo")
	q := ecs.QueryOf[struct{ HP *hp }](w)
	s := ecs.SpawnerOf[zeroSolo](w)
	for name, v := range map[string]any{"Pool": p, "Group": g, "Query": q, "Spawner": s, "Commands": w.Commands(), "World": w} {
		for i := range reflect.TypeOf(v).NumMethod() {
			if name == "World" && reflect.TypeOf(v).Method(i).Name == "Close" {
				continue // it comes last
			}
			callZero(t, name+"."+reflect.TypeOf(v).Method(i).Name, reflect.ValueOf(v).Method(i))
		}
	}
	for range 2 { // and of a world that is closed
		ok(0, w.Check())
		ok(0, w.Close())
		for name, v := range map[string]any{"Pool": p, "Group": g, "Query": q, "Spawner": s, "Commands": w.Commands(), "World": w} {
			for i := range reflect.TypeOf(v).NumMethod() {
				callZero(t, "closed "+name+"."+reflect.TypeOf(v).Method(i).Name, reflect.ValueOf(v).Method(i))
			}
		}
	}
}

// A nil or zero argument where something else is asked for: an error, or a panic,
// that names the right argument.
func TestNilArguments(t *testing.T) {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	p := ecs.Register[hp](w, "hp")
	ecs.Register[frozen](w, "frozen")
	type list struct{ HP []hp }
	type cold struct{ F frozen }
	var noWorld *ecs.World
	var noPool *ecs.Pool[frozen]
	var noGroup *ecs.Group[zeroSolo]
	g := ecs.GroupOf[zeroSolo](w, "solo")
	for _, c := range []struct {
		what, want string
		err        error
	}{
		{"System, nil function", "its function is nil", systemRefusal[list](w, "none", nil)},
		{"System, zero option", "option 1 is the zero value", systemRefusal(w, "option", func(*list) {}, ecs.OnlyIn(g), ecs.SystemOption{})},
		{"OnlyIn, no interface", "group 0 of OnlyIn is nil", systemRefusal(w, "over1", func(*list) {}, ecs.OnlyIn(nil))},
		{"OnlyIn, nil group", "group 1 of OnlyIn is nil", systemRefusal(w, "over2", func(*list) {}, ecs.OnlyIn(g, noGroup))},
		{"OnlyIn, zero group", "group 0 of OnlyIn is nil", systemRefusal(w, "over3", func(*list) {}, ecs.OnlyIn(new(ecs.Group[zeroSolo])))},
		{"When, nil function", "When is given a nil function", systemRefusal(w, "when", func(*list) {}, ecs.When(nil))},
		{"InPhase, none", "InPhase is given Phase(9)", systemRefusal(w, "phase", func(*list) {}, ecs.InPhase(9))},
		{"InSet, no name", "InSet: the name is empty", systemRefusal(w, "set", func(*list) {}, ecs.InSet(""))},
		{"Pause, unknown", `no set is called "nobody"`, w.Pause("nobody")},
		{"Resume, unknown", `no set is called "nobody"`, w.Resume("nobody")},
		{"RemoveSystem, unknown", `no system is called "nobody"`, w.RemoveSystem("nobody")},
		{"GroupOf, no interface", "pool is nil", refusal(w, ecs.GroupMade[cold](w, "cold1", nil))},
		{"GroupOf, nil pool", "pool is nil", refusal(w, ecs.GroupMade[cold](w, "cold2", noPool))},
		{"GroupOf, zero pool", "pool is nil", refusal(w, ecs.GroupMade[cold](w, "cold3", new(ecs.Pool[frozen])))},
		{"GroupOf, no component", "owns no component", refusal(w, ecs.GroupMade[struct{}](w, "empty"))},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) || !strings.Contains(c.err.Error(), "ecs: ") {
			t.Errorf("%s: %v", c.what, c.err)
		}
	}
	for want, call := range map[string]func(){
		`Later of component "hp" is given a Commands that is nil`:            func() { p.Later(nil).Add(0, hp{}) },
		`Later of group "solo" is given a Commands that is nil`:              func() { g.Later(nil).Spawn(zeroSolo{}) },
		"Later of a Pool that is nil":                                        func() { noPool.Later(w.Commands()).Put(0, frozen{}) },
		"Drop of a Commands that is nil":                                     func() { new(ecs.Commands).Drop() },
		"Destroy of a Commands that is nil":                                  func() { new(ecs.Commands).Destroy(0) },
		"Add of a Pool that is nil":                                          func() { noPool.Add(0, frozen{}) },
		"Set of a Pool that is nil":                                          func() { new(ecs.Pool[hp]).Set(0, hp{}) },
		"Remove of a Pool that is nil":                                       func() { noPool.Remove(0) },
		"it is made by ecs.Register":                                         func() { noPool.Len() },
		"ecs.SpawnerOf or ecs.GroupOf":                                       func() { new(ecs.Group[zeroSolo]).Spawn(zeroSolo{}) },
		"it is made by ecs.GroupOf":                                          func() { new(ecs.Group[zeroSolo]).Members(nil) },
		"it is made by ecs.QueryOf":                                          func() { new(ecs.Query[list]).All() },
		"Run of a World that is nil":                                         func() { noWorld.Run(t.Context()) },
		"it is made by ecs.ExchangeOf":                                       func() { new(ecs.Exchange[zeroSolo]).Do(0, zeroSolo{}) },
		"AtEnd that is nil or the zero value: it is made by ecs.System, for": func() { ecs.AtEnd{}.Do() },
		"it is made by ecs.New":                                              func() { new(ecs.World).SafePoint() },
		"Run with a nil context":                                             func() { w.Run(nil) },
		"Sort of group solo with a nil function":                             func() { g.Sort(nil) },
		"SortAs of group solo as readers that are nil":                       func() { g.SortAs(nil, 1) },
		"readers are a *Group":                                               func() { g.SortAs(noGroup, 1) },
		"a row that the batch does not have was asked for":                   func() { ecs.Has{}.Has(0) },
	} {
		panics(t, want, call)
	}
	ok(0, w.Check())
}
