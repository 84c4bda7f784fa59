package ecs

import "fmt"

// RemoveSystem takes a system out of all frames to come, or an observer; its name is free again. RemoveSystem
// returns an error if no system and no observer has the name.
func (w *World) RemoveSystem(name string) error {
	if w.made("RemoveSystem").closed {
		return w.over()
	}
	w.mustIdle("RemoveSystem")
	if w.removeObserver(name) {
		return nil
	}
	x := w.systems.Remove(name)
	if x == nil {
		return fmt.Errorf("ecs: RemoveSystem: no system is called %q", name)
	}
	if w.rec != nil {
		w.rec.Removed(x, w.views.Reader(x.Number).Choices())
	}
	w.views.RemoveReader(x.Number)
	end(x.Cursor)
	return nil
}
