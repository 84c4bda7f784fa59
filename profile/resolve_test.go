package profile

import (
	"strings"
	"testing"
)

const resolvable = `ashlar profile 1
frames 10
cold body
cold gone
pin gone
pin table/gone
pin table/velocity
view move transform.Position.X cached
view move gone.Position cached
view gone transform cached
component gone size 8 align 8
group gone owns gone rows 10 chunks 10 peak 1 last 1
system move frames 10
access move gone position read rows 10 chunks 10 bytes 100
choice move body transform.Position cached frames 9 chunks 9 stale 1
choice move gone transform cached frames 9 chunks 9 stale 1
choice move table/velocity gone cached frames 9 chunks 9 stale 1
system gone frames 10
choice gone body transform cached frames 9 chunks 9 stale 1
end
`

func running() Shape {
	return Shape{Systems: []string{"move"}, Groups: []string{"body"}, Components: []string{"position", "velocity", "transform"}}
}

// A program acts on statements that name its own systems, groups and components. Other facts are
// not acted on, so nothing is said of them.
func TestResolve(t *testing.T) {
	before := mustParse(t, resolvable)
	p, dropped, err := Resolve(before, running())
	const want = `ashlar profile 1

cold body
pin table/velocity
view move transform.Position.X cached
`
	if got := written(t, p); got != want {
		t.Errorf("got\n%s", got)
	}
	if dropped != 5 {
		t.Errorf("%d dropped: %v", dropped, err)
	}
	for _, want := range []string{
		"cold gone: the program has no such group: take the statement out", "pin table/gone: the program has no such group",
		"view move gone.Position: the program has no such component", "view gone transform: ",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in\n%v", want, err)
		}
	}
	same(t, "the profile, and as it was", before, mustParse(t, resolvable))
}

// Of a profile of its own a program drops nothing, and of a foreign one all.
func TestResolveOwnShape(t *testing.T) {
	r := seeded(t)
	for range 200 {
		p := inventWorld(r, steady)
		p.World = []string{"", "level"}[r.IntN(2)]
		var s Shape
		for i := range 5 {
			n := string(rune('0' + i))
			s.Systems, s.Groups, s.Components = append(s.Systems, "s"+n), append(s.Groups, "g,"+n), append(s.Components, "c"+n)
		}
		q, dropped, err := Resolve(p, s)
		if dropped != 0 || err != nil {
			t.Fatal(dropped, err)
		}
		same(t, "resolved", q.Canonical(), actsOn(p))
		none, _, _ := Resolve(p, Shape{})
		if h := none.Hints; len(h.Cold)+len(h.Pinned)+len(h.Views) > 0 || len(none.Systems) > 0 {
			t.Fatalf("%+v", none)
		}
	}
}

// A profile's statements about a table are about any program that has its components, and its group.
func TestResolveTables(t *testing.T) {
	s := Shape{Groups: []string{"body"}, Components: []string{"pos", "vel", "ill"}}
	for name, ok := range map[string]bool{
		"table/ill": true, "table/pos+vel~ill": true, "table/~ill": true, "thin/ill": true, "table/body/vel": true, "body": true,
		"thin/gone": false, "table/pos+gone": false, "table/pos~gone": false, "table/head/vel": false, "table/body/gone": false, "table/body": false, "tables/ill": false,
	} {
		p, dropped, err := Resolve(Profile{Hints: Hints{Pinned: []string{name}}}, s)
		if len(p.Hints.Pinned) == 1 != ok || dropped == 0 != ok || (err == nil) != ok {
			t.Errorf("pin %s: %+v, %v", name, p.Hints, dropped)
		}
	}
}
