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
