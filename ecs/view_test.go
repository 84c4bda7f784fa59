package ecs_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
)

// stage is a world in which transforms are read by two systems over sprites and by one
// over sounds, and each compares its values with Get.
type stage struct {
	t      *testing.T
	w      *ecs.World
	tr     *ecs.Pool[transform]
	sp     *ecs.Pool[sprite]
	snd    *ecs.Pool[b16]
	bodies *ecs.Group[struct{ T transform }]
	es     []ecs.Entity
	rows   int
	digest uint64
}

func newStage(t *testing.T, o ecs.Options) *stage {
	s := &stage{t: t, w: world(t, o)}
	s.tr, s.sp, s.snd = ecs.Register[transform](s.w, "transform"), ecs.Register[sprite](s.w, "sprite"), ecs.Register[b16](s.w, "sound")
	ecs.Apart(ecs.GroupOf[struct{ S sprite }](s.w, "sprites", s.sp))
	s.bodies = ecs.Apart(ecs.GroupOf[struct{ T transform }](s.w, "bodies", s.tr))
	ecs.Apart(ecs.GroupOf[struct{ S b16 }](s.w, "sounds", s.snd))
	type look struct {
		Spr []sprite
		At  []vec3 `ashlar:"transform.At"`
		All []ecs.Entity
	}
	type turn struct {
		Spr   ecs.Write[sprite]
		Angle []float32 `ashlar:"transform.Angle"`
		At    []vec3    `ashlar:"transform.At"`
		All   []ecs.Entity
	}
	type hear struct {
		Snd []b16
		T   []transform
		All []ecs.Entity
	}
	type shove struct {
		Snd []b16
		At  ecs.Write[vec3] `ashlar:"transform.At"`
		All []ecs.Entity
	}
	check := func(what string, e ecs.Entity, same bool) {
		if s.rows++; !same {
			t.Errorf("frame %d, %s: %v differs from what Get says", s.w.Frame(), what, e)
		}
	}
	was := make(map[ecs.Entity]vec3) // values written by a system: it can't get them by handle
	for _, err := range []error{
		systemRefusal(s.w, "note", func(*struct{}) {
			clear(was)
			for e, v := range s.tr.All() {
				was[e] = v.At
			}
		}),
		systemRefusal(s.w, "look", func(c *look) {
			for i, e := range c.All {
				check("look", e, c.At[i] == s.tr.Get(e).At)
				s.digest = s.digest*31 + uint64(c.At[i].X)
			}
		}),
		systemRefusal(s.w, "turn", func(c *turn) {
			for i, e := range c.All {
				v := s.tr.Get(e)
				check("turn", e, c.At[i] == v.At && c.Angle[i] == v.Angle)
				c.Spr[i].Depth++
			}
		}),
		systemRefusal(s.w, "shove", func(c *shove) {
			for i, e := range c.All {
				check("shove", e, c.At[i] == was[e])
				if e.Index()%5 == 0 {
					c.At[i].Y += 1
				}
			}
		}),
		systemRefusal(s.w, "hear", func(c *hear) {
			for i, e := range c.All {
				check("hear", e, c.T[i] == *s.tr.Get(e))
			}
		}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// change makes random changes of every kind between frames.
func (s *stage) change(r *rand.Rand) {
	must := func(err error) {
		if err != nil {
			s.t.Fatal(err)
		}
	}
	switch r.IntN(4) {
	case 0: // nothing
	case 1: // a few values
		for range r.IntN(20) {
			if e := s.es[r.IntN(len(s.es))]; s.tr.Has(e) {
				s.tr.Mut(e).At.X += 1
			}
		}
	default:
		for range r.IntN(60) {
			i := r.IntN(len(s.es))
			e := s.es[i]
			switch r.IntN(8) {
			case 0, 1:
				s.w.Destroy(e)
				s.es[i] = ok(s.bodies.Spawn(struct{ T transform }{transform{At: vec3{float32(r.IntN(1000)), 1, 2}}}))
				if r.IntN(2) == 0 {
					must(s.sp.Add(s.es[i], sprite{}))
				}
				if r.IntN(3) == 0 {
					must(s.snd.Add(s.es[i], b16{}))
				}
			case 2:
				s.sp.Remove(e)
			case 3:
				s.sp.Add(e, sprite{Tint: 3})
			case 4:
				s.tr.Remove(e)
			case 5:
				s.tr.Add(e, transform{Scale: 2, At: vec3{9, 9, 9}})
			case 6:
				s.tr.Set(e, transform{At: vec3{float32(r.IntN(9)), 0, 0}, Scale: 7})
			}
		}
	}
}

// The values of a system through a view always equal the values of Get, whatever is kept,
// tried, moved or dropped; and the results are the same.
func TestViewsAgainstGet(t *testing.T) {
	t.Parallel()
	frames, n := 400, 4000
	if testing.Short() {
		frames, n = 90, 1500
	}
	if race.Enabled {
		frames, n = 40, 1500 // several chunks: of one, rows move in each frame, and nothing is used again
	}
	want := map[uint64]uint64{}
	for _, c := range []struct {
		name string
		o    ecs.Options
	}{
		{"off", ecs.Options{Views: ecs.Views{Off: true}}},
		{"on", ecs.Options{Views: ecs.Views{Always: true}}},
		{"auto", ecs.Options{}},
		{"stress", ecs.Options{Views: ecs.Views{Always: true}, Memory: memmgr.Options{Stress: true}}},
		{"heap", ecs.Options{Views: ecs.Views{Always: true}, Memory: memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}}},
		{"intent", ecs.Options{Layout: laid("view look transform.At cached", "view turn transform.At gathered")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(2) {
				s := newStage(t, c.o)
				r := rand.New(rand.NewPCG(seed, 5))
				for i := range n {
					e := ok(s.bodies.Spawn(struct{ T transform }{transform{At: vec3{float32(i), 0, 0}}}))
					s.es = append(s.es, e)
				}
				for _, i := range r.Perm(n) {
					if i%3 > 0 {
						ok(0, s.sp.Add(s.es[i], sprite{}))
					}
					if i%2 > 0 {
						ok(0, s.snd.Add(s.es[i], b16{}))
					}
				}
				for range frames {
					if err := s.w.Run(t.Context()); err != nil {
						t.Fatal(err)
					}
					s.change(r)
					if t.Failed() {
						return
					}
				}
				if err := s.w.Check(); err != nil {
					t.Error(err)
				}
				if s.rows < frames*n {
					t.Errorf("%d rows in %d frames", s.rows, frames)
				}
				if w, is := want[seed]; is && w != s.digest {
					t.Errorf("seed %d: digest %x, want %x", seed, s.digest, w)
				}
				want[seed] = s.digest
				kept, reused := false, false
				for _, v := range ecs.SharedOf(s.w) {
					kept, reused = kept || v.Built > 0, reused || v.Reused+v.Refreshed > 0
				}
				if kept != (c.name != "off") || reused != (c.name == "on" || c.name == "auto" || c.name == "heap") {
					t.Errorf("views were kept: %v, reused: %v; %+v", kept, reused, ecs.SharedOf(s.w))
				}
			}
		})
	}
}

// Views are listed if systems have asked for them, with the readers of the last frame.
func TestViewsAndTheirReaders(t *testing.T) {
	s := newStage(t, ecs.Options{Views: ecs.Views{Always: true}})
	if list := ecs.SharedOf(s.w); len(list) != 0 {
		t.Fatalf("before the first frame: %+v", list)
	}
	both := ok(s.bodies.Spawn(struct{ T transform }{}))
	ok(0, s.sp.Add(both, sprite{}))
	ok(0, s.snd.Add(both, b16{}))
	s.es = append(s.es, both)
	ok(0, s.w.Run(t.Context()))
	list := ecs.SharedOf(s.w)
	if len(list) != 3 {
		t.Fatalf("%+v", list)
	}
	for i, want := range []string{"sprites transform.At 2", "sprites transform.Angle 1", "sounds transform 1"} {
		if v := list[i]; fmt.Sprint(v.Group, " ", v.Component, " ", v.Readers) != want {
			t.Errorf("%+v, want %s", v, want)
		}
	}
	for range 5000 {
		s.es = append(s.es, ok(s.bodies.Spawn(struct{ T transform }{})))
	}
	for _, e := range s.es[1:] {
		ok(0, s.sp.Add(e, sprite{}))
	}
	ok(0, s.w.Run(t.Context()))
	ok(0, s.w.Run(t.Context()))
	if v := ecs.SharedOf(s.w)[0]; v.Built == 0 || v.Reused == 0 {
		t.Errorf("%+v", v)
	}
	if err := s.w.Check(); err != nil {
		t.Error(err)
	}
}

// Views take no room from rows.
func TestViewsTakeNoRoom(t *testing.T) {
	capacity := func(o ecs.Options) int {
		s := newStage(t, o)
		for range 5000 {
			ok(0, s.sp.Add(ok(s.w.Spawn()), sprite{}))
		}
		for batch := range ecs.QueryOf[struct{ S []sprite }](s.w).All() {
			return len(batch.S)
		}
		return 0
	}
	if none, all := capacity(ecs.Options{Views: ecs.Views{Off: true}}), capacity(ecs.Options{Views: ecs.Views{Always: true}}); all != none {
		t.Fatalf("chunks of %d rows with views, %d without", all, none)
	}
}

// A column that is asked for once a group has rows goes to annexes of its chunks, and is gathered
// where there is no memory for them.
func TestLateViews(t *testing.T) {
	for _, limited := range []bool{false, true} {
		s := newStage(t, ecs.Options{Views: ecs.Views{Always: true}})
		for i := range 6000 {
			s.es = append(s.es, ok(s.bodies.Spawn(struct{ T transform }{transform{Scale: float64(i)}})))
		}
		for _, e := range s.es {
			ok(0, s.sp.Add(e, sprite{}))
		}
		type late struct {
			Spr   []sprite
			Scale []float64 `ashlar:"transform.Scale"`
			All   []ecs.Entity
		}
		sum, m := 0, s.w.Manager()
		ecs.System(s.w, "late", func(c *late) {
			for i, e := range c.All {
				if c.Scale[i] != s.tr.Get(e).Scale {
					t.Errorf("%v: %v", e, c.Scale[i])
				}
				sum++
			}
		})
		if limited {
			m.Arena().SetLimit(1)
		}
		for range 5 {
			ok(0, s.w.Run(t.Context()))
		}
		annexes := m.Stats().Annexes
		if !limited && annexes < 2 { // with a limit, as many as there is committed room for
			t.Errorf("%d annexes, limited: %v", annexes, limited)
		}
		if sum != 5*len(s.es) {
			t.Errorf("%d rows", sum)
		}
		for _, unnamed := range unnamedSlots(s.w.Map()) {
			t.Errorf("the map does not say for what a slot is in use: %s", unnamed)
		}
		if n := strings.Count(fmt.Sprint(s.w.Map().Chunks), "views/"); (n > 0) != (annexes > 0) || strings.Contains(fmt.Sprint(s.w.Map().Chunks), memmgr.AnnexPrefix) {
			t.Errorf("%d slots of views in the map, of %d annexes", n, annexes)
		}
		s.w.Reset()
		if _, err := s.w.Purge(); err != nil || m.Stats().Annexes != 0 {
			t.Errorf("%d annexes are left, %v", m.Stats().Annexes, err)
		}
		if err := s.w.Check(); err != nil {
			t.Error(err)
		}
	}
}

// A whole component with rows in the readers' order is passed as it lies, in as
// many calls as that takes, and not any more where the order is lost.
func TestAlias(t *testing.T) {
	w := world(t, ecs.Options{Layout: laid("view hear transform direct")})
	tr, snd := ecs.Register[transform](w, "transform"), ecs.Register[b16](w, "sound")
	bodies := ecs.Apart(ecs.GroupOf[struct{ T transform }](w, "bodies", tr))
	ecs.Apart(ecs.GroupOf[struct{ S b16 }](w, "sounds", snd))
	rows, own := 0, 0
	at := map[ecs.Entity]*transform{}
	ecs.System(w, "hear", func(c *struct {
		Snd ecs.Write[b16]
		T   []transform
		All []ecs.Entity
	}) {
		if len(c.Snd) != len(c.T) || len(c.T) != len(c.All) {
			t.Fatalf("%d, %d and %d rows", len(c.Snd), len(c.T), len(c.All))
		}
		for i, e := range c.All {
			v := tr.Get(e)
			if c.T[i] != *v {
				t.Fatalf("frame %d, row %d: %v", w.Frame(), i, e)
			}
			c.Snd[i] = b16{byte(w.Frame()), byte(e.Index()), byte(e.Index() >> 8)}
			if rows++; &c.T[i] == at[e] {
				own++
			}
		}
	})
	const n = 9000
	es := make([]ecs.Entity, n)
	for i := range es {
		es[i] = ok(bodies.Spawn(struct{ T transform }{transform{Scale: float64(i)}}))
		ok(0, snd.Add(es[i], b16{}))
	}
	run := func() {
		for e, v := range tr.All() {
			at[e] = v // Get within finds the copy
		}
		ok(0, w.Run(t.Context()))
		for e, v := range snd.All() {
			if *v != (b16{byte(w.Frame() - 1), byte(e.Index()), byte(e.Index() >> 8)}) {
				t.Fatalf("frame %d: %v has %v", w.Frame(), e, *v)
			}
		}
	}
	for range 5 {
		run()
	}
	if rows != 5*n || own < 4*n {
		t.Errorf("%d of %d rows are the owner's own", own, rows)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for frame := range 150 {
		if frame%3 == 0 {
			for range 1 + frame {
				i := r.IntN(len(es))
				if frame%2 == 0 { // both groups change alike
					ok(0, w.Destroy(es[i]))
					es[i] = ok(bodies.Spawn(struct{ T transform }{}))
				} else {
					ok(0, snd.Remove(es[i]))
				}
				ok(0, snd.Add(es[i], b16{}))
			}
		}
		run()
	}
	rows, own = 0, 0
	run()
	if rows != n || own == n {
		t.Errorf("%d of %d rows are the owner's own where the order is lost", own, rows)
	}
	if err := w.Check(); err != nil {
		t.Error(err)
	}
}

// unnamedSlots are the slots in use that no chunk of a map is in.
func unnamedSlots(m profile.Map) (list []string) {
	named := make([]uint32, len(m.Regions))
	for _, c := range m.Chunks {
		named[c.Region] |= 1 << c.Slot
	}
	for i, r := range m.Regions {
		if left := ^(r.Free | r.Quarantined | named[i]); left != 0 {
			list = append(list, fmt.Sprintf("%s region %d: %032b", r.Range, r.Number, left))
		}
	}
	return list
}
