package match

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Query lists the components that rows must have, and must not have.
type Query struct {
	// Required and Excluded are components that rows must have, and must not have. One that is
	// disabled counts as if the row lacked it.
	Required, Excluded []*store.Component
	// Any are lists of components: rows must have one of each list at least.
	Any [][]*store.Component
	// Present are required components that count even if they are disabled. Disabled are
	// components that must be disabled. Nil stands for the entity as a whole, which must be enabled otherwise.
	Present, Disabled []*store.Component
	// Changes are conditions on rows since the last walk. Their components are
	// among the required ones, and watched.
	Changes []Change
}

// NoRows tells whether nothing says which rows it would be.
func (q *Query) NoRows() bool { return len(q.Required)+len(q.Any) == 0 }

// Has tells whether an entity has the required components, changed after a tick where that is asked
// for, and no excluded one. It answers for one entity by look-ups, without a filter, and
// must agree with Tests.Match for the entity's row. It reads no table's bits, so it may be called
// while a walk is under way.
func (q *Query) Has(s *store.Store, e store.Entity, since uint64) bool {
	for _, x := range q.Required {
		if !x.Has(e) || !q.shows(x, x.Enabled(e)) {
			return false
		}
	}
	for _, x := range q.Excluded {
		if x.Enabled(e) {
			return false
		}
	}
	for i := range q.Changes {
		if !q.Changes[i].has(e, since) {
			return false
		}
	}
	for _, list := range q.Any {
		if !slices.ContainsFunc(list, func(x *store.Component) bool { return x.Enabled(e) }) {
			return false
		}
	}
	return q.shows(nil, s.Enabled(e))
}

// shows tells whether something may be enabled, or not, as it is; nil is the entity.
func (q *Query) shows(c *store.Component, enabled bool) bool {
	if slices.Contains(q.Disabled, c) {
		return !enabled
	}
	return enabled || slices.Contains(q.Present, c)
}

// Hides tells whether rows may have to be tested because something is disabled, or must be.
// Required are the components that stand for the query's own; nil: its own. Each walk asks once,
// before its first table. Its answer is the asked of Begin: without it, no table looks for bits
// of disabled rows.
func (q *Query) Hides(s *store.Store, required [][]*store.Component) bool {
	if len(q.Disabled) > 0 || !s.Disables() {
		return len(q.Disabled) > 0
	}
	if s.Disabled(nil) > 0 && !slices.Contains(q.Present, nil) {
		return true
	}
	for _, list := range required {
		if disables(s, list) {
			return true
		}
	}
	if len(required) > 0 {
		return false
	}
	return disables(s, q.Required) || q.hidesOthers(s)
}

// hidesOthers tells whether some entities have a component disabled that is excluded, or one
// of several: these match, or not, as if they lacked it.
func (q *Query) hidesOthers(s *store.Store) bool {
	return disables(s, q.Excluded) || slices.ContainsFunc(q.Any, func(list []*store.Component) bool { return disables(s, list) })
}

// disables tells whether some entities have one of the components disabled.
func disables(s *store.Store, list []*store.Component) bool {
	return slices.ContainsFunc(list, func(c *store.Component) bool { return s.Disabled(c) > 0 })
}
