package memmgr

import "time"

// Idle is the safe point of a program without frames, such as a service. It calls SafePoint,
// and gives idle memory back by its age, as EndFrame does. Call it now and then, every second
// for example, with the current time. Memory that became idle is kept for a while, because it
// is often used again soon. All of it is given back once it is as old as AdaptOptions.Decay,
// which is 10 s if Adapt was not called, and sooner where the machine is short of memory.
//
// Ages follow from now alone. With nothing to do it costs a few comparisons. The error is the
// operating system's, and leaves everything usable. A program that calls EndFrame does not
// need Idle.
func (m *Manager) Idle(now time.Time) error {
	if err := m.SafePoint(); err != nil {
		return err
	}
	idle, _ := m.arena.Idle()
	due := m.due(now, idle, m.over)
	if due == 0 {
		return nil
	}
	freed, err := m.arena.Purge(due)
	m.gone(freed)
	return err
}
