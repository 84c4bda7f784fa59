package ecs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/record"
)

// New makes an empty world. It reserves address space and commits none. A layout is read
// now. Options that are wrong, a bad layout or a refused reservation are mistakes, and the
// world does nothing: see World.Err.
func New(o Options) *World {
	w, err := newWorld(o)
	if err != nil {
		w = newNowhere(err)
		w.names.mistakes = []mistake{{kind: "world", err: err}}
	}
	return w
}

func newWorld(o Options) (*World, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	l, err := o.Layout.Load()
	if err != nil {
		return nil, fmt.Errorf("ecs: %w", err)
	}
	w, err := bare(o, l.In(o.Name))
	if err != nil {
		return nil, err
	}
	b := &w.base
	b.Manager.Walk(w.walked)
	recording := o.Record || recorded() != ""
	w.pace = newPace(recording)
	if recording {
		w.rec = record.New(b, record.Options{TimeEvery: o.TimeEvery, Counts: w.counts()})
		w.recording = w.rec.Recording()
	}
	if o.Shuffle != 0 {
		w.systems.Chance = rand.New(rand.NewPCG(o.Shuffle, o.Shuffle))
	}
	if arena.Checked {
		w.systems.Watch = w.watch
	}
	if o.shareWork > 0 {
		w.systems.ShareWork = o.shareWork
	}
	w.systems.Queued = func() int { return w.commands.q.Waiting + w.late.q.Waiting }
	w.views.Off, w.views.Always, w.views.Intent = o.Views.Off, o.Views.Always, w.intent
	if b.Manager.Arena().Backend() == arena.OS { // the Go heap gives back no pages
		w.views.Page = uint32(os.Getpagesize())
	}
	return w, nil
}

// Close gives all memory back. Handles, addresses and slices from the world are
// invalid afterwards. It fails with memmgr.ErrPinned while chunks are pinned. It also fails while
// an iteration is open that iter.Pull began: call its stop function first. Nothing is closed then.
// A second call returns nil. If a record or a trial that the environment asks for can't be written, the world
// is closed, and the error is logged, too: few programs look at that of Close.
func (w *World) Close() error {
	if w.made("Close").closed {
		return nil
	}
	if w.pulled() {
		return fmt.Errorf("ecs: Close while %s iterates: call the stop function that iter.Pull returned, then Close again", w.base.Walks.Busy)
	}
	w.mustIdle("Close")
	w.mustNotRun("Close")
	var noted error
	if tried() != "" && w.pace != nil && w.pace.frames > 0 {
		l, refused := w.Layout()
		noted = w.pace.write(w.options.Name, l, refused, w.base.Manager.Arena())
	}
	if recorded() != "" && w.rec != nil && w.base.Frame > 0 {
		noted = errors.Join(noted, writeRecord(w.Facts(), w.Map())) // before the memory goes
	}
	warn(w.options.Memory.Arena.Log, noted)
	w.pace = nil
	if err := w.end(); err != nil {
		return err
	}
	return noted
}
