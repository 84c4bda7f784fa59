package profile_test

import (
	"fmt"
	"os"
	"strings"
	"testing/fstest"

	"github.com/ashlar-go/ashlar/internal/profile"
)

// What a developer writes down is a file of a few lines.
func ExampleParse() {
	f, err := profile.Parse("game.profile", strings.NewReader(`ashlar profile 1
# the arena never moves
pin arena
cold debris
hot body
`), profile.Strict)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, h := range f.Intent.Heat {
		fmt.Println(h.Group, "cold:", h.Cold)
	}
	f.Intent.Budget.Bytes = 4 << 20
	f.WriteTo(os.Stdout)
	// Output:
	// body cold: false
	// debris cold: true
	// ashlar profile 1
	//
	// budget bytes 4M
	// hot body
	// cold debris
	// # the arena never moves
	// pin arena
}

// All problems come at once, with their places.
func ExampleParse_problems() {
	_, err := profile.Parse("game.profile", strings.NewReader("ashlar profile 1\nhit body\nbudget time 5\n"), profile.Strict)
	fmt.Println(err)
	// Output:
	// game.profile:2:1: "hit" is no statement: a line begins with frames, off, budget, expect, hot, cold, pin, together, view, component, stored, group, shared, system, access, choice or end
	// game.profile:3:13: "5" is no time: it takes a number with a unit, as in 250us, 1.5ms or 2s; the form is: budget [time TIME] [bytes N]
}

// Two runs weigh as much as their frames.
func ExampleMerge() {
	short := profile.Profile{Frames: 10, Groups: []profile.Group{{Name: "body", Rows: 10 * 100}}}
	long := profile.Profile{Frames: 30, Groups: []profile.Group{{Name: "body", Rows: 30 * 200}}}
	m, err := profile.Merge(short, long)
	fmt.Println(m.Groups[0].Rows/m.Frames, "rows over", m.Frames, "frames", err)
	// Output: 175 rows over 40 frames <nil>
}

// A profile that was recorded before the program changed.
func ExampleResolve() {
	p := profile.Profile{Intent: profile.Intent{Pinned: []string{"arena", "lobby"}}}
	now := profile.Shape{Groups: []profile.GroupShape{{Name: "arena"}}}
	p, dropped, _ := profile.Resolve(p, now, profile.Lenient)
	fmt.Println(p.Intent.Pinned, dropped.Total())
	_, _, err := profile.Resolve(profile.Profile{Intent: profile.Intent{Pinned: []string{"lobby"}}}, now, profile.Strict)
	fmt.Println(err)
	// Output:
	// [arena] 1
	// profile: pin lobby: the program has not what it is about: record the profile anew, take the statement out, or leave strict mode, which drops it
}

func ExampleDiff() {
	a := profile.Profile{Frames: 10, Groups: []profile.Group{{Name: "body", Rows: 1000, Chunks: 10, Peak: 100, Last: 100}}}
	b := profile.Profile{Frames: 20, Groups: []profile.Group{{Name: "body", Rows: 3000, Chunks: 20, Peak: 100, Last: 100}}}
	profile.WriteChanges(os.Stdout, profile.Diff(a, b))
	// Output:
	// changed  group body
	//   rows/frame  100 → 150  1.5x
}

func ExampleOverlap() {
	p := profile.Profile{Systems: []profile.System{{Name: "move", Access: []profile.Access{
		{Group: "body", Component: "position", Bytes: 300},
		{Group: "body", Component: "spin", Bytes: 100},
	}}}}
	now := profile.Shape{Systems: []string{"move"}, Groups: []profile.GroupShape{{Name: "body"}}, Components: []profile.Component{{Name: "position", Size: 16, Align: 8}}}
	fmt.Println(profile.Overlap(p, now))
	// Output: 0.75
}

// A profile embedded in the program, and options in code over it.
func ExampleLoad() {
	l, err := profile.Load(profile.LoadOptions{
		BuiltIn:     fstest.MapFS{"game.profile": {Data: []byte("ashlar profile 1\nhot body\n")}}, // an embed.FS, say
		BuiltInName: "game.profile",
		Code:        profile.Profile{Intent: profile.Intent{Heat: []profile.Heat{{Group: "body", Cold: true}}}},
		Named:       true, // not what this test's surroundings have
	})
	fmt.Println(l.Profile.Intent.Heat, err)
	for _, s := range l.Sources {
		fmt.Println(s)
	}
	// Output:
	// [{body true}] <nil>
	// built-in game.profile: statements 1, frames 0
	// code: statements 1, frames 0
}
