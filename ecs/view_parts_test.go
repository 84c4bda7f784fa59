package ecs

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/views"
)

type (
	vec  struct{ X, Y, Z float32 }
	pose struct {
		Tag  [3]byte
		Pos  vec
		Rot  [4]float32
		Vel  vec
		Mass float64
	}
	lamp struct{ Lit uint64 }
	bell struct{ Rung [6]uint64 }
)

// posed is a world in which poses are read in parts, over lamps and over bells.
type posed struct {
	t      *testing.T
	w      *World
	poses  *Pool[pose]
	lamps  *Pool[lamp]
	bells  *Pool[bell]
	owner  *Group[struct{ P pose }]
	es     []Entity
	rows   int
	digest uint64
}

func newPosed(t *testing.T, o Options) *posed {
	t.Helper()
	w := New(o)
	t.Cleanup(func() { w.Close() })
	p := &posed{t: t, w: w}
	p.poses = Register[pose](w, "pose")
	p.lamps = Register[lamp](w, "lamp")
	p.bells = Register[bell](w, "bell")
	p.owner = Apart(GroupOf[struct{ P pose }](w, "poses"))
	Apart(GroupOf[struct{ L lamp }](w, "lamps"))
	Apart(GroupOf[struct{ B bell }](w, "bells"))
	return p
}

// same compares the values of a system with the values of Get.
func (p *posed) same(what string, e Entity, same bool, sum float32) {
	if !same {
		p.t.Fatalf("frame %d, %s: %v differs from what Get says", p.w.base.Frame, what, e)
	}
	p.rows++
	p.digest = p.digest*31 + uint64(sum*8)
}

// systems adds the systems: readers of several parts, of a part of a part, of the whole
// and, in between, one that writes a part and reads another.
func (p *posed) systems(whole bool) {
	w := p.w
	System(w, "cull", func(c *struct {
		L   []lamp
		Pos []vec `ashlar:"pose.Pos"`
		E   []Entity
	}) {
		for i, e := range c.E {
			p.same("cull", e, c.Pos[i] == p.poses.Get(e).Pos, c.Pos[i].X)
		}
	})
	System(w, "face", func(c *struct {
		L   Write[lamp]
		Rot [][4]float32 `ashlar:"pose.Rot"`
		Pos []vec        `ashlar:"pose.Pos"`
		X   []float32    `ashlar:"pose.Pos.X"`
		E   []Entity
	}) {
		for i, e := range c.E {
			v := p.poses.Get(e)
			p.same("face", e, c.Rot[i] == v.Rot, c.Rot[i][0])
			p.same("face", e, c.Pos[i] == v.Pos, c.Pos[i].Z)
			p.same("face", e, c.X[i] == v.Pos.X, c.X[i])
			c.L[i].Lit++
		}
	})
	was := make(map[Entity]pose) // values written by a system: it can't get them by handle
	System(w, "note", func(*struct{}) {
		clear(was)
		for e, v := range p.poses.All() {
			was[e] = *v
		}
	})
	System(w, "push", func(c *struct {
		L   []lamp
		Vel Write[vec]   `ashlar:"pose.Vel"`
		Rot [][4]float32 `ashlar:"pose.Rot"`
		E   []Entity
	}) {
		for i, e := range c.E {
			v := was[e]
			p.same("push", e, c.Rot[i] == v.Rot, c.Rot[i][1])
			p.same("push", e, c.Vel[i] == v.Vel, c.Vel[i].X)
			if e.Index()%7 == uint32(w.base.Frame%7) {
				c.Vel[i].X += c.Rot[i][1]
			}
		}
	})
	System(w, "weigh", func(c *struct {
		L    []lamp
		Mass []float64 `ashlar:"pose.Mass"`
		Vel  []vec     `ashlar:"pose.Vel"`
		E    []Entity
	}) {
		for i, e := range c.E {
			v := p.poses.Get(e)
			p.same("weigh", e, c.Mass[i] == v.Mass, float32(c.Mass[i]))
			p.same("weigh", e, c.Vel[i] == v.Vel, c.Vel[i].X)
		}
	})
	System(w, "ring", func(c *struct {
		B   []bell
		Tag [][3]byte `ashlar:"pose.Tag"`
		Y   []float32 `ashlar:"pose.Pos.Y"`
		E   []Entity
	}) {
		for i, e := range c.E {
			v := p.poses.Get(e)
			p.same("ring", e, c.Tag[i] == v.Tag, float32(c.Tag[i][1]))
			p.same("ring", e, c.Y[i] == v.Pos.Y, c.Y[i])
		}
	})
	if whole {
		System(w, "toll", func(c *struct {
			B []bell
			P []pose
			E []Entity
		}) {
			for i, e := range c.E {
				p.same("toll", e, c.P[i] == *p.poses.Get(e), c.P[i].Vel.X)
			}
		})
	}
}

