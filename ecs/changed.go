package ecs

// Changed as the type of a field requires component T, and passes only rows that have changed:
// T was added, or its value was written. A change counts if it came after the last complete
// walk of the query or system. In the first walk all rows count as changed. The field itself
// has no values.
//
// Access for writing marks rows as changed: Mut, Set, and a field [Write] or [WriteOne]. The values
// are not compared. Reading, moving and sorting do not mark. A walk does not see changes made while
// it runs. The next walk sees changes made by its Commands.
//
// Changes are noted chunk by chunk. If one row of a chunk has changed, or came from a chunk
// with changes, all rows of the chunk are passed. So a system must expect rows that have not
// changed. The test costs a look at each chunk, and nothing in a world without such queries.
// Of several such fields, rows have to pass all.
//
// [ChangedRows] notes changes row by row, too. (docs/design/changes.md)
type Changed[T any] struct{ of of[T] }

// Added is Changed for T being added alone: by Add, by a spawn, or by a command.
type Added[T any] struct{ of of[T] }

// ChangedRows is Changed row by row: only rows are passed that were written or added. Systems
// that write T then mark each row that they are passed. It costs 4 bytes for each entity, in
// pages of 1024 of them, and 4 more for AddedRows.
type ChangedRows[T any] struct{ of of[T] }

// AddedRows is Added row by row.
type AddedRows[T any] struct{ of of[T] }
