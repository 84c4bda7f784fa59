package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/profile"
	pprofile "github.com/google/pprof/profile"
)

// twice is the profile of these tests as that of two worlds.
func twice(t *testing.T) profile.Profile {
	t.Helper()
	level, err := profile.ReadFile(levelFile)
	if err != nil {
		t.Fatal(err)
	}
	menu := canonical(level)
	level.World, menu.World = "level", "menu"
	menu.Frames = 5
	return profile.Profile{Worlds: []profile.Profile{level, menu}}
}

// A report has a part for each world, as it has for a world alone.
func TestProfileOfWorlds(t *testing.T) {
	p := twice(t)
	var all bytes.Buffer
	if err := Profile(&all, p); err != nil {
		t.Fatal(err)
	}
	want := ""
	for i, w := range p.Worlds {
		var alone bytes.Buffer
		if err := Profile(&alone, w); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(alone.String(), "world "+w.World+": facts over ") {
			t.Errorf("alone:\n%s", alone.String())
		}
		if i > 0 {
			want += "\n"
		}
		want += alone.String()
	}
	if all.String() != want {
		t.Errorf("got\n%s\nwant\n%s", all.String(), want)
	}
	var none bytes.Buffer
	if err := Profile(&none, profile.Profile{World: "a", Components: []profile.Component{{Name: "c", Size: 4, Align: 4}}}); err != nil || none.String() != "world a: no facts\n\ncomponent  size  align\nc             4      4\n" {
		t.Errorf("%q, %v", none.String(), err)
	}
}

// Views are shown for each world. The legend stands once.
func TestViewsOfWorlds(t *testing.T) {
	var b bytes.Buffer
	if err := Views(&b, twice(t)); err != nil {
		t.Fatal(err)
	}
	for text, n := range map[string]int{
		"world level: shared components over 1200 frames": 1, "world menu: shared components over 5 frames": 1,
		"–: not known": 1,
	} {
		if got := strings.Count(b.String(), text); got != n {
			t.Errorf("%q is there %d times, and not %d, in\n%s", text, got, n, b.String())
		}
	}
}

// The accesses of worlds are apart.
func TestPprofOfWorlds(t *testing.T) {
	level, m := recorded()
	menu := canonical(level)
	level.World, menu.World, m.World = "level", "menu", "menu"
	p := PprofAccess(profile.Profile{Worlds: []profile.Profile{level, menu}})
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
		return root
	})
	if len(by) != 2 || !slices.Equal(by["world:level"], by["world:menu"]) || by["world:level"][0] == 0 {
		t.Errorf("%v", by)
	}
	if c := PprofMemory(m).Comments; !slices.Equal(c, []string{"world menu: ashlar memory at frame 10"}) {
		t.Errorf("%q", c)
	}
	if h := MapHeadline(m); !strings.HasPrefix(h, "world menu: frame 10: ") {
		t.Errorf("%q", h)
	}
}
