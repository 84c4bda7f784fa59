package memmgr

import "fmt"

// OnRefusal has the manager call f before Append or AppendRun returns an error because memory is
// refused: by a limit, a shared budget, or the operating system. F is given the sequence that wants a
// row, and the error. It may make room: remove rows, also of the sequence, drop others, or tell
// another manager of the same budget to Purge. If it returns true, the row is asked for once more, and
// only then refused. A nil f ends that.
//
// F runs within the call of Append, on its goroutine, so slices that its caller keeps are good after
// it only if f moves nothing: it is no safe point unless f makes it one. Rows that f appends are not
// told again. The manager of an ecs.World is its world's, and OnRefusal panics there: the manager does not
// know which rows a world needs.
//
//	m.OnRefusal(func(s *memmgr.Sequence, err error) bool {
//		return log.DropFirst(log.Len()/4) > 0 // the oldest quarter goes
//	})
func (m *Manager) OnRefusal(f func(s *Sequence, err error) (again bool)) {
	m.mustBeMade("OnRefusal")
	if m.owner != "" {
		panic(fmt.Sprintf("memmgr: OnRefusal of a manager that belongs to %s: a change under way would meet rows that are gone; remove entities when a call returns the error", m.owner))
	}
	m.refusal = f
}

// relieved tells whether the program has made room for a row of a sequence that was refused.
func (m *Manager) relieved(s *Sequence, err error) (again bool) {
	if m.refusal == nil || m.asking || m.closed {
		return false
	}
	m.asking = true
	defer func() { m.asking = false }()
	return m.refusal(s, err)
}
