package shared

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/views"
)

// What is recorded of choices is what trials have come to, once for a component, with how
// often kept values were not good.
func TestChoices(t *testing.T) {
	f := newFixture(t, Auto)
	r := f.read("mark", "X", "X")
	es := f.fill(5000)
	pass(r)
	if list := r.Choices(); len(list) != 0 {
		t.Errorf("on trial still: %+v", list)
	}
	s := r.served[0]
	for i := 0; s.cols[0].choice.Trying() || s.cols[1].choice.Trying(); i++ {
		if i > 100 {
			t.Fatal("a trial without end")
		}
		f.M.Advance()
		pass(r)
	}
	use := s.cols[0].choice.Use()
	list := r.Choices()
	if len(list) != 1 || list[0].Group != "marks" || list[0].Component != "place.X" || list[0].Use != use.String() || list[0].Frames == 0 || list[0].Costs == (profile.Costs{}) {
		t.Fatalf("%+v, in use: %v", list, use)
	}
	if s.cols[0].choice.Cost(views.Gathered) <= 0 {
		t.Errorf("streaming costs %v ns a row", s.cols[0].choice.Cost(views.Gathered))
	}
	for i := range s.cols {
		s.cols[i].choice = views.Start(views.Unset, views.Cached, s.cols[i].applies())
	}
	pass(r)
	was := r.Choices()[0]
	l, _ := f.place.Loc(es[7])
	for range 3 { // two walks of each are good
		f.place.Dir.CellOf(l).Stamp = f.M.Advance() + 1
		raw.As[[2]float64](f.place.At(l))[0]++
		f.M.Advance()
		for range 3 {
			pass(r)
		}
	}
	var chunks, near uint64 // near: with a value that lies beside the one that changed
	for id, n := range f.group(f.mark).seq.Chunks() {
		chunks++
		for _, e := range f.S.Entities(id, n) {
			if x, _ := f.place.Loc(e); x.Chunk() == l.Chunk() {
				near++
				break
			}
		}
	}
	if is := r.Choices()[0]; is.Chunks != was.Chunks+9*chunks || is.Stale != was.Stale+3*near || is.Frames != was.Frames+9 {
		t.Errorf("%+v, then %+v, of %d chunks", was, is, chunks)
	}
	if list := f.read("bell", "X").Choices(); len(list) != 0 {
		t.Errorf("one that never ran: %+v", list)
	}
}

// Each column has its own choice, and keeps it when others are given room.
func TestChoicesStayWithTheirColumns(t *testing.T) {
	f := newFixture(t, Auto)
	r := f.read("mark", "X", "X")
	f.fill(100)
	pass(r)
	s := r.served[0]
	s.cols[1].order = 0.5 // as a mark
	f.read("mark", "Y")
	pass(r)
	if len(s.cols) != 2 || s.cols[0].at != 1 || s.cols[1].at != 2 || s.cols[0].order == 0.5 || s.cols[1].order != 0.5 {
		t.Errorf("%+v", s.cols)
	}
}

// The owner's own column is a choice where it is asked for as a whole, without presence, and
// lies in long stretches.
func TestAliasApplies(t *testing.T) {
	f := newFixture(t, Auto)
	r := f.read("mark", "X", "place")
	es := f.fill(1000)
	pass(r)
	s := r.served[0]
	look := func(es []store.Entity) string {
		s.looked = 0
		s.look(es)
		return fmt.Sprint(s.cols[0].direct, s.cols[1].direct, s.cols[0].order == 1, s.cols[1].order == 1)
	}
	if got := look(es); got != "false true true true" {
		t.Errorf("in order: %s", got)
	}
	backwards := slices.Clone(es)
	slices.Reverse(backwards)
	if got := look(backwards); got != "false false false false" {
		t.Errorf("backwards: %s", got)
	}
	r.Presences = []source.Presence{{}}
	if got := look(es); got != "false false true true" {
		t.Errorf("with presence: %s", got)
	}
}

// What has come of a trial is forgotten once it does not apply any more.
func TestSettle(t *testing.T) {
	is := views.Start(views.Cached, views.Unset, views.SetOf(views.Cached, views.Gathered))
	x := tally{settled: views.Cached}
	if x.settle(is, is, views.SetOf(views.Cached)); x.settled != views.Cached {
		t.Errorf("%v, though it applies", x.settled)
	}
	if x.settle(is, is, views.SetOf(views.Gathered)); x.settled != views.Unset {
		t.Errorf("%v, which does not apply", x.settled)
	}
}

// The first walk tells a choice nothing of its rows: what changes between walks is not known yet.
func TestFirstWalk(t *testing.T) {
	f := newFixture(t, Auto)
	r := f.read("mark", "X")
	f.fill(100)
	pass(r)
	c := &r.served[0].cols[0]
	if want := views.Start(views.Unset, views.Unset, c.applies()); c.choice != want {
		t.Errorf("%+v, want %+v", c.choice, want)
	}
	f.M.Advance()
	was := c.choice
	if pass(r); c.choice == was {
		t.Error("nor does the second")
	}
}

// A choice that was made is told of each walk, so that another workload makes a trial due.
func TestAnotherWorkload(t *testing.T) {
	f := newFixture(t, Auto)
	r := f.read("mark", "X")
	f.fill(100)
	pass(r)
	s := r.served[0]
	c := &s.cols[0]
	for c.choice.Trying() {
		s.judge(100, 1, 1000)
	}
	for i := 0; !c.choice.Trying(); i++ {
		if s.judge(10_000, 1, 100_000); i > 1000 {
			t.Fatal("a hundred times the rows, and no trial")
		}
	}
}

// Between looks a walk tells the choices nothing. What it was is told with the next: how many
// walks there were and how many rows they had on average.
func TestJudgedNowAndThen(t *testing.T) {
	f := newFixture(t, Auto)
	f.read("mark", "X")
	r := f.read("mark", "X") // the second, which looks a frame earlier
	f.fill(100)
	pass(r)
	s := r.served[0]
	c := &s.cols[0]
	for c.choice.Trying() {
		s.judge(100, 1, 1000)
	}
	f.fill(2000) // few rows are looked at more seldom
	for f.Frame = 1; f.Frame < 6*LookEvery; f.Frame++ {
		was := c.choice
		rows := 100
		if f.Frame%2 == 0 {
			rows = 20_000 // so that the mean is what makes a trial due
		}
		s.judge(rows, 1, time.Duration(10*rows))
		if looks := (f.Frame+1)%LookEvery == 0; looks == (was == c.choice) {
			t.Fatalf("frame %d: the choice went on: %v", f.Frame, was != c.choice)
		}
	}
	for i := 0; !c.choice.Trying(); i++ {
		if f.Frame++; i > 3*LookEvery {
			t.Fatal("a hundred times the rows on average for 64 frames, and no trial")
		}
		s.judge(10_000, 1, 100_000)
	}
}
