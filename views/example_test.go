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
