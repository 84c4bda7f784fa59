package contract

import (
	"fmt"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// LacksError is returned for an entity that lacks components of a schema. To errors.Is it is
// ErrAbsent.
type LacksError struct {
	Entity     store.Entity
	Components []string // their names
	Schema     string
}

func (l LacksError) Error() string {
	return fmt.Sprintf("ecs: entity %v lacks %s of schema %s: add what is missing, or have Schema.Complete add it", l.Entity, strings.Join(l.Components, ", "), l.Schema)
}

// Is has errors.Is tell a LacksError by ErrAbsent.
func (LacksError) Is(target error) bool { return target == store.ErrAbsent }
