package store

import (
	"fmt"
	"slices"
)

// Group describes a group: to DeclareLevel, and to MembersOf. It is data alone, and knows no store.
type Group struct {
	Name string
	// Fixed are the components that members have in its rows, and Optional others that they
	// may have there.
	Fixed, Optional []*Component
	// With and Without are components that members have elsewhere, and lack.
	With, Without []*Component
}

// Fits returns an error if no store could have such a group.
func (g Group) Fits() error {
	seen := slices.Concat(g.Optional, g.All())
	for i, c := range seen {
		if slices.Contains(seen[:i], c) {
			return fmt.Errorf("component %q is named twice", c.Name)
		}
	}
	if len(g.Fixed) == 0 {
		return fmt.Errorf("it owns no component")
	}
	return nil
}

// All are the components that decide who is a member.
func (g Group) All() []*Component { return slices.Concat(g.Fixed, g.With, g.Without) }

// Owns are the components that the group owns: first the fixed ones by ID, then the optional ones.
func (g Group) Owns() []*Component { return slices.Concat(sorted(g.Fixed), sorted(g.Optional)) }
