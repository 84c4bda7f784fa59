package ecs_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// frame3 is a component. Systems have fields of it.
type frame3 struct {
	At    vec3
	Turn  [3]int16
	Heavy uint64
}

// fieldSeen is one batch of a system that has fields of a component: At is written, Heavy only read.
type fieldSeen struct {
	ents  []ecs.Entity
	rows  []uint16
	at    func(i int) *vec3
	heavy func(i int) *uint64
}

// sliced is a batch of slices.
func sliced(ents []ecs.Entity, rows []uint16, at []vec3, heavy []uint64) fieldSeen {
	return fieldSeen{ents, rows, func(i int) *vec3 { return &at[i] }, func(i int) *uint64 { return &heavy[i] }}
}

// fieldStage is a world where a component is written by field, by handle, by contract and by queries.
type fieldStage struct {
	w      *ecs.World
	frames *ecs.Pool[frame3]
	es     []ecs.Entity
	want   map[ecs.Entity]*frame3
	whole  *ecs.Query[struct {
		F    ecs.Write[frame3]
		Ents []ecs.Entity
	}]
	turns *ecs.Query[struct {
		Turn ecs.Write[[3]int16] `ashlar:"frame3.Turn"`
		At   []vec3              `ashlar:"frame3.At"`
		Ents []ecs.Entity
	}]
	one *ecs.Query[struct {
		At ecs.WriteOne[vec3] `ashlar:"frame3.At"`
	}]
	bind *ecs.Schema[struct {
		F ecs.WriteOne[frame3]
	}]
}

func newFieldStage(t *testing.T, o ecs.Options, how ...ecs.Storage) *fieldStage {
	w := world(t, o)
	s := &fieldStage{w: w, frames: ecs.Register[frame3](w, "frame3", how...), want: map[ecs.Entity]*frame3{}}
	ice, spr := ecs.Register[frozen](w, "frozen", ecs.Volatile), ecs.Register[sprite](w, "sprite")
	ecs.GroupMade[struct{ S sprite }](w, "sprites")
	for i := range 200 {
		e := ok(w.Spawn())
		ok(0, spr.Add(e, sprite{}))
		v := frame3{At: vec3{float32(i), 1, 2}, Turn: [3]int16{int16(i)}, Heavy: uint64(i)}
		ok(0, s.frames.Add(e, v))
		if i%3 == 0 {
			ok(0, ice.Add(e, frozen{}))
		}
		s.es, s.want[e] = append(s.es, e), &v
	}
	s.whole = ecs.QueryOf[struct {
		F    ecs.Write[frame3]
		Ents []ecs.Entity
	}](w)
	s.turns = ecs.QueryOf[struct {
		Turn ecs.Write[[3]int16] `ashlar:"frame3.Turn"`
		At   []vec3              `ashlar:"frame3.At"`
		Ents []ecs.Entity
	}](w)
	s.one = ecs.QueryOf[struct {
		At ecs.WriteOne[vec3] `ashlar:"frame3.At"`
	}](w)
	s.bind = ecs.SchemaOf[struct {
		F ecs.WriteOne[frame3]
	}](w)
	return s
}

// seeing registers a system of a way that calls f with each batch.
func (s *fieldStage) seeing(way string, f func(b fieldSeen)) {
	switch way {
	case "whole":
		ecs.System(s.w, "see", func(c *struct {
			At    ecs.Write[vec3] `ashlar:"frame3.At"`
			Heavy []uint64        `ashlar:"frame3.Heavy"`
			Ents  []ecs.Entity
		}) {
			f(sliced(c.Ents, nil, c.At, c.Heavy))
		})
	case "filtered":
		ecs.System(s.w, "see", func(c *struct {
			At    ecs.Write[vec3] `ashlar:"frame3.At"`
			Heavy []uint64        `ashlar:"frame3.Heavy"`
			Ents  []ecs.Entity
			_     ecs.Without[frozen]
		}) {
			f(sliced(c.Ents, nil, c.At, c.Heavy))
		})
	case "strided":
		ecs.System(s.w, "see", func(c *struct {
			At    ecs.WriteStrided[vec3] `ashlar:"frame3.At"`
			Heavy ecs.Strided[uint64]    `ashlar:"frame3.Heavy"`
			Ents  []ecs.Entity
		}) {
			f(fieldSeen{c.Ents, nil, c.At.At, c.Heavy.At})
		})
	case "strided, filtered":
		ecs.System(s.w, "see", func(c *struct {
			At    ecs.WriteStrided[vec3] `ashlar:"frame3.At"`
			Heavy ecs.Strided[uint64]    `ashlar:"frame3.Heavy"`
			Ents  []ecs.Entity
			_     ecs.Without[frozen]
		}) {
			f(fieldSeen{c.Ents, nil, c.At.At, c.Heavy.At})
		})
	case "rows":
		ecs.System(s.w, "see", func(c *struct {
			Rows  ecs.Rows
			At    ecs.Write[vec3] `ashlar:"frame3.At"`
			Heavy []uint64        `ashlar:"frame3.Heavy"`
			Ents  []ecs.Entity
			_     ecs.Without[frozen]
		}) {
			f(sliced(c.Ents, c.Rows, c.At, c.Heavy))
		})
	case "elsewhere":
		ecs.System(s.w, "see", func(c *struct {
			Spr   []sprite
			At    ecs.Write[vec3] `ashlar:"frame3.At"`
			Heavy []uint64        `ashlar:"frame3.Heavy"`
			Ents  []ecs.Entity
		}) {
			f(sliced(c.Ents, nil, c.At, c.Heavy))
		})
	case "within":
		q := ecs.QueryOf[struct {
			At    ecs.Write[vec3] `ashlar:"frame3.At"`
			Heavy []uint64        `ashlar:"frame3.Heavy"`
			Ents  []ecs.Entity
		}](s.w)
		ecs.System(s.w, "see", func(c *struct {
			F ecs.Write[frame3]
			_ ecs.Without[frozen]
		}) {
			for c := range q.All() {
				f(sliced(c.Ents, nil, c.At, c.Heavy))
			}
		})
	}
}

