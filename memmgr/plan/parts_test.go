package plan

import (
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/profile"
)

func TestPays(t *testing.T) {
	for _, c := range []struct {
		gives, copies uint64
		want          bool
	}{{0, 0, false}, {100, 100, true}, {100, 101, false}, {100, 0, true}} {
		if got := pays(c.gives, c.copies); got != c.want {
			t.Errorf("%d for %d: %v", c.gives, c.copies, got)
		}
	}
}

// Cold is what intent says: a group that no recorded system used is not.
func TestWishes(t *testing.T) {
	p := swept("apples")
	p.Frames, p.Systems[0].Frames = 1e6, 1e6
	p.Groups = append(p.Groups, profile.Group{Name: "bees", Rows: 1e6})
	p.Intent = profile.Intent{
		Heat:   []profile.Heat{{Group: "cats", Cold: true}, {Group: "dogs"}, {Group: "nobody", Cold: true}},
		Pinned: []string{"apples", "nobody"},
	}
	got := wishes(&p.Intent, []Group{group("apples"), group("bees"), group("cats"), group("dogs")})
	if want := []wish{{pinned: true}, {}, {cold: true}, {}}; !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestShare(t *testing.T) {
	for _, c := range []struct{ n, part, whole, want uint64 }{
		{10, 1, 2, 5}, {1000, 3, 4, 750}, {1, 1, 0, 0}, {1 << 60, 1 << 60, 1 << 60, sumMax}, {1 << 40, 1 << 40, 1 << 41, 1 << 39}, {^uint64(0), ^uint64(0), 1, sumMax},
	} {
		if got := share(c.n, c.part, c.whole); got != c.want {
			t.Errorf("share(%d, %d, %d) = %d, want %d", c.n, c.part, c.whole, got, c.want)
		}
	}
}

func TestUnknown(t *testing.T) {
	p := swept("apples")
	p.Intent = profile.Intent{
		Every:    []profile.Every{{System: "s0", Frames: 2}, {System: "who", Frames: 2}},
		Together: [][]string{{"apples.c", "mark", "pears.c"}},
		Heat:     []profile.Heat{{Group: "apples"}, {Group: "pears"}},
		Pinned:   []string{"pears"},
	}
	if n := Unknown(&p, []Group{group("apples"), group("table/mark")}); n != 4 {
		t.Errorf("%d unknown names, want 4", n)
	}
	if n := Unknown(&p, []Group{group("apples"), group("table/seed~mark"), group("thin/pears.c")}); n != 3 {
		t.Errorf("%d unknown names, want 3", n)
	}
}
