package ecs_test

import (
	"strings"
	"testing"

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
		{"a key with a letter changed", refusal(w, ecs.QueryOf[struct {
			HP []hp `ashler:"write"`
		}](w)), []string{`field HP []ecs_test.hp`, `the tag's key is "ashler"`, "ashlar is meant, as in `ashlar:\"write\"`"}},
		{"two letters the other way round", refusal(w, ecs.QueryOf[struct {
			HP []hp `json:"x" ahslar:"write"`
		}](w)), []string{`key is "ahslar"`, "`ashlar:\"write\"`"}},
		{"a letter too few", refusal(w, ecs.QueryOf[struct {
			HP []hp `ashla:"write"`
		}](w)), []string{`key is "ashla"`}},
		{"a letter too many", refusal(w, ecs.QueryOf[struct {
			HP []hp `ashlars:"write"`
		}](w)), []string{`key is "ashlars"`}},
		{"the name of the package", refusal(w, ecs.QueryOf[struct {
			HP []hp `json:"hp" ecs:"write"`
		}](w)), []string{`key is "ecs"`, "`ashlar:\"write\"`"}},
		{"a capital", systemRefusal(w, "s", func(*struct {
			HP []hp `Ashlar:"write"`
		}) {
		}), []string{`system "s"`, `key is "Ashlar"`}},
		{"twice", refusal(w, ecs.QueryOf[struct {
			HP []hp `ashlar:"write" ashlar:"optional"`
		}](w)), []string{"has the key ashlar twice", `ashlar:"write,optional"`}},
		{"in a struct of values", refusal(w, ecs.GroupOf[struct {
			HP hp `ashler:"optional"`
		}](w, "g")), []string{`group "g"`, `key is "ashler"`}},

		{"a word twice", refusal(w, ecs.QueryOf[struct {
			HP []hp `ashlar:"write,write"`
		}](w)), []string{"says write twice", "`ashlar:\"write\"`"}},
		{"another word twice", refusal(w, ecs.QueryOf[struct {
			HP []hp
			B  []b4 `ashlar:"optional,b,optional"`
		}](w)), []string{"says optional twice", "`ashlar:\"optional,b\"`"}},
		{"rows twice", refusal(w, ecs.QueryOf[struct {
			_ ecs.Added[hp] `ashlar:"rows,rows"`
		}](w)), []string{"says rows twice"}},
		{"a name twice", refusal(w, ecs.QueryOf[struct {
			HP []hp `ashlar:"hp,hp"`
		}](w)), []string{"says hp twice", "`ashlar:\"hp\"`"}},
		{"commas alone", refusal(w, ecs.QueryOf[struct {
			HP []hp `ashlar:",,"`
		}](w)), []string{"no word before or behind a comma", "leave the tag out"}},
		{"a comma in the end", refusal(w, ecs.QueryOf[struct {
			HP []hp `ashlar:"write,"`
		}](w)), []string{"no word before or behind a comma", "`ashlar:\"write\"`"}},
		{"a comma too many, of values", refusal(w, ecs.GroupOf[struct {
			HP hp `ashlar:"hp,,optional"`
		}](w, "g2")), []string{"no word before or behind a comma", "`ashlar:\"hp,optional\"`"}},

		{"With is written", refusal(w, ecs.QueryOf[struct {
			HP []hp
			_  ecs.With[b4] `ashlar:"write"`
		}](w)), []string{"says write", "ecs.With gives no values"}},
		{"With is optional", refusal(w, ecs.QueryOf[struct {
			HP []hp
			_  ecs.With[b4] `ashlar:"b,optional"`
		}](w)), []string{"says optional", "ecs.With gives no values"}},
		{"Without is written", refusal(w, ecs.QueryOf[struct {
			HP []hp
			_  ecs.Without[b4] `ashlar:"write"`
		}](w)), []string{"says write", "ecs.Without excludes"}},
		{"Without is optional", refusal(w, ecs.QueryOf[struct {
			HP []hp
			_  ecs.Without[b4] `ashlar:"optional"`
		}](w)), []string{"says optional", "ecs.Without excludes"}},
		{"entities are written", refusal(w, ecs.QueryOf[struct {
			HP []hp
			E  []ecs.Entity `ashlar:"write"`
		}](w)), []string{"says write", "gets the entities of the rows"}},
		{"an entity is optional", refusal(w, ecs.QueryOf[struct {
			HP *hp
			E  ecs.Entity `ashlar:"optional"`
		}](w)), []string{"says optional", "gets the entities of the rows"}},
		{"entities of a name", refusal(w, ecs.QueryOf[struct {
			HP []hp
			E  []ecs.Entity `ashlar:"hp"`
		}](w)), []string{`says "hp"`, "gets the entities of the rows"}},
		{"Presence is written", refusal(w, ecs.QueryOf[struct {
			HP  []hp
			B   []b4    `ashlar:"optional"`
			Has ecs.Has `ashlar:"b,write"`
		}](w)), []string{"says write", "ecs.Has tells which rows"}},
		{"Presence is optional", refusal(w, ecs.QueryOf[struct {
			HP  []hp
			B   []b4    `ashlar:"optional"`
			Has ecs.Has `ashlar:"b,optional"`
		}](w)), []string{"says optional", "ecs.Has tells which rows"}},
		{"a pool is written", refusal(w, ecs.QueryOf[struct {
			HP []hp
			P  *ecs.Pool[b4] `ashlar:"write"`
		}](w)), []string{"says write", "*ecs.Pool reads and writes"}},
		{"a pool is optional", refusal(w, ecs.QueryOf[struct {
			HP []hp
			P  *ecs.Pool[b4] `ashlar:"b,optional"`
		}](w)), []string{"says optional", "*ecs.Pool reads and writes"}},
		{"commands are written", systemRefusal(w, "s", func(*struct {
			Do *ecs.Commands `ashlar:"write"`
		}) {
		}), []string{"says write", "*ecs.Commands takes any change"}},
		{"commands of a name", systemRefusal(w, "s", func(*struct {
			Do *ecs.Commands `ashlar:"b"`
		}) {
		}), []string{`says "b"`, "*ecs.Commands takes any change"}},
		{"a resource is optional", systemRefusal(w, "s", func(*struct {
			F ecs.Res[frozen] `ashlar:"write,optional"`
		}) {
		}), []string{"says optional", "may say write, and nothing else"}},
		{"a resource of a name", systemRefusal(w, "s", func(*struct {
			F ecs.Res[frozen] `ashlar:"f"`
		}) {
		}), []string{`says "f"`, "may say write, and nothing else"}},

		{"a pointer to a resource", refusal(w, ecs.QueryOf[struct {
			HP *hp
			F  *ecs.Res[frozen]
		}](w)), []string{"is a pointer", "of type ecs.Res["}},
		{"a pointer to a filter", refusal(w, ecs.QueryOf[struct {
			HP *hp
			_  *ecs.Without[b4]
		}](w)), []string{"is a pointer", "of type ecs.Without["}},
		{"a pointer to presence", refusal(w, ecs.QueryOf[struct {
			HP *hp
			P  *ecs.Has `ashlar:"b"`
		}](w)), []string{"is a pointer", "of type ecs.Has"}},
		{"rows are written", refusal(w, ecs.QueryOf[struct {
			HP []hp
			R  ecs.Rows `ashlar:"write"`
		}](w)), []string{"says write", "ecs.Rows gets the numbers"}},
		{"single rows of With", refusal(w, ecs.QueryOf[struct {
			_ ecs.With[hp] `ashlar:"rows"`
		}](w)), []string{"says rows", "ecs.Changed or ecs.Added can ask"}},
		{"single rows of a value", refusal(w, ecs.SpawnerOf[struct {
			HP hp `ashlar:"rows"`
		}](w)), []string{"says rows", "values to spawn from"}},
		{"a pointer to rows", refusal(w, ecs.QueryOf[struct {
			HP *hp
			R  *ecs.Rows
		}](w)), []string{"is a pointer", "of type ecs.Rows"}},
		{"rows twice", refusal(w, ecs.QueryOf[struct {
			HP   []hp
			R, S ecs.Rows
		}](w)), []string{"2 for Rows", "keep at most one of each"}},
		{"entities twice", refusal(w, ecs.QueryOf[struct {
			HP   []hp
			A, B []ecs.Entity
		}](w)), []string{"2 fields for entities"}},
		{"an entity twice", refusal(w, ecs.QueryOf[struct {
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

// Tags of others do not matter, and each kind of field takes what it has a use for.
func TestTagsThatAreTaken(t *testing.T) {
	w := world(t, ecs.Options{})
	ecs.Register[hp](w, "hp")
	ecs.Register[b4](w, "b")
	ecs.Register[b16](w, "c")
	ecs.Register[frozen](w, "frozen")
	ecs.Provide(w, 1.5)
	ecs.System(w, "all", func(*struct {
		HP   []hp                `json:"hp,omitempty" ashlar:"hp,write"  xml:"a b"`
		B    []b4                `ashlar:"write,optional"`
		E    []ecs.Entity        `json:"e"`
		Has  ecs.Has             `ashlar:"b"`
		_    ecs.With[b16]       `ashlar:"c"`
		_    ecs.Without[frozen] `ashlar:"frozen"`
		P    *ecs.Pool[b4]       `ashlar:"b"`
		Do   *ecs.Commands       `slate:"write"`
		Time ecs.Res[float64]    `ashlar:"write"`
	}) {
	})
	ecs.QueryOf[struct {
		HP *hp        `ashlar:"write"`
		E  ecs.Entity `a:"" ashla7ee:"x"`
	}](w)
}
