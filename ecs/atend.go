package ecs

// AtEnd as the type of a field of a system or observer takes structural changes that are made at the end of the frame, in
// place of the next safe point:
//
//	End ecs.AtEnd
//
//	c.End.Do().Destroy(e)
//	fire.Later(c.End.Do()).Remove(e)
//
// So no later system of the frame sees them, wherever it stands, and no safe point stands behind the system because of
// them. They come behind all others of the frame, in the order of the calls. If memory is refused for one, Run
// returns the error and goes on there the next time.
type AtEnd struct{ do *Commands }

// Do returns the commands: see [Commands]. It is for use within the call of the system.
func (a AtEnd) Do() *Commands {
	if a.do == nil {
		panic(unmade{"AtEnd", "Do"})
	}
	return a.do
}
