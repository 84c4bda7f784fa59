package shared

import "github.com/ashlar-go/ashlar/views"

// Seen is how a column of a reader comes about in a group.
type Seen struct {
	// Column is its place in the reader's struct, and Name what it asks for.
	Column int
	Name   string
	// Share is the share of the owner's chunks that changed lately.
	Share float64
	// Applies is what could be used.
	Applies views.Set
	// Choice is the choice itself. Whoever writes it overrules the trials.
	Choice *views.Choice
}

// Seen returns the columns that the reader has met in groups so far. Choices are good until
// a group has room for another view.
func (r *Reader) Seen() (list []Seen) {
	for _, s := range r.served {
		s.open = true // a choice may be written
		for i := range s.cols {
			c := &s.cols[i]
			list = append(list, Seen{c.at, r.Columns[c.at].Shared(), c.owner.share, c.applies(), &c.choice})
		}
	}
	return list
}

// DropAll drops the views for which idle returns true, whoever uses them, and gives their
// pages back.
func (v *Views) DropAll(idle func() bool) error {
	for _, g := range v.groups {
		rooms := g.rooms(v.base.Frame)
		for i := range rooms {
			rooms[i].idle = idle()
			rooms[i].used = !rooms[i].idle
		}
		for _, run := range idleRuns(rooms, v.Page) {
			if err := v.giveBack(g, run); err != nil {
				return err
			}
		}
	}
	return nil
}
