package walk

import (
	"github.com/ashlar-go/ashlar/ecs/internal/match"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// flat is a spec with the fields of its parts side by side.
type flat struct {
	Name               string
	Columns            []source.Column
	Presences          []source.Presence
	Entities           int
	InRows             bool
	Rows               uintptr
	Pointers           bool
	Required, Excluded []*store.Component
	Any                [][]*store.Component
	Present, Disabled  []*store.Component
	Changes            []match.Change
}

func (f flat) spec() Spec {
	return Spec{
		Name:   f.Name,
		Query:  match.Query{Required: f.Required, Excluded: f.Excluded, Any: f.Any, Present: f.Present, Disabled: f.Disabled, Changes: f.Changes},
		Fields: source.Fields{Columns: f.Columns, Presences: f.Presences, Entities: f.Entities, InRows: f.InRows, Rows: f.Rows, Pointers: f.Pointers},
	}
}
