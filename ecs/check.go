package ecs

import "fmt"

// Check proves the invariants of the package comment, of the memory manager and
// of the arena: an error names the first that is broken. It costs a pass over
// all entities and rows. Between frames only.
func (w *World) Check() error {
	w.made("Check").mustIdle("Check")
	if w.closed {
		return w.refused
	}
	if err := w.base.Manager.Check(); err != nil {
		return err
	}
	if err := w.base.Store.Check(); err != nil {
		return fmt.Errorf("ecs: %w", err)
	}
	for _, s := range w.names.schemas {
		if err := s.Check(); err != nil {
			return fmt.Errorf("ecs: schema %s: %w", s.Lock.Name, err)
		}
	}
	return nil
}
