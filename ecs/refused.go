package ecs

import (
	"errors"
	"slices"
)

// refused is a registration that failed, and has not succeeded since.
type refused struct {
	kind, name string // what was registered: two of different kinds may share a name
	err        error
}

// registered notes how a registration went and returns its error. A failure stays until
// a registration of the same kind and name succeeds; of several it is the last.
func (w *World) registered(kind, name string, err error) error {
	i := slices.IndexFunc(w.names.refused, func(r refused) bool { return r.kind == kind && r.name == name })
	switch {
	case err == nil && i >= 0:
		w.names.refused = slices.Delete(w.names.refused, i, i+1)
	case err != nil && i >= 0:
		w.names.refused[i].err = err
	case err != nil:
		w.names.refused = append(w.names.refused, refused{kind, name, err})
	}
	return err
}

// withdrawn forgets that a registration failed, and tells whether one had.
func (w *World) withdrawn(kind, name string) bool {
	before := len(w.names.refused)
	w.registered(kind, name, nil)
	return len(w.names.refused) < before
}

// unregistered returns the errors of all registrations that failed; nil if there is none.
func (w *World) unregistered() error {
	errs := make([]error, len(w.names.refused))
	for i, r := range w.names.refused {
		errs[i] = r.err
	}
	return errors.Join(errs...)
}
