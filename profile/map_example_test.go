package profile_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/ashlar-go/ashlar/profile"
)

func ExampleMap_WriteTo() {
	m := profile.Map{
		Frame:   1200,
		Regions: []profile.Region{{Range: "huge", Free: 0xffff_fffc, Dirty: 0x7}},
		Chunks: []profile.Placed{
			{Group: "body", Order: 0, Slot: 1, Rows: 1820, Bytes: 65520, Moves: 1, Copied: 65520},
			{Group: "body", Order: 1, Slot: 0, Rows: 99, Bytes: 3564, Pins: 1},
		},
	}
	if _, err := m.WriteTo(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// ashlar map 1
	// frame 1200
	//
	// region huge 0 xx-.............................
	//
	// chunk body 0 at huge 0 1 rows 1820 bytes 65520 moves 1 copied 65520
	// chunk body 1 at huge 0 0 rows 99 bytes 3564 pins 1
	//
	// end
}

// The faults of a file are reported with line and column, all at once.
func ExampleParseMap() {
	_, err := profile.ParseMap("run.map", strings.NewReader("ashlar map 1\nframe -1\nchunk body 0 at huge 0 1\nend\n"))
	fmt.Println(err)
	// Output:
	// run.map:2:7: "-1" is not a valid number of a frame: write a whole number from 0 to 18446744073709551615; the form is: frame N
	// run.map:3:1: no line above states region huge 0: put its statement first
}
