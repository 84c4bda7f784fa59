package layout_test

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/profile/layout"
)

const village = `ashlar layout 1
# The village, by hand.

stored poison volatile
apart lights          # for the renderer
rows table/person+at 2000000  # advised: 1900000 at most
sort person by at.House every 600
cold debris
view render transform.Pos cached
near table/a "table/b c"

world menu

stored poison thin
`

func parsed(t *testing.T, text string) layout.Layout {
	t.Helper()
	l, err := layout.Parse("v.layout", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestParse(t *testing.T) {
	l := parsed(t, village)
	want := []layout.Statement{
		{Word: layout.Stored, Name: "poison", Way: "volatile", Line: 4},
		{Word: layout.Apart, Name: "lights", Why: "for the renderer", Line: 5},
		{Word: layout.Rows, Name: "table/person+at", N: 2000000, Why: "advised: 1900000 at most", Line: 6},
		{Word: layout.Sort, Name: "person", With: "at.House", N: 600, Line: 7},
		{Word: layout.Cold, Name: "debris", Line: 8},
		{Word: layout.View, Name: "render", With: "transform.Pos", Way: "cached", Line: 9},
		{Word: layout.Near, Name: "table/a", With: "table/b c", Line: 10},
		{World: "menu", Word: layout.Stored, Name: "poison", Way: "thin", Line: 14},
	}
	if len(l.Statements) != len(want) {
		t.Fatalf("%+v", l)
	}
	for i, s := range l.Statements {
		if s != want[i] {
			t.Errorf("%+v, want %+v", s, want[i])
		}
	}
	if s, ok := l.In("menu").Find(layout.Stored, "poison"); !ok || s.Way != "thin" {
		t.Errorf("in the menu: %+v", s)
	}
	if s, ok := l.In("").Find(layout.Stored, "poison"); !ok || s.Way != "volatile" || len(l.In("").Statements) != 7 || len(l.In("menu").Statements) != 7 {
		t.Errorf("elsewhere: %+v", s)
	}
	if _, ok := l.Find(layout.Cold, "lights"); ok {
		t.Error("another statement is found")
	}
}

// Everything that is wrong is said at once, with line and column.
func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                                     "v.layout",
		"ashlar profile 1\n":                                   "v.layout:1:8: the file is an ashlar profile, not a layout",
		"ashlar layout 2\n":                                    "v.layout:1:15: the file has version 2",
		"ashlar layout 1\nhot a":                               `v.layout:2:1: "hot" is not a statement: a line begins with stored, apart, rows, sort, cold, view, near, world or end`,
		"ashlar layout 1\ncold":                                "v.layout:2:5: the group's name is missing; the form is: cold GROUP",
		"ashlar layout 1\nstored a x":                          "v.layout:2:10: unexpected \"x\": the way is one of stable, volatile, ordered, thin",
		"ashlar layout 1\nrows a 0":                            "v.layout:2:1: its number of rows is 0: state 1 or more",
		"ashlar layout 1\nrows a -1":                           `v.layout:2:8: "-1" is not a valid number of rows`,
		"ashlar layout 1\nsort a by b":                         "v.layout:2:12: missing: every",
		"ashlar layout 1\nsort a by b every 0":                 "v.layout:2:1: its number of frames is 0: state 1 or more",
		"ashlar layout 1\nnear a a":                            "v.layout:2:1: a can't lie beside itself",
		"ashlar layout 1\nview s c hot":                        "v.layout:2:10: unexpected \"hot\": the choice is one of direct, gathered, cached, none",
		"ashlar layout 1\ncold a\ncold a":                      "v.layout:3:1: line 2 states it already",
		"ashlar layout 1\nstored a thin\nstored a stable":      "v.layout:3:1: line 2 states it already",
		"ashlar layout 1\nworld a\nworld a":                    "v.layout:3:1: line 2 begins this world already",
		"ashlar layout 1\ncold\x00":                            "v.layout:2:5: byte 0x00 is not valid text",
		"ashlar layout 1\ncold a\nhot\nstored\nrows a b c d\n": "v.layout:4:7: the component's name is missing",
	} {
		_, err := layout.Parse("v.layout", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for _, good := range []string{"ashlar layout 1", "ashlar layout 1\ncold a\nworld b\ncold a\n", "# c\nashlar layout 1 # d\nend\n"} {
		if _, err := layout.Parse("v.layout", []byte(good)); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
}

// A hash is of statements: neither order nor comments count, and everything else does.
func TestHash(t *testing.T) {
	of := func(lines ...string) string {
		return parsed(t, "ashlar layout 1\n"+strings.Join(lines, "\n")).Hash()
	}
	if got := of(); got != "" {
		t.Errorf("nothing stated: %q", got)
	}
	want := of("cold a", "stored b thin")
	if got := of("stored   b thin # why", "", "cold \"a\""); got != want || len(want) != 16 {
		t.Errorf("%q, want %q", got, want)
	}
	for _, other := range []string{of("cold a"), of("cold a", "stored b stable"), of("cold b", "stored b thin"), of("cold a", "world w", "stored b thin"), of("cold a", "stored b thin", "apart c")} {
		if other == want {
			t.Error("other statements have the same hash")
		}
	}
}

// Earlier advice is replaced. Lines of a person stay as they are, and refuted statements do not come back.
func TestRevise(t *testing.T) {
	old := strings.Replace(village, "cold debris\n", "# refuted: 1.040 frame in game: cold debris\n", 1)
	got := layout.Revise(old, []layout.Statement{
		{Word: layout.Cold, Name: "debris", Why: layout.Advised + "nobody reads it"},
		{Word: layout.Cold, Name: "bees", Why: layout.Advised + "nobody\nreads  them"},
		{Word: layout.Stored, Name: "fire", Way: "ordered", Why: layout.Advised + "often"},
		{Word: layout.Stored, Name: "poison", Way: "stable", Why: layout.Advised + "never"},
		{World: "menu", Word: layout.Apart, Name: "keys"},
		{World: "the end", Word: layout.Cold, Name: "x"},
	})
	const want = `ashlar layout 1
# The village, by hand.

stored poison volatile
apart lights          # for the renderer
sort person by at.House every 600
# refuted: 1.040 frame in game: cold debris
view render transform.Pos cached
near table/a "table/b c"
stored fire ordered  # advised: often

cold bees  # advised: nobody reads them

world menu

stored poison thin
apart keys

world "the end"

cold x
`
	if got != want {
		t.Errorf("got\n%s", got)
	}
	if again := layout.Revise(got, []layout.Statement{
		{Word: layout.Stored, Name: "fire", Way: "ordered", Why: layout.Advised + "often"},
		{Word: layout.Cold, Name: "bees", Why: layout.Advised + "nobody reads them"},
	}); parsed(t, again).Hash() != parsed(t, got).Hash() {
		t.Errorf("the same advice gives another layout:\n%s", again)
	}
	if got := layout.Revise(want, nil); strings.Contains(got, "advised") || !strings.Contains(got, "apart keys") {
		t.Errorf("without advice:\n%s", got)
	}
}

func TestString(t *testing.T) {
	l := parsed(t, village)
	again := parsed(t, l.String())
	if again.Hash() != l.Hash() || len(again.Statements) != len(l.Statements) {
		t.Errorf("%s", l)
	}
	if got := (layout.Layout{}).String(); got != "ashlar layout 1\n" {
		t.Errorf("%q", got)
	}
}

func TestRefute(t *testing.T) {
	l := parsed(t, village)
	text := village
	for _, s := range l.Statements {
		text = layout.Refute(text, s, "1.04: slower")
	}
	if left := parsed(t, text); len(left.Statements) != 0 {
		t.Errorf("%d are in force still", len(left.Statements))
	}
	if !strings.Contains(text, "\n# refuted: 1.04 slower: cold debris\n") || !strings.Contains(text, "# The village, by hand.\n") {
		t.Errorf("%s", text)
	}
	if got := layout.Revise(text, l.Statements); got != text {
		t.Errorf("refuted statements are back:\n%s", got)
	}
	if got := layout.Refute(village, layout.Statement{Word: layout.Cold, Name: "x", Line: 99}, "slow"); got != village {
		t.Error("a statement that is not in the text changes it")
	}
}

func TestMissing(t *testing.T) {
	l := parsed(t, village)
	shape := layout.Shape{Systems: []string{"render"}, Groups: []string{"lights", "debris"}, Components: []string{"poison", "person", "at", "transform", "a"}}
	list, err := l.In("").Missing(shape)
	if len(list) != 1 || list[0].Word != layout.Near || err == nil || !strings.Contains(err.Error(), `v.layout:10: near table/a "table/b c": the program has no such group`) {
		t.Errorf("%v, %v", list, err)
	}
	list, err = l.In("").Missing(layout.Shape{})
	if len(list) != 7 || err == nil {
		t.Errorf("a program without names lacks %d", len(list))
	}
	for line, missing := range map[string]bool{
		"sort lights by at.House.Door every 1": false, "sort lights by house every 1": true, "sort nobody by at every 1": true,
		"view render nobody.X cached": true, "view ghost at cached": true, "cold table/lights/at": false, "cold table/ghosts/at": true,
		"rows table/at~poison 5": false, "rows table/at~nobody 5": true, "cold thin/at": false, "apart debris": false, "apart at": true, "stored lights thin": true,
	} {
		list, err := parsed(t, "ashlar layout 1\n"+line).Missing(shape)
		if (len(list) == 1) != missing || (err != nil) != missing {
			t.Errorf("%s: missing %v, %v", line, list, err)
		}
	}
}

// Any bytes are a layout or an error with a place. A layout is written and read again the same, and revising
// it with its own statements changes nothing.
func FuzzParse(f *testing.F) {
	f.Add([]byte(village))
	f.Add([]byte("ashlar layout 1\ncold \"a # b\" # \"c\nworld \"\\u00e9\"\nrows x 3\n"))
	f.Add([]byte("ashlar layout 1\n# refuted: a: cold b\n#refuted\nsort a every 3 by b\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := layout.Parse("l", text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "l:") && !strings.Contains(err.Error(), "l") {
				t.Errorf("an error without a place: %v", err)
			}
			return
		}
		again, err := layout.Parse("again", []byte(l.String()))
		if err != nil {
			t.Fatalf("%v\n%s", err, l)
		}
		if again.Hash() != l.Hash() {
			t.Fatalf("read\n%+v\nwrote\n%s", l.Statements, l)
		}
		for _, s := range l.Statements {
			if s.Line < 1 {
				t.Fatalf("%+v has no line", s)
			}
		}
		revised, err := layout.Parse("revised", []byte(layout.Revise(string(text), l.Statements)))
		if err != nil || revised.Hash() != l.Hash() {
			t.Fatalf("%v\n%s\nwas\n%s", err, layout.Revise(string(text), l.Statements), text)
		}
	})
}
