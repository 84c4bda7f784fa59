package plan

import (
	"slices"
	"strconv"
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
	if want := []wish{{pinned: true}, {}, {cold: true}, {hot: true}}; !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// A chunk takes the pages of each column, and in a block no more than its rows.
func TestTouched(t *testing.T) {
	for _, c := range []struct {
		page int
		rows uint32
		want uint64
	}{{0, 1, 16 << 10}, {4 << 10, 64, 16 << 10}, {4 << 10, 65, 20 << 10}, {16 << 10, 64, 64 << 10}, {4 << 10, 1000, 64 << 10}} {
		in := Placement{Page: c.page, Groups: []Group{group("a")}, Chunks: []Chunk{{Rows: c.rows}}}
		st := newState(&in, make([]wish, 1))
		if st.bytes != c.want {
			t.Errorf("%d rows, pages of %d: %d bytes, want %d", c.rows, c.page, st.bytes, c.want)
		}
		m := st.mark()
		st.intoBlock(0)
		if st.bytes != uint64(c.rows)*64 || st.copied != st.bytes {
			t.Errorf("%d rows in a block: %d bytes, %d copied", c.rows, st.bytes, st.copied)
		}
		if st.rollback(m); st.bytes != c.want || st.copied != 0 || st.free(Place{}) || st.inBlock[0] {
			t.Errorf("rolled back: %+v", st)
		}
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

// The name of a table says what it owns where the profile has no such group, and does not
// where it is cut.
func TestColumnsOfTables(t *testing.T) {
	p := profile.Profile{Groups: []profile.Group{{Name: "table/seed", Owns: []string{"seed", "mark"}}}}
	names := []string{"seed", "mark"}
	for i := range 40 {
		names = append(names, "component-"+strconv.Itoa(i))
	}
	for _, c := range names {
		p.Components = append(p.Components, profile.Component{Name: c, Size: 4, Align: 4})
	}
	for name, want := range map[string]int{
		"table/seed": 2, "table/mark~seed": 2, "thin/mark": 1, "table/mark+gone": 0, "mark": 0, profile.TableName{Fixed: names}.String(): 0,
	} {
		if got := shapesOf(&p).columns(name); len(got) != want {
			t.Errorf("%s has columns %v, want %d", name, got, want)
		}
	}
}
