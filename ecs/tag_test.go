package ecs_test

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
)

// A tag that says nothing, or something that its field has no use for, is refused with what
// is meant.
func TestTagsThatAreRefused(t *testing.T) {
	w := world(t, ecs.Options{})
	ecs.Register[hp](w, "hp")
	ecs.Register[b4](w, "b")
	ecs.Provide(w, frozen{})
	for _, x := range []struct {
		what string
		err  error
		want []string
	}{
		{"a key with a letter changed", refusal(w, ecs.QueryMade[struct {
			HP []hp `ashler:"hp"`
		}](w)), []string{`field HP []ecs_test.hp`, `the tag's key is "ashler"`, "ashlar is meant, as in `ashlar:\"hp\"`"}},
		{"two letters the other way round", refusal(w, ecs.QueryMade[struct {
			HP []hp `json:"x" ahslar:"hp"`
		}](w)), []string{`key is "ahslar"`, "`ashlar:\"hp\"`"}},
		{"a letter too few", refusal(w, ecs.QueryMade[struct {
			HP []hp `ashla:"hp"`
		}](w)), []string{`key is "ashla"`}},
		{"a letter too many", refusal(w, ecs.QueryMade[struct {
			HP []hp `ashlars:"hp"`
		}](w)), []string{`key is "ashlars"`}},
		{"the name of the package", refusal(w, ecs.QueryMade[struct {
			HP []hp `json:"hp" ecs:"hp"`
		}](w)), []string{`key is "ecs"`, "`ashlar:\"hp\"`"}},
		{"a capital", systemRefusal(w, "s", func(*struct {
			HP []hp `Ashlar:"hp"`
		}) {
		}), []string{`system "s"`, `key is "Ashlar"`}},
		{"twice", refusal(w, ecs.QueryMade[struct {
			HP []hp `ashlar:"hp" ashlar:"b"`
		}](w)), []string{"has the key ashlar twice", "keep one"}},
		{"in a struct of values", refusal(w, ecs.GroupMade[struct {
			HP hp `ashler:"hp"`
		}](w, "g")), []string{`group "g"`, `key is "ashler"`}},
		{"a word of old, of values", refusal(w, ecs.GroupMade[struct {
			HP hp
			B  b4 `ashlar:"optional"`
		}](w, "g2")), []string{"the tag says optional", "write _ ecs.Maybe[b4]"}},
		{"a word of old", refusal(w, ecs.QueryMade[struct {
			HP []hp `ashlar:"hp,write"`
		}](w)), []string{"field HP []ecs_test.hp: the tag says write", "write HP ecs.Write[hp] `ashlar:\"hp\"`"}},
		{"a form in a struct of values", refusal(w, ecs.SpawnerMade[struct {
			HP ecs.Write[hp]
		}](w)), []string{"values to spawn from"}},
		{"what may lack, with a name", refusal(w, ecs.GroupMade[struct {
			HP hp
			B  ecs.Maybe[b4]
		}](w, "g3")), []string{"values to spawn from", "_ ecs.Maybe["}},

		{"entities of a name", refusal(w, ecs.QueryMade[struct {
			HP []hp
			E  []ecs.Entity `ashlar:"hp"`
		}](w)), []string{`says "hp"`, "gets the entities of the rows"}},
		{"an entity of a name", refusal(w, ecs.QueryMade[struct {
			HP *hp
			E  ecs.Entity `ashlar:"hp"`
		}](w)), []string{`says "hp"`, "gets the entities of the rows"}},
		{"rows of a name", refusal(w, ecs.QueryMade[struct {
			HP []hp
			R  ecs.Rows `ashlar:"hp"`
		}](w)), []string{`says "hp"`, "ecs.Rows gets the numbers"}},
		{"commands of a name", systemRefusal(w, "s", func(*struct {
			Do *ecs.Commands `ashlar:"b"`
		}) {
		}), []string{`says "b"`, "*ecs.Commands takes any change"}},
		{"a resource of a name", systemRefusal(w, "s", func(*struct {
			F ecs.WriteRes[frozen] `ashlar:"f"`
		}) {
		}), []string{`says "f"`, "one value of its type"}},

		{"a pointer to a resource", refusal(w, ecs.QueryMade[struct {
			HP *hp
			F  *ecs.Res[frozen]
		}](w)), []string{"is a pointer", "of type ecs.Res["}},
		{"a pointer to a look", refusal(w, ecs.QueryMade[struct {
			HP *hp
			F  *ecs.Look[b4]
		}](w)), []string{"is a pointer", "of type ecs.Look["}},
		{"a pointer to a filter", refusal(w, ecs.QueryMade[struct {
			HP *hp
			_  *ecs.Without[b4]
		}](w)), []string{"is a pointer", "of type ecs.Without["}},
		{"a pointer to presence", refusal(w, ecs.QueryMade[struct {
			HP *hp
			P  *ecs.Has `ashlar:"b"`
		}](w)), []string{"is a pointer", "of type ecs.Has"}},
		{"a pointer to rows", refusal(w, ecs.QueryMade[struct {
			HP *hp
			R  *ecs.Rows
		}](w)), []string{"is a pointer", "of type ecs.Rows"}},
		{"rows twice", refusal(w, ecs.QueryMade[struct {
			HP   []hp
			R, S ecs.Rows
		}](w)), []string{"2 for Rows", "keep at most one of each"}},
		{"entities twice", refusal(w, ecs.QueryMade[struct {
			HP   []hp
			A, B []ecs.Entity
		}](w)), []string{"2 fields for entities"}},
		{"an entity twice", refusal(w, ecs.QueryMade[struct {
			HP   *hp
			A, B ecs.Entity
		}](w)), []string{"2 fields for entities"}},
	} {
		for _, want := range x.want {
			if x.err == nil || !strings.Contains(x.err.Error(), want) {
				t.Errorf("%s: %v, want %q", x.what, x.err, want)
			}
		}
	}
}