// A component is written by handle, by contract and by queries while a system has fields of it, in every
// way of storing: the fields show it, and nothing that either writes is lost.
func TestFieldsSeeWhatHandlesWrite(t *testing.T) {
	t.Parallel()
	stress := ecs.Options{Memory: memmgr.Options{Stress: true}}
	for _, way := range []string{"whole", "filtered", "strided", "strided, filtered", "rows", "elsewhere", "within"} {
		for i, o := range []ecs.Options{{}, {Views: ecs.Views{Always: true}}, stress} {
			for _, runs := range []int{1, 1 << 20} {
				for _, how := range [][]ecs.Storage{nil, {ecs.Stable}, {ecs.Volatile}, {ecs.Thin}} {
					name := fmt.Sprintf("%s, %d, runs of %d, %v", way, i, runs, how)
					s := newFieldStage(t, ecs.WithRunLength(o, runs), how...)
					r := rand.New(rand.NewPCG(7, uint64(i)))
					batches := 0
					s.seeing(way, func(b fieldSeen) {
						batches++
						for range 12 {
							k := r.IntN(len(b.ents))
							if b.rows != nil {
								k = int(b.rows[r.IntN(len(b.rows))])
							}
							s.act(r, b, k)
							s.compare(t, name, b, k)
						}
					})
					for range 3 {
						ok(0, s.w.Run(t.Context()))
					}
					for e, v := range s.want {
						if *s.frames.Get(e) != *v {
							t.Fatalf("%s: %v has %v after all, want %v", name, e, *s.frames.Get(e), *v)
						}
					}
					if batches == 0 {
						t.Errorf("%s: no batch", name)
					}
				}
			}
		}
	}
}

// act writes a value in one of the ways: mostly of a row of the batch, or of any entity.
func (s *fieldStage) act(r *rand.Rand, b fieldSeen, k int) {
	e := b.ents[k]
	if r.IntN(3) == 0 {
		e = s.es[r.IntN(len(s.es))]
	}
	v := s.want[e]
	switch r.IntN(7) {
	case 0:
		b.at(k).X += 100
		s.want[b.ents[k]].At.X += 100
	case 1:
		v.At.Y, v.Heavy = v.At.Y+1, v.Heavy+1
		p := s.frames.Mut(e)
		p.At.Y, p.Heavy = p.At.Y+1, p.Heavy+1
	case 2:
		v.At, v.Turn[0], v.Heavy = vec3{1, 2, float32(r.IntN(99))}, 9, v.Heavy*3
		ok(0, s.frames.Set(e, *v))
		if e == b.ents[k] && (*b.at(k) != v.At || *b.heavy(k) != v.Heavy) {
			panic("the slices do not show what Set has written")
		}
	case 3:
		c, _ := s.bind.Mut(new(ok(s.bind.Bind(e))))
		c.F.At.Z++
		v.At.Z++
	case 4:
		for c := range s.whole.All() {
			for i := range c.F {
				c.F[i].At.X, c.F[i].Turn[1] = c.F[i].At.X+2, c.F[i].Turn[1]+1
			}
		}
		for _, v := range s.want {
			v.At.X, v.Turn[1] = v.At.X+2, v.Turn[1]+1
		}
	case 5:
		for c := range s.turns.All() {
			for i, e := range c.Ents {
				if c.Turn[i][2]++; c.At[i] != s.want[e].At {
					panic("a query within does not see what was written to a field")
				}
			}
		}
		for _, v := range s.want {
			v.Turn[2]++
		}
	case 6:
		c, _ := s.one.Get(e)
		c.At.X--
		v.At.X--
	}
}

// compare looks at the batch and by handle.
func (s *fieldStage) compare(t *testing.T, name string, b fieldSeen, k int) {
	t.Helper()
	if got, want := *s.frames.Get(b.ents[k]), *s.want[b.ents[k]]; got != want {
		t.Fatalf("%s: a handle finds %v, want %v", name, got, want)
	}
	for i, e := range b.ents {
		if *b.at(i) != s.want[e].At || *b.heavy(i) != s.want[e].Heavy {
			t.Fatalf("%s: row %d has %v and %d, want %v", name, i, *b.at(i), *b.heavy(i), *s.want[e])
		}
	}
}

// A write to a value after other calls by handle, and to a field of it meanwhile, is kept, if
// these are other bytes.
func TestPointersOfFieldsAreGoodForTheCall(t *testing.T) {
	s := newFieldStage(t, ecs.Options{})
	s.seeing("whole", func(b fieldSeen) {
		p, other := s.frames.Mut(b.ents[3]), b.ents[5]
		s.frames.Mut(other).Heavy = 1
		p.At.Y = 77
		b.at(3).X = 55
		p.Heavy = 88
	})
	ok(0, s.w.Run(t.Context()))
	if v := s.frames.Get(s.es[3]); v.At.X != 55 || v.At.Y != 77 || v.Heavy != 88 || s.frames.Get(s.es[5]).Heavy != 1 {
		t.Errorf("%v and %v", *v, *s.frames.Get(s.es[5]))
	}
}
