package store

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/entities"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// broken is a store in which Check has to find the fault.
type broken struct {
	*Store
	fixed, opt, thin *Component // of the commons
	a, b, own        *Component // of a group; own is optional there
	moved            *Component // optional, then thin: one value has moved
	g                *Owner
	all, some        Entity // with all but moved; with fixed alone
	bare, dead       Entity
	early, late      Entity // have moved: thin by now, optional still
}

func newBroken(t *testing.T) *broken {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	s := &broken{Store: New(m, Options{MaxEntities: 1 << 16})}
	register := func(name string, way Way) *Component {
		c := new(Component)
		s.Register(c, name, chunk.Spec{Size: 8, Align: 8}, way, false)
		return c
	}
	s.fixed, s.opt, s.thin = register("fixed", Fixed), register("opt", Optional), register("thin", Thin)
	s.a, s.b, s.own, s.moved = register("a", Fixed), register("b", Fixed), register("own", Fixed), register("moved", Optional)
	s.g, err = s.Declare("g", []*Component{s.a, s.b}, []*Component{s.own})
	must(err)
	v := uint64(7)
	spawn := func(cs ...*Component) Entity {
		e, err := s.Spawn()
		must(err)
		for _, c := range cs {
			must(s.Add(c, e, raw.Of(&v)))
		}
		return e
	}
	s.all = spawn(s.fixed, s.opt, s.thin, s.a, s.b, s.own)
	s.some, s.bare, s.dead = spawn(s.fixed), spawn(), spawn()
	s.late, s.early = spawn(s.fixed, s.moved), spawn(s.fixed, s.moved)
	spawn(s.fixed, s.opt, s.a, s.b)
	must(s.Destroy(s.dead))
	s.Change(s.moved, Thin)
	if s.left = 1; s.changeOver(s.moved) || s.left > 0 {
		t.Fatal("more than one value has moved")
	}
	return s
}

func (s *broken) at(c *Component, e Entity) memmgr.Loc {
	l, _ := c.Loc(e)
	return l
}

