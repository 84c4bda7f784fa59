package ecs

// Views says how systems over a group get components that the group does not own. There are
// three ways: direct, which is the owner's column if its rows are in the same order; gathered,
// which copies values before each call; and cached, which keeps the copy and refreshes what has
// changed. It changes time and memory, never a result.
type Views uint8

const (
	// ViewsAuto tries for each system, group and component which way costs least.
	ViewsAuto Views = iota
	// ViewsOff gathers them before each call.
	ViewsOff
	// ViewsOn caches wherever there is room.
	ViewsOn
)
