package profile_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/ashlar-go/ashlar/profile"
)

// A tool reads a file, and writes what it has made of it.
func ExampleParse() {
	p, err := profile.Parse("game.profile", strings.NewReader(`ashlar profile 1
# of the first level alone
frames 60
component position size 16 align 8
end
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Components)
	p.Components = append(p.Components, profile.Component{Name: "hit points", Size: 4, Align: 4})
	p.WriteTo(os.Stdout)
	// Output:
	// [{position 16 8}]
	// ashlar profile 1
	//
	// frames 60
	//
	// component "hit points" size 4 align 4
	// component position size 16 align 8
	//
	// end
}

// All problems come at once, with their places.
func ExampleParse_problems() {
	_, err := profile.Parse("game.profile", strings.NewReader("ashlar profile 1\nhit body\nframes x\n"))
	fmt.Println(err)
	// Output:
	// game.profile:2:1: "hit" is not a statement: a line begins with frames, laid, component, handle, stored, group, growth, shared, lookup, system, access, field, choice, world or end
	// game.profile:3:8: "x" is not a valid number of frames: write a whole number from 0 to 18446744073709551615; the form is: frames N [sampled N] [early TIME] [layout HASH]
}

// Two runs weigh as much as their frames.
func ExampleMerge() {
	short := profile.Profile{Frames: 10, Groups: []profile.Group{{Name: "body", Rows: 10 * 100}}}
	long := profile.Profile{Frames: 30, Groups: []profile.Group{{Name: "body", Rows: 30 * 200}}}
	m, err := profile.Merge(short, long)
	fmt.Println(m.Groups[0].Rows/m.Frames, "rows over", m.Frames, "frames", err)
	// Output: 175 rows over 40 frames <nil>
}

func ExampleDiff() {
	a := profile.Profile{Frames: 10, Groups: []profile.Group{{Name: "body", Rows: 1000, Chunks: 10, Peak: 100, Last: 100}}}
	b := profile.Profile{Frames: 20, Groups: []profile.Group{{Name: "body", Rows: 3000, Chunks: 20, Peak: 100, Last: 100}}}
	for _, c := range profile.Diff(a, b) {
		fmt.Println(c.Is, c.Figures)
	}
	// Output: group body [{rows/frame 100 150}]
}