// Each thing that Check proves is broken on purpose, and Check has to name it;
// without the damage it has nothing to say.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	opt := func(s *broken) *Opt { return s.tableAt(s.at(s.opt, s.all)).opt(s.opt) }
	for _, c := range []struct {
		name, want string
		harm       func(s *broken)
	}{
		{"nothing", "", func(*broken) {}},
		{"records", "entities: record 4 is free, and in no list", func(s *broken) { *s.ids.Common() = entities.Home{} }},
		{"a home that is no table's", "belongs to a home that no table has", func(s *broken) { _, _ = s.ids.Take(new(entities.Home)) }},
		{"a home word too many", `owner "": 6 entries for 5 rows`, func(s *broken) { s.Commons.words.set(s.bare.Index(), s.Commons.Home(s.some)) }},
		{"a home word too few", `whose entry says 0:0`, func(s *broken) { s.Commons.words.set(s.some.Index(), s.Commons.words.entry(s.some, 0)) }},
		{"a home word of another row", "whose entry says", func(s *broken) { s.Commons.words.set(s.some.Index(), word(s.some, s.at(s.fixed, s.all))) }},
		{"a home word of another version", "which is not alive", func(s *broken) {
			s.Commons.words.set(s.some.Index(), word(s.some+1<<VersionShift, s.at(s.fixed, s.some)))
		}},
		{"a group's word of another row", `table "g": row`, func(s *broken) { s.g.words.set(s.all.Index(), word(s.all, s.at(s.a, s.all).Plus(1))) }},
		{"a row of a dead entity", "which is not alive", func(s *broken) { s.putEntity(s.at(s.fixed, s.some), s.dead) }},
		{"a row of another entity", "whose entry says", func(s *broken) { s.putEntity(s.at(s.fixed, s.some), s.bare) }},
		{"a thin row of another entity", `table "thin/thin": row`, func(s *broken) { s.putEntity(s.at(s.thin, s.all), s.some) }},
		{"a thin word too many", `component "thin": 2 entries of thin rows, which are not as many`, func(s *broken) {
			s.thin.own.set(s.bare.Index(), word(s.bare, s.at(s.thin, s.all)))
		}},
		{"a count", `1 rows have "opt", and 2 are counted`, func(s *broken) { opt(s).Count++ }},
		{"a bit behind the rows", `of 2 rows has a bit of "opt" at row 5`, func(s *broken) { x := opt(s); x.Bits[0] |= 1 << 5; x.Count++ }},
		{"a thin component's own word is lost", `table "thin/thin": row`, func(s *broken) { s.thin.own.set(s.all.Index(), 0) }},
		{"a thin word of a dead entity", "has an entry that is not its entity's", func(s *broken) { s.thin.own.set(s.dead.Index(), word(s.dead, s.at(s.thin, s.all))) }},
		{"a thin word of another version", "has an entry that is not its entity's", func(s *broken) {
			s.thin.own.set(s.bare.Index(), word(s.bare+1<<VersionShift, s.at(s.thin, s.all)))
		}},
		{"a thin word for another row", `of table "g", and its value is at`, func(s *broken) { s.thin.own.set(s.bare.Index(), word(s.bare, s.at(s.a, s.all))) }},
		{"a value that is stored twice", `of table "thin/moved", and its value is at`, func(s *broken) {
			if l, _ := s.moved.Loc(s.late); s.tableAt(l) == s.moved.thin {
				s.late = s.early
			}
			v := uint64(7)
			if err := s.giveThin(s.moved, s.late, raw.Of(&v)); err != nil {
				t.Fatal(err)
			}
		}},
		{"a way that is out of date", "it is optional, and its flag plain, that all values are in fixed columns, is out of date: it is true", func(s *broken) { s.fixed.way = Optional }},
		{"a short way that is closed", "its short ways are out of date", func(s *broken) { s.thin.lone = false }},
		{"a short way that passes observers", "its short ways are out of date", func(s *broken) { s.thin.observed = true }},
		{"a short way that passes groups", "its short ways are out of date", func(s *broken) { s.fixed.watch = []*Owner{s.Commons} }},
		{"a way in which nothing is stored", "rows where it is optional", func(s *broken) { s.opt.way, s.opt.plain = Fixed, true }},
		{"entries that are nobody's", "its directory looks values up in other entries", func(s *broken) { s.fixed.Dir.SetEntries(s.g.words.flat) }},
		{"entries of a thin component", "its directory looks values up in other entries", func(s *broken) { s.thin.Dir.SetEntries(s.Commons.words.flat) }},
		{"a table whose rows are said to be followed by nothing", "follows a row, is out of date: it is true", func(s *broken) { s.g.Main.bare = true }},
		{"a table whose rows are said to be followed by something", "follows a row, is out of date: it is false", func(s *broken) { s.thin.thin.bare = false }},
		{"a table of another family", "is not in its family", func(s *broken) { s.g.Main.family = s.Commons.tables[0].family }},
		{"a table that its family has lost", "is not in its family", func(s *broken) { s.g.Main.family.tables = nil }},
		{"sets of an entity that is not among the others", "is not alive or not among the others", func(s *broken) { s.others.set(s.all.Index(), 0, false) }},
		{"a place that is lost", `1 indexes are said to have a row of "g", where 2 have`, func(s *broken) { s.g.Main.leave(s.all) }},
		{"a thin place that is lost", `0 indexes are said to have a row of "thin", where 1 have`, func(s *broken) { s.thin.thin.leave(s.all) }},
		{"a place too many", `is said to have a row of "g"`, func(s *broken) { s.g.Main.enter(s.bare) }},
		{"a thin place for an optional value", `is said to have a row of "moved"`, func(s *broken) { s.moved.thin.enter(s.late) }},
	} {
		s := newBroken(t)
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		c.harm(s)
		switch err := s.Check(); {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
		if err := s.manager.Close(); err != nil {
			t.Error(err)
		}
	}
}
