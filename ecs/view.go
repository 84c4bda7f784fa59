package ecs

// Views says how systems get components that the rows they go over do not have. There are
// three ways: direct, which is the owner's column if its rows are in the same order; gathered,
// which copies values before each call; and cached, which keeps the copy and refreshes changed
// rows. It changes time and memory, never a result.
type Views struct {
	// Off gathers them before each call.
	Off bool
	// Always caches wherever there is room. Without it counts decide, for each system, table and
	// component.
	Always bool
}
