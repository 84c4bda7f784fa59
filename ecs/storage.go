package ecs

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Storage states how a component is stored. It is an option of Register, for programs
// that know it before it can be counted. String is the name in reports and profiles: fixed for
// Stable, optional for Volatile, thin for Thin.
type Storage uint8

const (
	// Counted, the zero value, leaves it to the store, which counts removes and the rows
	// that systems visit. The component begins as a column, as with Stable.
	Counted Storage = iota
	// Stable is a column of the tables in which all entities have the component. It is fastest to
	// go over. Adding and removing it moves the entity's row to another table.
	Stable
	// Volatile is a column that tables have for all their rows, with a presence bit for
	// each row. Adding and removing it writes a bit and a value. It is for components that
	// come and go.
	Volatile
	// Thin is rows of its own, apart from tables. It is for components of few entities.
	Thin
)

// String is the name in reports and profiles: fixed for Stable, optional for Volatile.
func (s Storage) String() string {
	switch s {
	case Counted:
		return "counted"
	case Stable:
		return store.Fixed.String()
	case Volatile:
		return store.Optional.String()
	case Thin:
		return store.Thin.String()
	}
	return fmt.Sprintf("Storage(%d)", uint8(s))
}

// MarshalText is String.
func (s Storage) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// wayOf is the storage that options of Register choose.
func wayOf(how []Storage) (way store.Way, stated bool, err error) {
	if len(how) > 1 {
		return 0, false, fmt.Errorf("%d ways to store it are given: give one of Stable, Volatile and Thin, or none", len(how))
	}
	for _, s := range how {
		switch s {
		case Counted:
		case Stable:
			return store.Fixed, true, nil
		case Volatile:
			return store.Optional, true, nil
		case Thin:
			return store.Thin, true, nil
		default:
			return 0, false, fmt.Errorf("%d is not a way to store it: give Stable, Volatile or Thin", s)
		}
	}
	return store.Fixed, false, nil
}
