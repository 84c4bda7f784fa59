package profile_test

import (
	"fmt"
	"strings"

	"github.com/ashlar-go/ashlar/profile"
)

// The faults of a file are reported with line and column, all at once.
func ExampleParseMap() {
	_, err := profile.ParseMap("run.map", strings.NewReader("ashlar map 1\nframe -1\nchunk body 0 at huge 0 1\nend\n"))
	fmt.Println(err)
	// Output:
	// run.map:2:7: "-1" is not a valid number of a frame: write a whole number from 0 to 18446744073709551615; the form is: frame N
	// run.map:3:1: no line above states region huge 0: put its statement first
}
