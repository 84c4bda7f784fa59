package memmgr

import (
	"fmt"

	"github.com/ashlar-go/ashlar/arena"
)

// A manager has one goroutine at a time. A call that takes, frees or moves a chunk marks the
// manager as in use, and panics if it is. Rows that come and go within a chunk do not: a mark would
// cost several times as much as they do.

// use says that a goroutine is within a call that changes the manager, until the
// function that it returns is called. It panics if another one is.
func (m *Manager) use(what string) func() {
	m.mustBeMade(what)
	if !m.using.CompareAndSwap(false, true) {
		panic("memmgr: " + what + " while another goroutine is within a call of the same manager: a Manager is used by one goroutine at a time; guard it with a mutex, or give each goroutine its own")
	}
	return m.unuse
}

// mustBeMade panics for a manager, or a sequence's manager, that New did not make.
func (m *Manager) mustBeMade(what string) {
	if m == nil || m.arena == nil {
		panic("memmgr: " + what + " of a zero Manager or Sequence: use New and MakeSequence")
	}
}

// isClosed returns an error for a call after Close.
func (m *Manager) isClosed(what string) error {
	if m.closed {
		return fmt.Errorf("memmgr: %s: %w", what, arena.ErrClosed)
	}
	return nil
}
