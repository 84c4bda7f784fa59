package profile

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// twoWorlds says the same names of two worlds, which mean different things there.
const twoWorlds = `ashlar profile 1

frames 10

component debris size 4 align 4

world level

frames 100

component turn size 8 align 8

group body owns turn rows 1000 chunks 100 peak 10 last 10

system move frames 100
access move body turn read rows 1000 chunks 100 bytes 8000
choice move body turn cached frames 9 chunks 0 stale 0

world "the UI"

frames 50

component turn size 2 align 2

group body owns turn rows 50 chunks 50 peak 1 last 1

system move frames 50
choice move body turn direct frames 9 chunks 0 stale 0

end
`

// partsByWorld is twoWorlds as a value.
func partsByWorld(t *testing.T) (every, level, ui Profile) {
	t.Helper()
	p := mustParse(t, twoWorlds)
	if p.World != "" || len(p.Worlds) != 2 {
		t.Fatalf("%+v", p)
	}
	every = p
	every.Worlds = nil
	return every, p.Worlds[0], p.Worlds[1]
}

func TestWorldsText(t *testing.T) {
	every, level, ui := partsByWorld(t)
	p := mustParse(t, twoWorlds)
	if got := written(t, p); got != twoWorlds {
		t.Errorf("written:\n%s", got)
	}
	if !reflect.DeepEqual(every, Profile{Frames: 10, Components: []Component{{"debris", 4, 4}}}) {
		t.Errorf("about every world: %+v", every)
	}
	if level.World != "level" || level.Frames != 100 || level.Components[0].Size != 8 {
		t.Errorf("about the level: %+v", level)
	}
	if ui.World != "the UI" || ui.Frames != 50 || ui.Components[0].Size != 2 || ui.Systems[0].Choices[0].Use != "direct" {
		t.Errorf("about the UI: %+v", ui)
	}
	if parts := p.byWorld(); !reflect.DeepEqual(parts, []Profile{every, level, ui}) {
		t.Errorf("%+v", parts)
	}
	for _, q := range []Profile{every, level, ui} {
		same(t, "of "+q.World, p.ofWorld(q.World), q)
		same(t, "alone", mustParse(t, written(t, q)), q)
	}
	if none := p.ofWorld("elsewhere"); none.hasFacts() || none.World != "elsewhere" {
		t.Errorf("%+v", none)
	}
	// Statements about one world alone, and about two without one about every world.
	if level.hasFacts() == false || !p.hasFacts() || !(Profile{Worlds: []Profile{ui}}).hasFacts() || (Profile{Worlds: []Profile{{World: "a"}}}).hasFacts() {
		t.Error("facts of a world are taken for nothing")
	}
	same(t, "one world", Profile{Worlds: []Profile{level}}.canonical(), level)
	same(t, "in another order", Profile{Worlds: []Profile{ui, level, every}}.canonical(), p)
	same(t, "within each other", Profile{World: "the UI", Frames: 50, Components: ui.Components, Groups: ui.Groups, Systems: ui.Systems, Worlds: []Profile{{Frames: every.Frames, Components: every.Components, Worlds: []Profile{level}}}}.canonical(), p)
}

