// Package field reads the struct of a system, query or group, field by field.
//
// A *field* has a *kind*, which follows from its type, and a *tag*, which is a name. Of reads these from the type alone. Package ecs
// then *binds* the field: it finds the component, or the other thing of its world, that type and tag mean. All else follows
// from bound fields, without a world.
//
//	struct ─Of→ fields ─ecs binds→ fields ─┬─ Check     mistakes of the struct as a whole
//	                                       ├─ Spec      which rows match, and the columns of a call
//	                                       ├─ Declares  things that a system reads and writes, for systems side by side
//	                                       └─ Met       components that a call reaches in several ways
//
// Types of package ecs are known by their names: this package is below, and can't import it. A generic one has its type argument
// in its first field, which takes no room.
//
// Invariants: a field that is refused has no meaning. Names of types in errors are as a program writes them.
package field
