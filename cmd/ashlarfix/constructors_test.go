package main

import "testing"

// Each error that was asked for is asked for still, in the scope where it was.
func TestConstructors(t *testing.T) {
	for _, x := range []struct{ before, after string }{
		{`w, err := ecs.New(o) // the world
	if err != nil {
		return err
	}
	p, err := ecs.Register[T](w, "p")
	use(p, err)`, `w := ecs.New(o)
	err := w.Err() // the world
	if err != nil {
		return err
	}
	p := ecs.Register[T](w, "p")
	err = w.Err()
	use(p, err)`},
		{`q, _ := ecs.QueryOf[struct{ V []T }](g.w)
	_, err = ecs.Provide(g.w, 1)
	_ = ecs.System(g.w, "s", f)`, `q := ecs.QueryOf[struct{ V []T }](g.w)
	ecs.Provide(g.w, 1)
	err = g.w.Err()
	ecs.System(g.w, "s", f)`},
		{`if err := ecs.System(w, "s", func(c *c) {
		p, err := ecs.Register[T](w, "p")
	}, ecs.After("x")); err != nil {
		n++
	} else {
		n--
	}`, `ecs.System(w, "s", func(c *c) {
		p := ecs.Register[T](w, "p")
		err := w.Err()
	}, ecs.After("x"))
	if err := w.Err(); err != nil {
		n++
	} else {
		n--
	}`},
		{`if p, err := ecs.Register[T](w, "p"); err == nil {
		use(p)
	}
	use(p)`, `{
		p := ecs.Register[T](w, "p")
		if err := w.Err(); err == nil {
			use(p)
		}
	}
	use(p)`},
		{`switch {
	case a:
		p, err := ecs.Register[T](w, "p")
	}
	var q, err = 1, nil
	g, err := ecs.GroupOf[T](w, "g", p)`, `switch {
	case a:
		p := ecs.Register[T](w, "p")
		err := w.Err()
	}
	var q, err = 1, nil
	g := ecs.GroupOf[T](w, "g", p)
	err = w.Err()`},
		{`w := must(ecs.New(o))
	p := must(ecs.Register[T](w, "p"))
	must(ecs.Provide(w, 1))
	check(ecs.System(w, "s", func(c *c) {
		q := must(ecs.QueryOf[T](w))
	}))`, `w := ecs.New(o)
	must(0, w.Err())
	p := ecs.Register[T](w, "p")
	must(0, w.Err())
	ecs.Provide(w, 1)
	must(0, w.Err())
	ecs.System(w, "s", func(c *c) {
		q := ecs.QueryOf[T](w)
		must(0, w.Err())
	})
	check(w.Err())`},
	} {
		const head, tail = "package p\n\nimport \"github.com/ashlar-go/ashlar/ecs\"\n\nfunc f() {\n\t", "\n}\n"
		got, err := rewrite("p.go", []byte(head+x.before+tail))
		if want := head + x.after + tail; err != nil || string(got) != want {
			t.Errorf("%v\n%s\nwant\n%s", err, got, want)
		}
	}
}

// A parameter or a named result is in the scope of the body.
func TestConstructorsOfResults(t *testing.T) {
	const before = "package p\n\nimport \"github.com/ashlar-go/ashlar/ecs\"\n\nfunc f(w *ecs.World) (err error) {\n\tp, err := ecs.Register[T](w, \"p\")\n\treturn err\n}\n"
	const after = "package p\n\nimport \"github.com/ashlar-go/ashlar/ecs\"\n\nfunc f(w *ecs.World) (err error) {\n\tp := ecs.Register[T](w, \"p\")\n\terr = w.Err()\n\treturn err\n}\n"
	if got, err := rewrite("p.go", []byte(before)); err != nil || string(got) != after {
		t.Errorf("%v\n%s", err, got)
	}
}

// Code that the pass can't decide on, and code of others, stays.
func TestConstructorsThatStay(t *testing.T) {
	for _, text := range []string{
		"package p\n\nimport \"github.com/ashlar-go/ashlar/ecs\"\n\nfunc f() error {\n\tp := must(ecs.Register[T](world(), \"p\"))\n\tfmt.Println(ecs.Provide(w, 1))\n\tfor range must(ecs.QueryOf[T](w)).All() {\n\t}\n\tq, err := ecs.Register[T](world(), \"q\")\n\tf, err := ecs.FieldOf[T](s)\n\tn, err := db.Select(\"a\")\n\treturn ecs.System(w, \"s\", f)\n}\n",
		"package p\n\nimport \"example.com/other/ecs\"\n\nfunc f() {\n\tw, err := ecs.New(1)\n}\n",
		"package p\n\nfunc f() {\n\tw, err := ecs.New(1)\n}\n",
		"package p\n\nimport \"github.com/ashlar-go/ashlar/ecs\"\n\nfunc f() {\n\tif a {\n\t} else if p, err := ecs.Register[T](w, \"p\"); err != nil {\n\t}\n}\n",
		"package p\n\nimport \"github.com/ashlar-go/ashlar/ecs\"\n\nfunc f() {\n\tif q, _ := ecs.QueryOf[T](w); q.Len() > 0 {\n\t}\n}\n",
	} {
		if got, err := rewrite("p.go", []byte(text)); err != nil || string(got) != text {
			t.Errorf("%v\n%s\nwant\n%s", err, got, text)
		}
	}
}
