package views_test

import (
	"fmt"

	"github.com/ashlar-go/ashlar/views"
)

// The rule says how systems get a component in the next walk, from counts of the last frames.
func ExampleChoose() {
	c := views.Counts{Rows: 100_000, Chunks: 25, Readers: 1}
	fmt.Println(views.Choose(c))
	c.Moved = 8 // rows came or went in each of the last 8 frames
	fmt.Println(views.Choose(c))
	c.Readers = 2
	fmt.Println(views.Choose(c))
	// Output:
	// cached
	// gathered
	// cached
}

// A view chunk is judged by its mark and by the changes since its gather.
func ExampleMark() {
	places := []views.Place{1<<13 | 7, 1<<13 | 2, 2<<13 | 4} // rows 7 and 2 of cell 1, row 4 of cell 2
	stamps := views.Stamps{Values: []uint64{1, 1, 1, 1}, Order: []uint64{1, 1, 1, 1}}
	var c views.Changes
	var m views.Mark
	c.Find(stamps, 5)
	m.Note(5, len(places), places, &c) // gathered in tick 5

	stamps.Values[3] = 6 // a chunk that none of the rows is in
	c.Find(stamps, m.Tick)
	fmt.Println(m.Judge(1, 3, &c))
	stamps.Values[2] = 7
	c.Find(stamps, m.Tick)
	fmt.Println(m.Judge(1, 3, &c))
	// Output:
	// valid
	// all by place
}