// Tags of others do not matter, and each kind of field takes the words that it has a use for.
func TestTagsThatAreTaken(t *testing.T) {
	w := world(t, ecs.Options{})
	ecs.Register[hp](w, "hp")
	b := ecs.Register[b4](w, "b")
	ecs.Register[b16](w, "c")
	ecs.Register[frozen](w, "frozen")
	ecs.Provide(w, 1.5)
	ran := 0
	e := ok(ecs.SpawnerOf[struct {
		hp
		b16
	}](w).Spawn(struct {
		hp
		b16
	}{}))
	ecs.System(w, "all", func(c *struct {
		HP   ecs.Write[hp]       `json:"hp,omitempty" ashlar:"hp"  xml:"a b"`
		B    ecs.MaybeWrite[b4]  `ashlar:"b"`
		E    []ecs.Entity        `json:"e"`
		Has  ecs.Has             `ashlar:"b"`
		_    ecs.With[b16]       `ashlar:"c"`
		_    ecs.Without[frozen] `ashlar:"frozen"`
		P    *ecs.Pool[b4]       `ashlar:"b"`
		Look ecs.Look[b4]        `ashlar:"b"`
		Do   *ecs.Commands       `slate:"write"`
		Time ecs.WriteRes[float64]
	}) {
		ran++
		*c.Time.Mut() += 1
		if len(c.HP) != 1 || c.E[0] != e || c.Has.Has(0) != c.Look.Has(e) || c.P != b || *c.Time.Get() != 1.5+float64(ran) {
			t.Errorf("run %d: %+v", ran, c)
		}
		if v := c.Look.Get(e); ran == 2 && (v == nil || *v != c.B[0] || !c.Look.Enabled(e)) {
			t.Errorf("looks up %v, and the row has %v", v, c.B)
		}
	})
	for range 2 {
		ok(0, w.Run(t.Context()))
		b.Put(e, b4{7})
	}
	if ran != 2 {
		t.Errorf("%d calls", ran)
	}
	ecs.QueryMade[struct {
		HP ecs.WriteOne[hp]
		B  ecs.MaybeOne[b4]
		C  ecs.MaybeWriteOne[b16]
		E  ecs.Entity `a:"" ashla7ee:"x"`
	}](w)
	unmade := "nil pointer dereference" // as Pool.Get of nil: a test would not be inlined
	if arena.Checked {
		unmade = "Get of a Look that is nil or the zero value"
	}
	panics(t, unmade, func() { ecs.Look[hp]{}.Get(e) })
	panics(t, "Has of a Look that is nil", func() { ecs.Look[hp]{}.Has(e) })
}
