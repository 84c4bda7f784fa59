// Package particles is a particle system on package memmgr alone, with profile files, as
// docs/embedding.md teaches it: an example, which is tested.
//
// Sparks fly, fall and go out; smoke drifts and stays longer. Each kind is a sequence of
// three columns. One run records what it touches in a file, to which a person may add what is to be
// done; the next one loads it. What particles do is the same with any profile.
package particles

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/ashlar-go/ashlar/internal/memmgr"
	"github.com/ashlar-go/ashlar/internal/memmgr/recording"
	"github.com/ashlar-go/ashlar/internal/profile"
)

// Vec is a place or a speed.
type Vec struct{ X, Y float32 }

// Options say how a system runs.
type Options struct {
	Memory  memmgr.Options
	Adapt   memmgr.AdaptOptions // with what Profile asks for beside
	Profile string              // file to load; "": none
	Record  string              // file to write in the end; "": none
	Frames  int
	Seed    uint64
}

// Result is what a run came to.
type Result struct {
	Particles int
	Digest    uint64 // of all particles, in order
	Cold      int    // chunks that lie apart, in the range for cold memory
	Adapts    bool   // unless the profile says off
	Adapting  memmgr.AdaptStats
}

// System is all particles. Use New.
type System struct {
	m      *memmgr.Manager
	rec    *recording.Recorder
	rand   *rand.Rand
	sparks *kind
	smoke  *kind
}

// kind is the particles of one kind.
type kind struct {
	rows             *memmgr.Sequence
	pos, vel         memmgr.Col[Vec]
	left             memmgr.Col[int32] // frames to live
	moves, ages      *recording.Reader
	gravity, life    int
	perFrame, startX int
	dead             []memmgr.Loc // in this frame
}

const columnPos, columnVel, columnLeft = 0, 1, 2

// Run makes a system, lets it run, and writes what it recorded.
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
		file := profile.File{Profile: s.rec.Profile()}
		if err := file.WriteFile(o.Record); err != nil {
			return r, err
		}
	}
	return s.result(), nil
}

// New makes a system, and loads its profile if there is one.
func New(o Options) (*System, error) {
	m, err := memmgr.New(o.Memory)
	if err != nil {
		return nil, err
	}
	if o.Profile != "" {
		loaded, err := profile.Load(profile.LoadOptions{Paths: []string{o.Profile}, Named: true})
		if err != nil {
			return nil, errors.Join(err, m.Close())
		}
		o.Adapt = recording.Asked(o.Adapt, loaded.Profile.Intent)
	}
	m.Adapt(o.Adapt) // before the first rows, so that they grow where they will stay
	s := &System{m: m, rec: recording.New(m), rand: rand.New(rand.NewPCG(o.Seed, 0))}
	s.sparks = &kind{gravity: -1, life: 40, perFrame: 900}
	s.smoke = &kind{life: 300, perFrame: 150, startX: 100}
	if err := errors.Join(s.add("sparks", s.sparks), s.add("smoke", s.smoke)); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return s, nil
}

// add makes the sequence of a kind, and names its columns and who will touch them.
func (s *System) add(name string, k *kind) (err error) {
	k.rows, err = s.m.NewSequence(name, memmgr.Columns(memmgr.SpecOf[Vec](), memmgr.SpecOf[Vec](), memmgr.SpecOf[int32]()))
	if err != nil {
		return err
	}
	k.pos, k.vel = memmgr.ColOf[Vec](k.rows, columnPos), memmgr.ColOf[Vec](k.rows, columnVel)
	k.left = memmgr.ColOf[int32](k.rows, columnLeft)
	s.rec.Watch(k.rows, "position", "velocity", "left")
	k.moves, k.ages = s.rec.Reader("move "+name), s.rec.Reader("age "+name)
	return nil
}

// Frame lets all particles live for one frame.
func (s *System) Frame() error {
	for _, k := range []*kind{s.sparks, s.smoke} {
		if err := s.m.SafePoint(); err != nil { // chunks may move here
			return err
		}
		s.m.Advance()
		if err := k.emit(s.rand); err != nil {
			return err
		}
		k.move()
		k.age()
	}
	s.rec.EndInterval()
	return s.m.EndFrame() // and between frames
}

// emit makes new particles, as many at a time as a chunk has room for.
func (k *kind) emit(r *rand.Rand) error {
	for left := k.perFrame; left > 0; {
		at, n, err := k.rows.AppendRun(left)
		if err != nil {
			return err
		}
		pos, vel, lives := k.pos.Run(at, n), k.vel.Run(at, n), k.left.Run(at, n)
		for i := range pos {
			pos[i] = Vec{X: float32(k.startX)}
			vel[i] = Vec{X: r.Float32() - 0.5, Y: r.Float32() * 10}
			lives[i] = 1 + r.Int32N(int32(k.life))
		}
		left -= n
	}
	return nil
}

// move is the loop that most time goes into: plain slices, chunk by chunk.
func (k *kind) move() {
	gravity := float32(k.gravity)
	for id, pos := range k.pos.Chunks(k.rows) {
		for i, v := range k.vel.Slice(id) {
			pos[i].X += v.X
			pos[i].Y += v.Y + gravity
		}
		k.pos.Written(id)
	}
	k.moves.Read(k.rows, columnVel)
	k.moves.Write(k.rows, columnPos)
}

// age removes what has gone out: once all is counted, since slices are not good beyond a
// removal, and from the last row to the first, so that the row that takes a hole is one that stays.
func (k *kind) age() {
	k.dead = k.dead[:0]
	for id, left := range k.left.Chunks(k.rows) {
		for i := range left {
			if left[i]--; left[i] == 0 {
				k.dead = append(k.dead, memmgr.MakeLoc(id, uint32(i)))
			}
		}
		k.left.Written(id)
	}
	for _, l := range slices.Backward(k.dead) {
		k.rows.SwapRemove(l)
	}
	k.ages.Write(k.rows, columnLeft)
}

func (s *System) result() Result {
	h := fnv.New64a()
	r := Result{}
	for _, k := range []*kind{s.sparks, s.smoke} {
		r.Particles += k.rows.Len()
		for id, pos := range k.pos.Chunks(k.rows) {
			vel, left := k.vel.Slice(id), k.left.Slice(id)
			for i := range pos {
				fmt.Fprintln(h, pos[i], vel[i], left[i])
			}
		}
	}
	r.Digest = h.Sum64()
	r.Adapting, r.Adapts = s.m.Adapting()
	places := s.rec.Map()
	for _, c := range places.Chunks {
		if places.Regions[c.Region].Range == "cold" {
			r.Cold++
		}
	}
	return r
}
