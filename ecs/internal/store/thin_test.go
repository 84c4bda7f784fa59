package store

import "testing"

// A component that is not thin any more keeps no table of its own, which queries would go on
// asking for.
func TestThinTableGoesWithTheWay(t *testing.T) {
	for _, to := range []Way{Fixed, Optional} {
		h := newHerd(t, "nothing moves", false)
		var es []Entity
		for range 300 {
			e, err := h.Spawn()
			if err != nil {
				t.Fatal(err)
			}
			if err := h.Add(h.thin, e, at(make([]byte, h.thin.Size))); err != nil {
				t.Fatal(err)
			}
			es = append(es, e)
		}
		if !h.thin.ThinRows() {
			t.Fatal("nobody has it in rows of its own")
		}
		h.thin.stated = false
		h.Change(h.thin, to)
		for h.Moving() > 0 {
			h.EndFrame()
		}
		if h.thin.ThinRows() || h.thin.Len() != len(es) {
			t.Errorf("%v: thin rows are asked for: %v; %d have it", to, h.thin.ThinRows(), h.thin.Len())
		}
		if err := h.Check(); err != nil {
			t.Errorf("%v: %v", to, err)
		}
		h.Change(h.thin, Thin) // and back
		for h.Moving() > 0 {
			h.EndFrame()
		}
		if !h.thin.ThinRows() || h.thin.Len() != len(es) || h.Check() != nil {
			t.Errorf("%v: not thin again: %v", to, h.Check())
		}
	}
}
