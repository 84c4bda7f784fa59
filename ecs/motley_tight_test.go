package ecs_test

import (
	"context"
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
}

// asks begins the list of rows of a run. When is asked again where the safe point behind it was refused.
func (m *motley) asks(name string) {
	runs := m.passed[name]
	again := m.resumes && m.asked == name && len(runs) > 0 && runs[len(runs)-1] == nil
	if m.resumes, m.asked = false, name; again {
		return
	}
	m.passed[name] = append(runs, nil)
}

// try makes a call until it has room, and returns its last error. The world must be whole whenever it is refused.
func (m *motley) try(call func() error) (err error) {
	m.blown = false
	f := func() (err error) {
		if m.bomb {
			defer m.defuse()
		}
		return call()
	}
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
		m.resumes = true
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

var errHeard = errors.New("a panic of an observer")

// defuse recovers the panic of the observer that panics when it has noted a change: the change is made all the same.
func (m *motley) defuse() {
	if v := recover(); v != nil {
		if of, _ := v.(error); !errors.Is(of, errHeard) {
			panic(v)
		}
		m.blown, m.resumes = true, true
		if err := m.w.Check(); err != nil {
			m.fail("behind a panic: %v", err)
		}
	}
}

// unknown are the entities that the model does not know.
func (m *motley) unknown() (es []ecs.Entity) {
	for e := range m.w.All() {
		if m.model.souls[e] == nil {
			es = append(es, e)
		}
	}
	return es
}

// runOut runs a frame, and goes on with it behind each panic of an observer.
func (m *motley) runOut(f func() error) error {
	for m.bomb {
		err := error(nil)
		func() {
			m.blown = false
			defer m.defuse()
			err = f()
		}()
		if !m.blown {
			return err
		}
		f = func() error { return m.w.RunFor(context.Background(), 0) }
	}
	return f()
}