// Each world's facts need frames, a system's accesses stand below it, and a world begins once.
func TestWorldsProblems(t *testing.T) {
	const head = "ashlar profile 1\n"
	for text, want := range map[string]string{
		"world":                               "p:2:6: the world's name is missing; the form is: world NAME",
		`world ""`:                            "p:2:7: a name is empty: give it one",
		"world a b":                           `p:2:9: unexpected "b"; the form is: world NAME`,
		"world a\nworld b\nframes 1\nworld a": "p:5:1: line 2 begins this world already: move what is below there",
		"world a\nframes 1\nframes 1":         "p:4:1: line 3 states it already",
		"frames 1\nworld a\nsystem s frames 1\nend":                                                               "p: world a: facts are sums over frames, and `frames` is not stated",
		"world a\nframes 1\nsystem s frames 1\nworld b\nframes 1\naccess s g c read rows 1 chunks 1 bytes 1\nend": `p:7:1: no line above states system "s"`,
		"world a\nframes 1\nsystem s frames 1\nworld b\n":                                                         "p:6: `end` is missing",
	} {
		_, err := Parse("p", strings.NewReader(head+text+"\n"))
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for _, tt := range []struct {
		p    Profile
		want string
	}{
		{Profile{World: strings.Repeat("n", 1025), Frames: 1}, "a name has 1025 bytes"},
		{Profile{Worlds: []Profile{{World: "a", Frames: 1}, {World: "a", Frames: 1}}}, "world a: frames: it is stated twice"},
		{Profile{Worlds: []Profile{{World: "a", Groups: []Group{{}}}}}, `world a: group "": a name is empty`},
	} {
		if err := tt.p.check(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
	// The same about two worlds is no repetition.
	if err := (Profile{Frames: 1, Worlds: []Profile{{World: "a", Frames: 1}}}).check(); err != nil {
		t.Error(err)
	}
}

// Statements about two worlds never contradict each other, and each is weighted by its
// own frames.
func TestWorldsMerge(t *testing.T) {
	every, level, ui := partsByWorld(t)
	p := mustParse(t, twoWorlds)
	same(t, "level·UI·every", mustMerge(t, mustMerge(t, level, ui), every), p)
	twice := mustMerge(t, p, level)
	if twice.ofWorld("level").Frames != 200 || twice.ofWorld("level").Groups[0].Rows != 2000 {
		t.Errorf("%+v", twice.ofWorld("level"))
	}
	same(t, "the UI", twice.ofWorld("the UI"), ui)
	other := level.canonical()
	other.Components[0].Size = 16
	_, err := Merge(p, other)
	if err == nil || !strings.Contains(err.Error(), "world level: component turn: one profile states `component turn size 8 align 8` and the other") {
		t.Errorf("%v", err)
	}
}

func TestWorldsDiff(t *testing.T) {
	p := mustParse(t, twoWorlds)
	longer := p.canonical() // the level ran for twice as long, and did the same
	longer.Worlds[0] = mustMerge(t, longer.Worlds[0], longer.Worlds[0])
	if c := Diff(p, longer); len(c) > 0 {
		t.Errorf("%+v", c)
	}
	other := p.canonical()
	other.Worlds[1].Groups[0].Rows = 100
	other.Worlds[1].Systems = append([]System{{Name: "blink", Frames: 50}}, other.Worlds[1].Systems...)
	var subjects []string
	for _, c := range Diff(p, other) {
		subjects = append(subjects, fmt.Sprint(c.subject, " ", c.Was == ""))
	}
	if want := []string{`world "the UI": group body false`, `world "the UI": system blink true`, `world "the UI": order of systems true`}; !reflect.DeepEqual(subjects, want) {
		t.Errorf("%q", subjects)
	}
}

// A new run takes the place of the facts of its worlds.
func TestWithFacts(t *testing.T) {
	p := mustParse(t, twoWorlds)
	run := Profile{World: "level", Frames: 3, Systems: []System{{Name: "new", Frames: 3}}}
	want := p.canonical()
	want.Worlds[0] = Profile{World: "level", Frames: 3, Systems: run.Systems}
	same(t, "the level's", p.WithFacts(run), want)
	run.World = ""
	want = p.canonical()
	want.Frames, want.Components, want.Systems = 3, nil, run.Systems
	same(t, "of a world without a name", p.WithFacts(run), want)
	same(t, "of nothing", p.WithFacts(Profile{}), p)
}

// A map is of one world, and belongs to a profile that has the facts of that world's run.
func TestMapOfAWorld(t *testing.T) {
	_, level, ui := partsByWorld(t)
	p := mustParse(t, twoWorlds)
	m := Map{World: "the UI", Frame: 50}
	path := t.TempDir() + "/two"
	if err := WriteRun(path, p, m); err != nil {
		t.Fatal(err)
	}
	back, err := ReadMap(path + MapSuffix)
	if err != nil || back.World != "the UI" || back.Of != ui.sum() || back.Of == level.sum() {
		t.Fatalf("%+v, %v", back, err)
	}
	merged := mustMerge(t, level, ui)
	for _, tt := range []struct {
		p    Profile
		want bool
	}{{p, true}, {ui, true}, {merged, true}, {level, false}, {mustMerge(t, p, ui), false}, {Profile{}, true}} {
		if got := back.Belongs(tt.p); got != tt.want {
			t.Errorf("it belongs: %v, to\n%s", got, written(t, tt.p))
		}
	}
	_, err = ParseMap("m", strings.NewReader("ashlar map 1\nworld a\nworld b\nend\n"))
	if err == nil || !strings.Contains(err.Error(), "m:3:1: line 2 states it already") {
		t.Errorf("%v", err)
	}
	if err := (Map{World: strings.Repeat("n", 1025)}).check(); err == nil || !strings.Contains(err.Error(), "a name has 1025 bytes") {
		t.Errorf("%v", err)
	}
	if sums := []uint64{level.sum(), ui.sum(), p.sum(), Profile{World: "b", Frames: 1}.sum(), Profile{World: "a", Frames: 1}.sum(), Profile{Frames: 1}.sum()}; func() bool {
		seen := map[uint64]bool{}
		for _, s := range sums {
			seen[s] = true
		}
		return len(seen) != len(sums)
	}() {
		t.Errorf("sums are not all different: %x", sums)
	}
}

// Each world's line stands between empty ones, whatever is above and below.
func TestWorldsAlone(t *testing.T) {
	const canonical = "ashlar profile 1\n\nworld a\n\nframes 1\n\nlookup x reads 1\n\nworld b\n\nframes 2\n\nend\n"
	if got := written(t, mustParse(t, canonical)); got != canonical {
		t.Errorf("written:\n%s", got)
	}
}

// Runs are the facts about each world. Without facts there is one run without any.
func TestRuns(t *testing.T) {
	every, level, ui := partsByWorld(t)
	if runs := mustParse(t, twoWorlds).Runs(); !reflect.DeepEqual(runs, []Profile{every, level, ui}) {
		t.Errorf("%+v", runs)
	}
	for _, p := range []Profile{{}, {World: "a"}, {Worlds: []Profile{{World: "a"}}}} {
		if runs := p.Runs(); !reflect.DeepEqual(runs, []Profile{{}}) {
			t.Errorf("%+v: %+v", p, runs)
		}
	}
}
