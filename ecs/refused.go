package ecs

import (
	"errors"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
)

// refused is a registration that failed, and that the program has not put right. Run returns it,
// so that an error which a line ignores is not lost. A call puts it right that succeeds under the
// same name, or for the same thing under another one.
type refused struct {
	kind, name string // two of different kinds may share a name
	what       any    // the component's type, the group's struct, or the system as aSystem
	err        error
	once       bool // another system has the name, so only the function is missing
}

// aSystem is a system as its caller knows it: a function, what it goes over, and when.
type aSystem struct {
	fn    raw.Ptr
	only  string // names of groups
	phase schedule.Phase
}

func systemOf[S any](fn func(*S), options []SystemOption) aSystem {
	p, _ := place(options)
	var only []string
	for _, g := range p.over {
		if g != nil && g.asGroup() != nil {
			only = append(only, g.asGroup().name)
		}
	}
	return aSystem{*raw.As[raw.Ptr](raw.Of(&fn)), strings.Join(only, " "), p.Phase}
}

// registered notes how a registration went and returns its error. Taken tells whether something
// of its kind has the name. Nothing is missing then but the function of a system.
func (w *World) registered(r refused, taken bool) error {
	w.names.refused = slices.DeleteFunc(w.names.refused, func(old refused) bool {
		return old.kind == r.kind && (old.name == r.name || r.err == nil && old.what == r.what)
	})
	if r.once = taken; r.err != nil && (!taken || r.kind == "system") {
		w.names.refused = append(w.names.refused, r)
	}
	return r.err
}

// withdrawn forgets what failed under a name, and tells whether anything had.
func (w *World) withdrawn(name string) bool {
	before := len(w.names.refused)
	w.names.refused = slices.DeleteFunc(w.names.refused, func(r refused) bool { return r.name == name })
	return len(w.names.refused) < before
}

// unregistered returns the errors of all registrations that failed; nil if there is none.
func (w *World) unregistered() error {
	errs := make([]error, len(w.names.refused))
	for i, r := range w.names.refused {
		errs[i] = r.err
	}
	w.names.refused = slices.DeleteFunc(w.names.refused, func(r refused) bool { return r.once })
	return errors.Join(errs...)
}