func (p *posed) fill(r *rand.Rand, n int) {
	for i := range n {
		f := float32(i % 1000)
		e, err := p.owner.Spawn(struct{ P pose }{pose{[3]byte{byte(i), 1, 2}, vec{f, 1, 2}, [4]float32{1, f}, vec{f / 2, 0, 0}, float64(i)}})
		if err != nil {
			p.t.Fatal(err)
		}
		p.es = append(p.es, e)
	}
	for _, i := range r.Perm(n) {
		if i%4 > 0 {
			p.lamps.Add(p.es[i], lamp{})
		}
		if i%3 > 0 {
			p.bells.Add(p.es[i], bell{})
		}
	}
}

// change changes something of every kind.
func (p *posed) change(r *rand.Rand) {
	complete := p.w.base.Frame/20%2 == 0 // then all have a pose, and whole chunks are kept
	for _, e := range p.es {
		if complete && !p.poses.Has(e) {
			p.poses.Add(e, pose{Tag: [3]byte{9, 9, 9}})
		}
	}
	if r.IntN(3) == 0 {
		return
	}
	for range r.IntN(50) {
		i := r.IntN(len(p.es))
		e := p.es[i]
		switch r.IntN(9) {
		case 0:
			p.w.Destroy(e)
			p.es[i], _ = p.owner.Spawn(struct{ P pose }{pose{Mass: 3, Pos: vec{5, 6, float32(r.IntN(99))}}})
			p.lamps.Add(p.es[i], lamp{})
			p.bells.Add(p.es[i], bell{})
		case 1:
			p.lamps.Remove(e)
		case 2:
			p.lamps.Add(e, lamp{})
		case 3, 4:
			if !complete {
				p.poses.Remove(e)
			}
		default:
			if p.poses.Has(e) {
				v := p.poses.Mut(e)
				v.Pos.X, v.Tag[1], v.Rot[1] = v.Pos.X+1, v.Tag[1]+1, float32(r.IntN(100))
			}
		}
	}
}

// force has each column use a strategy from now on where it applies, or with Unset any.
func (p *posed) force(r *rand.Rand, use views.Strategy) {
	for i := range p.w.systems.Systems() {
		p.w.views.Reader(i).Intend(func(_, _ string) views.Strategy {
			if use != views.Unset {
				return use
			}
			return views.Direct + views.Strategy(r.IntN(int(views.Cached)))
		})
	}
}

// drop drops views as if they were idle.
func (p *posed) drop(r *rand.Rand) {
	if err := p.w.views.DropAll(func() bool { return r.IntN(2) == 0 }); err != nil {
		p.t.Fatal(err)
	}
}

// Under every strategy, forced or chosen, kept or dropped, a column equals what Get
// says, and the results of systems are the same.
func TestPartsAgainstGet(t *testing.T) {
	t.Parallel()
	frames, n := 170, 4000
	if testing.Short() {
		frames, n = 50, 2000
	}
	if race.Enabled {
		frames, n = 50, 800
	}
	want := map[string]uint64{}
	for _, c := range []struct {
		name string
		o    Options
		use  views.Strategy
		auto bool
		late bool // systems come when the groups have rows
		page uint32
	}{
		{name: "off", o: Options{Views: Views{Off: true}}},
		{name: "gathered", use: views.Gathered},
		{name: "cached", use: views.Cached},
		{name: "any"},
		{name: "auto", auto: true},
		{name: "cached late", use: views.Cached, late: true},
		{name: "late any", late: true},
		{name: "large pages", page: 16 << 10},
		{name: "stress", o: Options{Memory: memmgr.Options{Stress: true}}},
		{name: "heap", o: Options{Memory: memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}}},
	} {
		if race.Enabled && c.o.Memory.Arena.Backend == arena.Heap {
			continue // so it is in all others
		}
		for _, whole := range []bool{false, true} {
			t.Run(fmt.Sprint(c.name, "/", whole), func(t *testing.T) {
				p := newPosed(t, c.o)
				if c.page > 0 {
					p.w.views.Page = c.page
				}
				r, dice := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(3, 4))
				if c.late {
					p.fill(r, n)
					p.systems(whole)
				} else {
					p.systems(whole)
					p.fill(r, n)
				}
				for range frames {
					if !c.auto {
						p.force(dice, c.use)
					}
					if err := p.w.Run(t.Context()); err != nil {
						t.Fatal(err)
					}
					p.change(r)
					if dice.IntN(10) == 0 {
						p.drop(dice)
					}
				}
				if err := p.w.Check(); err != nil {
					t.Error(err)
				}
				if p.rows < frames*n {
					t.Errorf("%d rows in %d frames", p.rows, frames)
				}
				key := fmt.Sprint(whole)
				if d, is := want[key]; is && d != p.digest {
					t.Errorf("digest %x, want %x", p.digest, d)
				}
				want[key] = p.digest
			})
		}
	}
}
