// Package particles is a particle system on package memmgr alone, with profiles and layouts, as
// docs/embedding.md teaches it: an example, which is tested.
//
// Sparks fly, fall and go out; smoke drifts and stays longer. Each kind is a sequence of
// three columns. A run records its accesses in a profile. A layout names seldom used ones.
// Particles move the same with any layout.
package particles

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// Vec is a place or a speed.
type Vec struct{ X, Y float32 }

// Options say how a system runs.
type Options struct {
	Memory memmgr.Options
	Adapt  memmgr.AdaptOptions
	Layout layout.Source // its statements about sequences go to Adapt
	Record string        // profile to write in the end; "": none
	Frames int
	Seed   uint64
}

// Result has the figures of a run.
type Result struct {
	Particles int
	Digest    uint64 // of all particles, in order
	Cold      int    // chunks that lie apart, in the range for cold memory
}

// System is all particles. Use New.
type System struct {
	m      *memmgr.Manager
	rec    memmgr.Recorder
	rand   *rand.Rand
	sparks *kind
	smoke  *kind
}

// kind is the particles of one kind. Each step changes its rows, and counts.
type kind struct {
	name             string
	rows             *memmgr.Sequence
	pos, vel         memmgr.Col[Vec]
	left             memmgr.Col[int32] // frames to live
	gravity, life    int
	perFrame, startX int
	dead             []memmgr.Loc // in this frame
}

const columnPos, columnVel, columnLeft = 0, 1, 2

// Run makes a system, lets it run, and writes its record.
func Run(o Options) (r Result, err error) {
	s, err := New(o)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, s.m.Check(), s.m.Close()) }()
	for range o.Frames {
		if err := s.Frame(); err != nil {
			return r, err
		}
	}
	if o.Record != "" {
		recorded, _ := s.rec.Profile()
		if err := recorded.WriteFile(o.Record); err != nil {
			return r, err
		}
	}
	return s.result(), nil
}

// New makes a system, which goes by its layout if there is one.
func New(o Options) (*System, error) {
	m, err := memmgr.New(o.Memory)
	if err != nil {
		return nil, err
	}
	approved, err := o.Layout.Load()
	if err != nil {
		return nil, errors.Join(err, m.Close())
	}
	if err := m.Adapt(o.Adapt.With(approved)); err != nil { // before the first rows, so that they grow where they will stay
		return nil, errors.Join(err, m.Close())
	}
	s := &System{m: m, rand: rand.New(rand.NewPCG(o.Seed, 0))}
	s.sparks = &kind{name: "sparks", gravity: -1, life: 40, perFrame: 900}
	s.smoke = &kind{name: "smoke", life: 300, perFrame: 150, startX: 100}
	if err := errors.Join(s.add(s.sparks), s.add(s.smoke)); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return s, nil
}

// add makes the sequence of a kind, and names its columns for profiles.
func (s *System) add(k *kind) (err error) {
	if k.rows, err = s.m.NewSequence(k.name, &k.pos, &k.vel, &k.left); err == nil {
		s.rec.Watch(k.name, k.rows, "position", "velocity", "left")
	}
	return err
}

// Frame lets all particles live for one frame.
func (s *System) Frame() error {
	for _, k := range []*kind{s.sparks, s.smoke} {
		s.m.Advance()
		if err := k.emit(s.rand); err != nil {
			return err
		}
		k.move()
		s.rec.Read("move "+k.name, k.rows, columnVel)
		s.rec.Write("move "+k.name, k.rows, columnPos)
		k.age()
		s.rec.Write("age "+k.name, k.rows, columnLeft)
	}
	s.rec.EndInterval()
	return s.m.EndFrame() // chunks may move here
}

// emit makes new particles, as many at a time as a chunk has room for.
func (k *kind) emit(r *rand.Rand) error {
	for left := k.perFrame; left > 0; {
		at, n, err := k.rows.AppendRun(left)
		if err != nil {
			return err
		}
		pos, vel, lives := k.pos.Slice(at), k.vel.Slice(at), k.left.Slice(at)
		for i := range pos {
			pos[i] = Vec{X: float32(k.startX)}
			vel[i] = Vec{X: r.Float32() - 0.5, Y: r.Float32() * 10}
			lives[i] = 1 + r.Int32N(int32(k.life))
		}
		k.pos.Written(at)
		k.vel.Written(at)
		k.left.Written(at)
		left -= n
	}
	return nil
}

// move is the loop that most time goes into: plain slices, chunk by chunk.
func (k *kind) move() {
	gravity := float32(k.gravity)
	for l, pos := range k.pos.Chunks(k.rows) {
		for i, v := range k.vel.Slice(l) {
			pos[i].X += v.X
			pos[i].Y += v.Y + gravity
		}
		k.pos.Written(l)
	}
}

// age removes particles that have gone out: once all is counted, since slices are not good beyond a
// removal, and from the last row to the first, so that the row that takes a hole is one that stays.
func (k *kind) age() {
	k.dead = k.dead[:0]
	for l, left := range k.left.Chunks(k.rows) {
		for i := range left {
			if left[i]--; left[i] == 0 {
				k.dead = append(k.dead, l.Plus(uint32(i)))
			}
		}
		k.left.Written(l)
	}
	for _, l := range slices.Backward(k.dead) {
		k.rows.SwapRemove(l)
	}
}

func (s *System) result() Result {
	h := fnv.New64a()
	r := Result{}
	for _, k := range []*kind{s.sparks, s.smoke} {
		r.Particles += k.rows.Len()
		for l, pos := range k.pos.Chunks(k.rows) {
			vel, left := k.vel.Slice(l), k.left.Slice(l)
			for i := range pos {
				fmt.Fprintln(h, pos[i], vel[i], left[i])
			}
		}
	}
	r.Digest = h.Sum64()
	_, places := s.rec.Profile()
	for _, c := range places.Chunks {
		if places.Regions[c.Region].Range == "cold" {
			r.Cold++
		}
	}
	return r
}
