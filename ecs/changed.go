package ecs

import "reflect"

// Changed as the type of a field means that entities must have component T, and that
// its value was written, or T was added, since the query or system last went over its rows
// to their end. The first time all rows count as changed. The field itself holds nothing.
//
// Access for writing marks: Mut, Set, a column or pointer that the tag says is written.
// Whether another value was written is not looked at. Reading, moving and sorting are no
// change. What is written while the query or system itself runs, it does not see; what its
// Commands do, it does.
//
// Changes are noted chunk by chunk: all rows of a chunk are passed that has one changed row,
// or one that came from a chunk that had. So a system must bear rows that have not changed.
// It costs a look at each chunk, and a world without such queries pays nothing. Several
// such fields must all hold.
//
// With a tag `ashlar:"rows"` changes are noted row by row, too: only rows are passed that were
// written or added. Systems that write T then mark each row that they are passed. It costs 4
// bytes for each entity, in pages of 1024 of them, and 4 more for Added. (docs/design/changes.md)
type Changed[T any] struct{}

// Added is Changed for T being added alone: by Add, by a spawn, or by a command.
type Added[T any] struct{}

func (Changed[T]) filter() (kind, reflect.Type) { return kindChanged, reflect.TypeFor[T]() }
func (Added[T]) filter() (kind, reflect.Type)   { return kindAdded, reflect.TypeFor[T]() }

// changes tells whether a field asks for rows that have changed.
func (f *field) changes() bool { return f.kind == kindChanged || f.kind == kindAdded }
