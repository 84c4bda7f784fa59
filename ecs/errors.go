package ecs

import (
	"errors"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

var (
	// ErrStale is returned for a handle that is not of a live entity: null,
	// destroyed since, or never given out by this world.
	ErrStale = store.ErrStale
	// ErrPresent is returned by Add for a component that the entity has already.
	ErrPresent = store.ErrPresent
	// ErrAbsent is returned by Set and Remove for a component that the entity lacks.
	ErrAbsent = store.ErrAbsent
	// ErrClosed is returned after Close.
	ErrClosed = errors.New("ecs: the world is closed")
	// ErrAbandoned is returned once by Run after one in which a system has panicked. The
	// message says which, and how much of the frame had run.
	ErrAbandoned = schedule.ErrAbandoned
)

// ErrLocked is the error of a change that a lock prevents, to errors.Is. Its text names the entity, the lock and the holder,
// and the component that would be lost: of several locks the one that was taken first.
var ErrLocked = store.ErrLocked

// ErrDropped is returned by Run and SafePoint if commands were dropped that could never be
// carried out, or, with Options.StrictCommands, any. The frame has run to its end.
var ErrDropped = errors.New("ecs: commands were dropped")

// inEcs has an error of memory say where it comes from. Of a refused thing it is the mistake, and no entity of a closed world is stale.
func (w *World) inEcs(err error) error {
	if err == nil {
		return nil
	}
	return w.errInEcs(err)
}

func (w *World) errInEcs(err error) error {
	switch {
	case w.refused != nil:
		return w.refused
	case w.closed && errors.Is(err, ErrStale):
		return ErrClosed
	case plain(err):
		return err
	}
	if overtaken(err) {
		return err
	}
	return fmt.Errorf("ecs: %w", err)
}

// plain tells whether an error is one that calls return all the time: errors.Is costs as much as the call.
func plain(err error) bool { return err == ErrStale || err == ErrPresent || err == ErrAbsent }

// overtaken tells whether an error says that another change has come first.
func overtaken(err error) bool {
	return plain(err) || errors.Is(err, ErrStale) || errors.Is(err, ErrPresent) || errors.Is(err, ErrAbsent) || errors.Is(err, ErrLocked)
}

var errTooDeep = errors.New("observers answer each other's commands without end: have one of them test whether there is something left to do")

// errBehind is why a command of an observer is dropped that waits behind one at which an observer has panicked.
var errBehind = errors.New("an observer has panicked at a command before it, and commands of observers don't wait")
