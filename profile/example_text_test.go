package profile_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/ashlar-go/ashlar/profile"
)

// A developer writes a file of a few lines.
func ExampleParse() {
	p, err := profile.Parse("game.profile", strings.NewReader(`ashlar profile 1
# the arena never moves
pin arena
cold debris
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Hints.Cold)
	p.Hints.Budget.Bytes = 4 << 20
	p.WriteTo(os.Stdout)
	// Output:
	// [debris]
	// ashlar profile 1
	//
	// budget bytes 4M
	// cold debris
	// pin arena
}

// All problems come at once, with their places.
func ExampleParse_problems() {
	_, err := profile.Parse("game.profile", strings.NewReader("ashlar profile 1\nhit body\nbudget time 5\n"))
	fmt.Println(err)
	// Output:
	// game.profile:2:1: "hit" is not a statement: a line begins with frames, off, budget, goal, cold, pin, view, component, stored, group, shared, lookup, system, access, choice, world or end
	// game.profile:3:13: "5" is not a valid time: write a number with a unit, as in 250us, 1.5ms or 2s; the form is: budget [time TIME] [bytes N]
}

// Two runs weigh as much as their frames.
func ExampleMerge() {
	short := profile.Profile{Frames: 10, Groups: []profile.Group{{Name: "body", Rows: 10 * 100}}}
	long := profile.Profile{Frames: 30, Groups: []profile.Group{{Name: "body", Rows: 30 * 200}}}
	m, err := profile.Merge(short, long)
	fmt.Println(m.Groups[0].Rows/m.Frames, "rows over", m.Frames, "frames", err)
	// Output: 175 rows over 40 frames <nil>
}

// A profile that was written before the program changed.
func ExampleResolve() {
	p := profile.Profile{Hints: profile.Hints{Pinned: []string{"arena", "lobby"}}}
	p, dropped, err := profile.Resolve(p, profile.Shape{Groups: []string{"arena"}})
	fmt.Println(p.Hints.Pinned, dropped)
	fmt.Println(err)
	// Output:
	// [arena] 1
	// profile: pin lobby: the program has no such group: take the statement out, record the profile anew, or leave strict mode, which drops it
}

func ExampleDiff() {
	a := profile.Profile{Frames: 10, Groups: []profile.Group{{Name: "body", Rows: 1000, Chunks: 10, Peak: 100, Last: 100}}}
	b := profile.Profile{Frames: 20, Groups: []profile.Group{{Name: "body", Rows: 3000, Chunks: 20, Peak: 100, Last: 100}}}
	for _, c := range profile.Diff(a, b) {
		fmt.Println(c.Is, c.Figures)
	}
	// Output: group body [{rows/frame 100 150}]
}

// Hints in code overrule the hints of a file.
func ExampleLoad() {
	l, err := profile.Load(profile.LoadOptions{
		Code:  profile.Profile{Hints: profile.Hints{Cold: []string{"debris"}}},
		Named: true, // not the environment of this test
	})
	fmt.Println(l.Profile.Hints.Cold, l.Sources, err)
	// Output: [debris] [code: 1 statement] <nil>
}
