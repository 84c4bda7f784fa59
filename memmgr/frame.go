package memmgr

import (
	"errors"
	"strings"
	"time"
)

// EndFrame ends a frame. It is a safe point: it says that no code keeps a slice or a pointer
// into a chunk. Chunks move now, memory that went out of use before the last safe point
// becomes free, and idle memory is given back by its age; all within the budget of Adapt. It
// costs a few comparisons if nothing is due. The error is the operating system's, from giving
// memory back; it leaves everything usable. EndFrame, Idle, Purge, SafePoint and Reclaim of the
// manager of an ecs.World panic while a query or system iterates.
func (m *Manager) EndFrame() error {
	m.mustRest("EndFrame")
	if err := m.SafePoint(); err != nil {
		return err
	}
	return m.CloseFrame()
}

// CloseFrame ends a frame of an engine that has called SafePoint itself. Spare chunks that no row
// has wanted for some hundred frames are freed, with any options. Idle memory is given back as its
// age asks, whole regions first. A manager that adapts looks now and then for a region to empty.
// With nothing to do it costs a few comparisons. The error is the operating system's, from giving
// memory back; it leaves everything usable.
func (m *Manager) CloseFrame() error {
	m.mustBeMade("CloseFrame")
	return m.adapter.closeFrame()
}

// Idle is the safe point of a program without frames, such as a service. Call it now and
// then, every second for example, with the present time: ages follow from that alone. Memory that
// became idle is kept for a while, because it is often used again soon. All of it is given back once
// it is as old as AdaptOptions.Decay, which is 10 s if Adapt was not called, and sooner where the
// machine is short of memory. It costs as much as EndFrame, and its errors are the same.
func (m *Manager) Idle(now time.Time) error {
	m.mustRest("Idle")
	if err := m.SafePoint(); err != nil {
		return err
	}
	return m.adapter.idle(now)
}

// Purge gives all idle memory back at once, whatever its age, and returns how many bytes. It
// is a safe point. The error is the operating system's; it leaves everything usable.
func (m *Manager) Purge() (freed uint64, err error) {
	m.mustRest("Purge")
	if err := m.SafePoint(); err != nil {
		return 0, err
	}
	return m.Reclaim(^uint64(0))
}

// Adapt begins to adapt, or begins anew with other options. Call it at a safe point; best before the first rows, so that they lie
// where they belong from the start. Counters start at 0. Results are the same with any options.
//
// With Off the manager no longer empties regions and keeps nothing cold. It still brings chunks of
// long and of small sequences to their places, and gives back regions without a slot in use as Decay
// and Clock say. Chunks stay where they are for now.
//
// The error names every option that is negative and must not be; nothing has changed then.
func (m *Manager) Adapt(o AdaptOptions) error {
	m.mustBeMade("Adapt")
	if problems := o.Invalid(); len(problems) > 0 {
		return errors.New("memmgr: AdaptOptions." + strings.Join(problems, "; AdaptOptions."))
	}
	m.adapter.begin(o)
	return nil
}

// Walk has the manager ask in which order the program walks sequences, behind those that
// a layout states near each other. It asks only when it begins to empty a region.
func (m *Manager) Walk(walked func() []string) {
	m.mustBeMade("Walk")
	m.adapter.walked = walked
}
