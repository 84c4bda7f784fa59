package ecs_test

import (
	"context"
	"errors"
	"iter"
	"reflect"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

type (
	pointed struct{ P *int }
	vast    [1 << 17]byte
	lacking struct{ B b16 }
	lacks   struct{ B *b16 }
	lacksIn struct{ B []b16 }
	barter  struct {
		B b16
		_ ecs.Without[hp]
	}
)

// mistakes are calls of all constructors that are refused in a world where hp is registered and owned
// by the group solo. Each returns its result: nil for System, which makes nothing to call.
var mistakes = []struct {
	constructor, want string
	make              func(w *ecs.World) any
}{
	{"Register", "has a Go pointer at pointed.P", func(w *ecs.World) any { return ecs.Register[pointed](w, "pointed") }},
	{"Register", "the limit is 65528", func(w *ecs.World) any { return ecs.Register[vast](w, "vast") }},
	{"Register", "the name is empty", func(w *ecs.World) any { return ecs.Register[b4](w, "") }},
	{"Register", `the name has " "`, func(w *ecs.World) any { return ecs.Register[b4](w, "b 4") }},
	{"Register", "the name is taken", func(w *ecs.World) any { return ecs.Register[hp](w, "hp") }},
	{"Register", "reserved word", func(w *ecs.World) any { return ecs.Register[hp](w, "write") }},
	{"Register", "2 ways to store it", func(w *ecs.World) any { return ecs.Register[b4](w, "b4", ecs.Stable, ecs.Thin) }},
	{"GroupOf", "is not registered", func(w *ecs.World) any { return ecs.GroupOf[lacking](w, "lacking") }},
	{"GroupOf", "the name is taken", func(w *ecs.World) any { return ecs.GroupOf[zeroSolo](w, "solo") }},
	{"GroupOf", "owns no component", func(w *ecs.World) any { return ecs.GroupOf[struct{}](w, "empty") }},
	{"GroupOf", "pool is nil", func(w *ecs.World) any { return ecs.GroupOf[zeroSolo](w, "none", nil) }},
	{"SpawnerOf", "is not registered", func(w *ecs.World) any { return ecs.SpawnerOf[lacking](w) }},
	{"SpawnerOf", "is named twice", func(w *ecs.World) any { return ecs.SpawnerOf[struct{ A, B hp }](w) }},
	{"ExchangeOf", "is not registered", func(w *ecs.World) any { return ecs.ExchangeOf[barter](w) }},
	{"ExchangeOf", "0 that go", func(w *ecs.World) any { return ecs.ExchangeOf[zeroSolo](w) }},
	{"QueryOf", "is not registered", func(w *ecs.World) any { return ecs.QueryOf[lacks](w) }},
	{"QueryOf", "is not registered", func(w *ecs.World) any { return ecs.QueryOf[lacksIn](w) }},
	{"QueryOf", "is not a struct", func(w *ecs.World) any { return ecs.QueryOf[int](w) }},
	{"SliceOf", "is not registered", func(w *ecs.World) any { return ecs.SliceOf[lacksIn](w) }},
	{"SliceOf", "a slice passes columns", func(w *ecs.World) any { return ecs.SliceOf[zeroBound](w) }},
	{"SchemaOf", "is not registered", func(w *ecs.World) any { return ecs.SchemaOf[lacks](w) }},
	{"SchemaOf", "not supported in a contract", func(w *ecs.World) any { return ecs.SchemaOf[struct{ HP []hp }](w) }},
	{"SchemaOfPools", "pool 0 is nil", func(w *ecs.World) any { return ecs.SchemaOfPools(w, nil) }},
	{"FieldOf", "has no component", func(w *ecs.World) any { return ecs.FieldOf[b4](ecs.SchemaOf[zeroBound](w)) }},
	{"Provide", "has a resource of type int", func(w *ecs.World) any { return ecs.Provide(w, 2) }},
	{"System", "the name is empty", func(w *ecs.World) any { ecs.System(w, "", func(*struct{}) {}); return nil }},
	{"System", "its function is nil", func(w *ecs.World) any { ecs.System[struct{}](w, "none", nil); return nil }},
	{"System", "is not registered", func(w *ecs.World) any { ecs.System(w, "lacks", func(*lacksIn) {}); return nil }},
	{"System", "option 0 is the zero value", func(w *ecs.World) any {
		ecs.System(w, "zero", func(*struct{}) {}, ecs.SystemOption{})
		return nil
	}},
	{"New", "Options.Tag is 16", func(*ecs.World) any { return ecs.New(ecs.Options{Tag: 16}) }},
	{"New", "Options.Memory.", func(*ecs.World) any {
		return ecs.New(ecs.Options{Memory: memmgr.Options{Arena: arena.Options{Backend: 9}}})
	}},
}

// Every constructor that has to refuse returns something that does nothing, whichever of its methods
// are called. World.Err tells the mistake once, and Run until then.
func TestRefusedThingsDoNothing(t *testing.T) {
	uncollected(t)
	seen := map[string]bool{}
	for _, m := range mistakes {
		t.Run(m.constructor+" "+m.want, func(t *testing.T) {
			seen[m.constructor] = true
			w := world(t, ecs.Options{})
			ecs.Register[hp](w, "hp")
			g := ecs.GroupOf[zeroSolo](w, "solo")
			e := ok(g.Spawn(zeroSolo{hp{1}}))
			ran := 0
			ecs.System(w, "ran", func(*struct{}) { ran++ })
			if first := ecs.Provide(w, 1); m.constructor == "Provide" {
				defer func() {
					if *first != 1 || ecs.Resource[int](w) != first {
						t.Error("the resource is another one")
					}
				}()
			}
			ok(0, w.Run(t.Context()))
			thing := m.make(w)
			of := w
			if refused, is := thing.(*ecs.World); is {
				of = refused
			}
			mistake := of.Run(t.Context())
			if mistake == nil || !strings.Contains(mistake.Error(), m.want) || strings.Contains(mistake.Error(), "\n") {
				t.Fatalf("%v, want %s", mistake, m.want)
			}
			for range 2 {
				idle{t, w, mistake, g, e}.all(m.constructor, thing)
			}
			if err := of.Err(); err == nil || err.Error() != mistake.Error() {
				t.Errorf("Err has %v", err)
			}
			ok(0, of.Err())
			idle{t, w, mistake, g, e}.all(m.constructor, thing) // handed over, it is refused still
			ok(0, w.Run(t.Context()))
			if ran != 2 || w.Len() != 1 || g.Len() != 1 || w.Commands().Len() != 0 || w.Stats().Dropped != 0 {
				t.Errorf("%d ran, %d entities, %d members, %d commands", ran, w.Len(), g.Len(), w.Commands().Len())
			}
		})
	}
	for _, name := range strings.Fields("New Register GroupOf QueryOf SliceOf SpawnerOf ExchangeOf SchemaOf SchemaOfPools FieldOf Provide System") {
		if !seen[name] {
			t.Errorf("no mistake of %s", name)
		}
	}
}

// idle calls methods of a thing that was refused.
type idle struct {
	*testing.T
	w       *ecs.World // where all is well
	mistake error
	g       *ecs.Group[zeroSolo]
	e       ecs.Entity
}

func (t idle) all(what string, thing any) {
	v := reflect.ValueOf(thing)
	if thing == nil || v.Kind() == reflect.Pointer && v.Type().Elem().Kind() == reflect.Int {
		return
	}
	if v.NumMethod() == 0 {
		t.Errorf("%s: no method", what)
	}
	for i := range v.NumMethod() {
		name := v.Type().Method(i).Name
		if what == "New" && (name == "Err" || name == "Close" || name == "Schedule") {
			continue // Err hands over; Close of a nil World is no mistake; Schedule has no systems
		}
		for _, later := range []bool{false, true} {
			t.call(what+"."+name, name, v.Method(i), later)
		}
	}
}

// call calls a method, with commands if it takes any, and looks at its results.
func (t idle) call(what, name string, f reflect.Value, later bool) {
	t.Helper()
	defer func() {
		t.Helper()
		if r := recover(); r != nil {
			t.Errorf("%s panics: %v", what, r)
		}
	}()
	var args []reflect.Value
	for i := range f.Type().NumIn() {
		in := f.Type().In(i)
		switch {
		case !f.Type().IsVariadic() || i < f.Type().NumIn()-1:
			args = append(args, t.value(in))
		case later && in == reflect.TypeFor[[]*ecs.Commands]():
			args = append(args, reflect.ValueOf(t.w.Commands()))
		}
	}
	for _, out := range f.Call(args) {
		err, is := out.Interface().(error)
		switch {
		case out.Type() == reflect.TypeFor[error]():
			if !is || !errors.Is(err, t.mistake) && err.Error() != t.mistake.Error() {
				t.Errorf("%s returns %v", what, err)
			}
		case name == "Name" || name == "Schema" || name == "Stats" || name == "Describe" || name == "Facts" || name == "Map" || name == "Profile" || name == "Manager" || name == "Commands":
		case name == "Members" && out.Len() == 2: // as long as its argument
		case name == "NewLock" || name == "Select":
			t.all(what, out.Interface())
		case out.Kind() == reflect.Func:
			t.empty(what, out)
		case !out.IsZero() && out.Kind() != reflect.Struct:
			t.Errorf("%s returns %v", what, out)
		}
	}
}

// empty goes over an iterator that gives nothing.
func (t idle) empty(what string, all reflect.Value) {
	yield := reflect.MakeFunc(all.Type().In(0), func([]reflect.Value) []reflect.Value {
		t.Errorf("%s gives something", what)
		return []reflect.Value{reflect.ValueOf(false)}
	})
	all.Call([]reflect.Value{yield})
}

// value is an argument that is all right for a thing that was made.
func (t idle) value(of reflect.Type) reflect.Value {
	switch of {
	case reflect.TypeFor[context.Context]():
		return reflect.ValueOf(t.Context())
	case reflect.TypeFor[ecs.Entity]():
		return reflect.ValueOf(t.e)
	case reflect.TypeFor[ecs.AnyQuery]():
		return reflect.ValueOf(ecs.Handles{t.e})
	case reflect.TypeFor[ecs.AnyGroup]():
		return reflect.ValueOf(t.g)
	case reflect.TypeFor[ecs.AnyPool]():
		return reflect.ValueOf(t.w.Pool("hp"))
	}
	switch of.Kind() {
	case reflect.Func:
		return reflect.MakeFunc(of, func([]reflect.Value) (out []reflect.Value) {
			for i := range of.NumOut() {
				out = append(out, reflect.Zero(of.Out(i)))
			}
			return out
		})
	case reflect.Pointer:
		return reflect.New(of.Elem())
	case reflect.Slice:
		return reflect.MakeSlice(of, 2, 2)
	}
	return reflect.Zero(of)
}

// A call with a refused thing says so: a constructor by a mistake of its own, a call by the other's.
func TestGivenRefusedThings(t *testing.T) {
	uncollected(t)
	w := world(t, ecs.Options{})
	p := ecs.Register[hp](w, "hp")
	g := ecs.GroupOf[zeroSolo](w, "solo")
	e := ok(g.Spawn(zeroSolo{}))
	pool := ecs.Register[pointed](w, "pool")
	group := ecs.GroupOf[lacking](w, "group")
	query := ecs.QueryOf[lacksIn](w)
	schema := ecs.SchemaOf[lacks](w)
	if err := w.Err(); err == nil || strings.Count(err.Error(), "\n") != 3 {
		t.Fatalf("want 4 mistakes: %v", err)
	}
	for want, err := range map[string]error{
		`pool 1: component "pool" was refused itself`:  refusal(w, ecs.SchemaOfPools(w, p, pool)),
		`HP: component "pool" was refused itself`:      refusal(w, ecs.GroupMade[zeroSolo](w, "owner", pool)),
		`group 0 of OnlyIn: group "group" was refused`: systemRefusal(w, "only", func(*struct{ HP []hp }) {}, ecs.OnlyIn(group)),
		"ecs: QueryOf: field":                          second(p.RemoveAll(query)),
		"ecs: Register of component \"pool\"":          w.NewLock("lock", p, pool).Hold(e, "test"),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	g.SortAs(group, 1)
	p.Respect(pool)
	if !p.Has(e) || w.Len() != 1 {
		t.Error("something has changed")
	}
	ok(0, w.Run(t.Context()))

	// A contract that is good with a schema that was refused, and a field that was.
	good := ecs.SchemaOf[zeroBound](w)
	c := ok(good.Bind(e))
	if f := ecs.FieldOf[int](good); !good.Valid(&c) || f.At(&c) != nil || f.Mut(&c) != nil || w.Err() == nil {
		t.Error("a field that was refused has values")
	}
	if schema.Valid(new(ecs.Contract[lacks])) {
		t.Error("a schema that was refused holds")
	}
}

// A world that New could not make gives one mistake, whatever is made in it.
func TestRefusedWorld(t *testing.T) {
	uncollected(t)
	w := ecs.New(ecs.Options{Tag: 16})
	defer w.Close()
	p := ecs.Register[hp](w, "hp")
	g := ecs.GroupOf[zeroSolo](w, "solo")
	q := ecs.QueryOf[struct{ HP []hp }](w)
	s := ecs.SchemaOf[zeroBound](w)
	f := ecs.FieldOf[hp](s)
	ecs.System(w, "never", func(*struct{}) { t.Error("a system runs") })
	*ecs.Provide(w, 7) = 8
	mistake := w.Run(t.Context())
	for _, thing := range []any{p, g, q, s, f, ecs.SpawnerOf[lacking](w), ecs.ExchangeOf[barter](w), ecs.SliceOf[lacks](w), ecs.SchemaOfPools(w), w} {
		well := world(t, ecs.Options{})
		ecs.Register[hp](well, "hp")
		name := "New"
		if thing != w {
			name = reflect.TypeOf(thing).String()
		}
		idle{t, well, mistake, ecs.GroupOf[zeroSolo](well, "solo"), 1<<32 | 1}.all(name, thing)
	}
	if err := w.Err(); err == nil || err.Error() != "ecs: Options.Tag is 16; it must be at most 15" {
		t.Errorf("Err has %v", err)
	}
	if w.Err() != nil || w.Run(t.Context()) == nil {
		t.Error("Err has handed it over, and the world runs still")
	}
	next, stop := iter.Pull(w.All())
	defer stop()
	if _, is := next(); is {
		t.Error("it has entities")
	}
}
