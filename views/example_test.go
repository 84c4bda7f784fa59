package views_test

import (
	"fmt"
	"time"

	"github.com/ashlar-go/ashlar/views"
)

// A choice is fed with what each frame cost and says what to use in the next one.
func ExampleStart() {
	cost := map[views.Strategy]time.Duration{views.Cached: 3 * time.Millisecond, views.Gathered: 9 * time.Millisecond}
	applies := views.SetOf(views.Cached, views.Gathered)
	c := views.Start(views.Unset, views.Unset, applies)
	frames := 0
	for ; c.Trying(); frames++ {
		c = c.Next(views.Frame{Took: cost[c.Use()], Rows: 100_000, Applies: applies})
	}
	fmt.Printf("%v after %d frames: %v ns a row, gathered took %v\n", c.Use(), frames, c.Cost(views.Cached), c.Cost(views.Gathered))
	// Output: cached after 8 frames: 30 ns a row, gathered took 90
}

// A view chunk is judged by its mark and by what has changed since its gather.
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
