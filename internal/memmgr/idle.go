package memmgr

import "time"

// Idle is the safe point of a program without frames, such as a service: it calls
// SafePoint, and gives idle memory back by its age, as EndFrame does at the end of frames. Call it now and
// then, every second for example, with the time that it is now. Memory that became idle is
// kept for a while, since it is often used again soon, and all of it is given back once it is as old as
// AdaptOptions.Decay, which is 10 s where Adapt was not called.
//
// Ages follow from now alone. Where nothing is due it costs a few comparisons. The error is
// the operating system's; it leaves everything usable. A program that calls EndFrame does
// not need it.
func (m *Manager) Idle(now time.Time) error {
	if err := m.SafePoint(); err != nil {
		return err
	}
	idle, _ := m.arena.Idle()
	due := batch(m.decay.due(now, idle, m.over), idle)
	if due == 0 {
		return nil
	}
	freed, err := m.arena.Purge(due)
	m.decay.idle -= min(m.decay.idle, freed)
	return err
}
