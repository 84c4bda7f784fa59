package ecs_test

import (
	"errors"
	"math/rand/v2"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
)

// motleyRoom has little memory left for calls, and gives a little more each time that a call was refused. The same call
// is made again then.
type motleyRoom struct {
	r        *rand.Rand
	refusals int
	resumes  bool   // a frame that was refused memory goes on
	asked    string // the last system of which When was asked
}

// asks begins the list of rows of a run. When is asked again where the safe point behind it was refused.
func (m *motley) asks(name string) {
	runs := m.passed[name]
	if x := m.room; x != nil {
		again := x.resumes && x.asked == name && len(runs) > 0 && runs[len(runs)-1] == nil
		if x.resumes, x.asked = false, name; again {
			return
		}
	}
	m.passed[name] = append(runs, nil)
}

// try makes a call until it has room, and returns its last error. The world must be whole whenever it is refused.
func (m *motley) try(f func() error) (err error) {
	if m.room == nil {
		return f()
	}
	a := m.w.Manager().Arena()
	defer a.SetLimit(0)
	for more := m.room.r.IntN(5) * 32; ; more += 16 + m.room.r.IntN(100) {
		a.SetLimit(a.Stats().Committed + uint64(more)<<10)
		if err = f(); !errors.Is(err, arena.ErrLimit) || errors.Is(err, ecs.ErrDropped) { // the frame is over then
			return err
		}
		m.room.refusals++
		m.room.resumes = true
		if err := m.w.Check(); err != nil {
			m.fail("behind a refusal: %v", err)
		}
		if more > 1<<16 {
			return err
		}
	}
}

// tryN is try for a call that changes many, and counts these of all tries.
func (m *motley) tryN(f func() (int, error)) (n int, err error) {
	err = m.try(func() error {
		one, err := f()
		n += one
		return err
	})
	return n, err
}

// dropped tells whether an error of Run is about commands that found no room: spawns.
func (m *motley) dropped(err error) bool { return m.room != nil && errors.Is(err, ecs.ErrDropped) }
