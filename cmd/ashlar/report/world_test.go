package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/profile"
	pprofile "github.com/google/pprof/profile"
)

// twice is the profile of these tests as that of two worlds, and a hint for every world.
func twice(t *testing.T) profile.Profile {
	t.Helper()
	level, err := profile.ReadFile(levelFile)
	if err != nil {
		t.Fatal(err)
	}
	menu := level.Canonical()
	level.World, menu.World = "level", "menu"
	menu.Frames, menu.Hints = 5, profile.Hints{}
	every := profile.Profile{Hints: profile.Hints{Views: []profile.View{{System: "move", Component: "velocity.X", Choice: "gathered"}}}}
	every.Worlds = []profile.Profile{level, menu}
	return every
}

// A report has a part for each world, as it has for a world alone.
func TestProfileOfWorlds(t *testing.T) {
	p := twice(t)
	var all bytes.Buffer
	if err := Profile(&all, p); err != nil {
		t.Fatal(err)
	}
	want := "\nhints\nview move velocity.X gathered\n"
	for _, w := range p.Worlds {
		var alone bytes.Buffer
		if err := Profile(&alone, w); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(alone.String(), "world "+w.World+": facts over ") {
			t.Errorf("alone:\n%s", alone.String())
		}
		want += "\n" + alone.String()
	}
	if all.String() != want {
		t.Errorf("got\n%s\nwant\n%s", all.String(), want)
	}
	var none bytes.Buffer
	if err := Profile(&none, profile.Profile{World: "a", Hints: profile.Hints{Off: true}}); err != nil || none.String() != "world a: no facts\n\nhints\noff\n" {
		t.Errorf("%q, %v", none.String(), err)
	}
}

// Hints for every world are shown for each. The legend stands once.
func TestViewsOfWorlds(t *testing.T) {
	var b bytes.Buffer
	if err := Views(&b, twice(t)); err != nil {
		t.Fatal(err)
	}
	for text, n := range map[string]int{
		"world level: shared components over 1200 frames": 1, "world menu: shared components over 5 frames": 1,
		"the hint asks for gathered": 2, "–: not known": 1,
	} {
		if got := strings.Count(b.String(), text); got != n {
			t.Errorf("%q is there %d times, and not %d, in\n%s", text, got, n, b.String())
		}
	}
}

// The accesses of worlds are apart, and a map splits its own world's.
func TestPprofOfWorlds(t *testing.T) {
	level, m := recorded()
	menu := level.Canonical()
	level.World, menu.World, m.World = "level", "menu", "menu"
	p := PprofAccess(profile.Profile{Worlds: []profile.Profile{level, menu}}, m)
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	if want := []string{"world level: ashlar access of 10 frames", "world menu: ashlar access of 10 frames"}; !slices.Equal(p.Comments, want) {
		t.Errorf("%q", p.Comments)
	}
	by := sums(p, func(s *pprofile.Sample) string {
		root := s.Location[len(s.Location)-1].Line[0].Function.Name
		if s.Label["world"][0] != strings.TrimPrefix(root, "world:") {
			t.Errorf("label %v below %s", s.Label["world"], root)
		}
		split := ""
		if len(s.Label["chunk"]) > 0 {
			split = " by chunk"
		}
		return root + split
	})
	if len(by) != 2 || !slices.Equal(by["world:level"], by["world:menu by chunk"]) || by["world:level"][0] == 0 {
		t.Errorf("%v", by)
	}
	if c := PprofMemory(m).Comments; !slices.Equal(c, []string{"world menu: ashlar memory at frame 10"}) {
		t.Errorf("%q", c)
	}
	if h := MapHeadline(m); !strings.HasPrefix(h, "world menu: frame 10: ") {
		t.Errorf("%q", h)
	}
}
