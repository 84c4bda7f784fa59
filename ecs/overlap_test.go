package ecs_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Two components of a type are two parts, but for a group that owns one of that type.
func TestOverlappingPartsOfGroups(t *testing.T) {
	w := world(t, ecs.Options{})
	ok(ecs.Register[b16](w, "a"))
	ok(ecs.Register[b16](w, "b"))
	ok(ecs.Register[b16](w, "c"))
	g := ok(ecs.GroupOf[struct {
		C b16 `ashlar:"c"`
	}](w, "g"))
	type both struct {
		To   []b16 `ashlar:"a,write"`
		From []b16 `ashlar:"b"`
	}
	ok(0, ecs.System(w, "apart", func(*both) {}))
	err := ecs.System(w, "over", func(*both) {}, ecs.OnlyIn(g))
	for _, want := range []string{`system "over"`, `in group "g"`, "To (c, written)", "From (c)", "name the larger part once"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
}

// A component of which a system has a field is not written meanwhile by a query within the system.
func TestWritesWithinAreRefused(t *testing.T) {
	w, _, _, es := scene(t, 50)
	type look struct {
		Spr []sprite
		At  []vec3 `ashlar:"transform.At"`
	}
	type push struct {
		At []transform `ashlar:"write"`
	}
	type one struct {
		At *vec3 `ashlar:"transform.At,write"`
	}
	all, single := ok(ecs.QueryOf[push](w)), ok(ecs.QueryOf[one](w))
	within := ""
	ok(0, ecs.System(w, "look", func(*look) {
		switch within {
		case "all":
			for range all.All() {
			}
		case "one":
			single.Get(es[0])
		}
	}))
	run := func() (text string) {
		defer func() {
			if r := recover(); r != nil {
				text = r.(string)
			}
		}()
		ok(0, w.Run(t.Context()))
		return ""
	}
	for _, within = range []string{"", "all", "one"} {
		text := run()
		if err := w.Run(t.Context()); within != "" != errors.Is(err, ecs.ErrAbandoned) {
			t.Errorf("%q, the next Run: %v", within, err)
		}
		if within == "" != (text == "") || text != "" && (!strings.Contains(text, `"transform" is written by handle or by a query within`) || !strings.Contains(text, "look goes over copies of its field At")) {
			t.Errorf("%q: %s", within, text)
		}
	}
}
