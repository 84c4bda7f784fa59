package ecs

// Views says how systems get components that the rows they go over do not have. There are
// three ways: direct, which is the owner's column if its rows are in the same order; gathered,
// which copies values before each call; and cached, which keeps the copy and refreshes what has
// changed. It changes time and memory, never a result.
type Views uint8

const (
	// ViewsAuto chooses by counts, for each system, table and component.
	ViewsAuto Views = iota
	// ViewsOff gathers them before each call.
	ViewsOff
	// ViewsOn caches wherever there is room.
	ViewsOn
)
