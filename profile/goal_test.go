package profile

import (
	"strings"
	"testing"
	"time"
)

// An invalid goal is refused with its line and column.
func TestGoalProblems(t *testing.T) {
	for line, want := range map[string]string{
		"goal":                           "p:2:5: the goal is missing: it is one of resident, frame; the form is: goal resident N|frame TIME",
		"goal speed":                     "p:2:6: the goal is missing",
		"goal resident":                  "bytes: the value is missing",
		"goal resident 0":                "it states no figure above 0: state one",
		"goal resident -1":               `"-1" is not a valid number of bytes`,
		"goal resident 4ms":              `"4ms" is not a valid number of bytes`,
		"goal frame":                     "time: the value is missing",
		"goal frame 0s":                  "it states no figure above 0: state one",
		"goal frame -4ms":                `"-4ms" is not a valid time`,
		"goal frame 300M":                `"300M" is not a valid time`,
		"goal frame 4ms 5ms":             `p:2:16: unexpected "5ms"`,
		"goal frame 4ms\ngoal frame 4ms": "p:3:1: ",
	} {
		_, err := Parse("p", strings.NewReader("ashlar profile 1\n"+line+"\n"))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}

// Goals of two profiles are added, and a goal that differs is a contradiction.
func TestGoalMerge(t *testing.T) {
	of := func(resident uint64, frame time.Duration) Profile {
		return Profile{Hints: Hints{Goal: Goal{resident, frame}}}
	}
	if m := mustMerge(t, of(300<<20, 0), of(300<<20, 4)); m.Hints.Goal != (Goal{300 << 20, 4}) {
		t.Errorf("%+v", m.Hints.Goal)
	}
	_, err := Merge(of(300<<20, time.Millisecond), of(200<<20, time.Second))
	for _, want := range []string{"goal resident: one profile states `goal resident", "goal frame: one profile states `goal frame"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if got := overlay(of(300<<20, 4), of(0, 5)); got.Hints.Goal != (Goal{300 << 20, 5}) {
		t.Errorf("overruled: %+v", got.Hints.Goal)
	}
}
