package profile

import (
	"reflect"
	"strings"
	"testing"
)

func TestLookups(t *testing.T) {
	const canonical = "ashlar profile 1\n\nframes 100 sampled 2\n\nlookup pos reads 7\nlookup pos by aim reads 4000 far 3000 contracts 50\nlookup vel by aim reads 0\n\nend\n"
	p := mustParse(t, canonical)
	if want := []Lookup{{Component: "pos", Reads: 7}, {"pos", "aim", 4000, 3000, 50}, {Component: "vel", System: "aim"}}; p.Sampled != 2 || !reflect.DeepEqual(p.Lookups, want) {
		t.Fatalf("%+v", p)
	}
	if got := written(t, p); got != canonical {
		t.Errorf("written:\n%s", got)
	}
	// Twice the frames of the same work.
	again := mustMerge(t, p, p)
	if again.Sampled != 4 || again.Lookups[1].Reads != 8000 || again.Lookups[1].Contracts != 100 || len(Diff(p, again)) > 0 {
		t.Errorf("%+v\n%+v", again, Diff(p, again))
	}
	again.Lookups[1].Reads = 4000
	if c := Diff(p, again); len(c) != 1 || c[0].subject != "lookup pos by aim" || c[0].Figures[0] != (Figure{"reads/frame", 40, 20}) {
		t.Errorf("%+v", c)
	}
	for text, want := range map[string]string{
		"lookup":                     "p:3:7: the component's name is missing; the form is: lookup COMPONENT [by SYSTEM] reads N [far N] [contracts N]",
		"lookup a by":                "p:3:12: the system's name is missing",
		`lookup a by "" reads 1`:     "p:3:13: a name is empty: give it one",
		"lookup a by s":              "p:3:14: missing: reads",
		"lookup a reads -1":          `p:3:16: "-1" is not a valid number of reads`,
		"lookup a by s by t reads 1": "p:3:15: by is stated twice",
		"lookup a reads 1\nlookup a by s reads 1\nlookup a reads 1": "p:5:1: line 3 states it already",
	} {
		_, err := Parse("p", strings.NewReader("ashlar profile 1\nframes 1 sampled 1\n"+text+"\nend\n"))
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	_, err := Parse("p", strings.NewReader("ashlar profile 1\nframes 1 sampled 2\nend\n"))
	if err == nil || !strings.Contains(err.Error(), "p:2:1: 2 of its 1 frames are sampled: there can't be more than all") {
		t.Errorf("%v", err)
	}
	if err := (Profile{Frames: 1, Lookups: []Lookup{{Component: "a", System: strings.Repeat("n", 1025), Reads: 1}}}).check(); err == nil || !strings.Contains(err.Error(), "a name has 1025 bytes") {
		t.Errorf("%v", err)
	}
	if !(Profile{Lookups: []Lookup{{Component: "a", Reads: 1}}}).hasFacts() || !(Profile{Sampled: 1}).hasFacts() {
		t.Error("it is taken for nothing")
	}
}
