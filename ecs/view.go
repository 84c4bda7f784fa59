package ecs

// Views says how systems get components that their groups do not own.
type Views uint8

const (
	// ViewsAuto tries for each system, group and component whether it pays to keep a
	// view, and goes by that.
	ViewsAuto Views = iota
	// ViewsOff keeps none: what a group does not own is gathered for each call.
	ViewsOff
	// ViewsOn keeps a view wherever there is room.
	ViewsOn
)

// ViewStats is what is known of a view.
type ViewStats struct {
	Group, Component, Field string
	Readers                 int    // systems that ask for it
	Built                   uint64 // chunks gathered as a whole
	Refreshed               uint64 // chunks of which the rows that may have changed were gathered
	Reused                  uint64 // chunks that were good as they were
	Trials                  uint64 // walks in which a reader tried a way to get the values
	Bytes                   uint64 // gathered
	Kept                    bool   // some system used it lately
	Dropped                 uint64 // bytes given back; views side by side that are dropped together are counted with the first
	Retained                uint64 // bytes of whole pages that nobody uses any more, and that could not be given back: in huge pages, or on the Go heap
}

// ViewStats returns what is known of the views that systems have asked for.
func (w *World) ViewStats() (list []ViewStats) {
	for _, s := range w.made("ViewStats").views.Stats() {
		list = append(list, ViewStats(s))
	}
	return list
}
