package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/advice"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// The examples of the documentation, each a process of its own. The environment has them recorded, laid out and timed.

// laidExample is an example, the flags that make it large enough to time, and a layout by hand.
type laidExample struct{ name, flags, byHand string }

func laidExamples() []laidExample {
	return []laidExample{
		{"boids", "-boids 40000 -frames 200 -workers 1", "rows table/position+velocity 40000\n"},
		{"epidemic", "-people 100000 -days 150 -workers 1", "rows table/place~infected~recovered~susceptible 100000\n"},
		{"bullets", "-enemies 40000 -frames 400", "rows table/position+health~burning~poison 40000\n"},
		{"cameras", "-things 60000 -cameras 8 -frames 200", "apart things\napart sprites\n"},
		{"guided", "-entities 100000 -frames 300", "view chase body.X gathered\n"},
	}
}

// laid is the example as a program of the table.
func (x laidExample) laid() laid {
	return laid{"docs/examples/" + x.name, x.byHand, func() []layout.Statement {
		dir := twin.Must(os.MkdirTemp("", "ashlar-example-"))
		defer os.RemoveAll(dir)
		list, _ := x.layout(dir, "off")
		return list
	}, x.round, nil}
}

// layout has the statements that a recorded run of the example speaks for. It goes by the layout in a file, or by none: off. It also
// returns the digest of the run.
func (x laidExample) layout(dir, by string) ([]layout.Statement, uint64) {
	path := filepath.Join(dir, "run.profile")
	digest := x.run(dir, layout.EnvironmentVariable+"="+by, profile.RecordVariable+"="+path)
	return advice.Layout(twin.Must(profile.ReadFile(path)), 1<<20), digest
}

// round runs the example with each layout.
func (x laidExample) round(round int, runs []*laidRun) {
	dir := twin.Must(os.MkdirTemp("", "ashlar-example-"))
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "layout")
	for k := range runs {
		r := runs[(k+round)%len(runs)]
		use, notes := "off", filepath.Join(dir, fmt.Sprint("notes", k))
		if !r.Off {
			twin.Check(os.WriteFile(file, r.Text, 0o600))
			use = file
		}
		digest := x.run(dir, layout.EnvironmentVariable+"="+use, layout.TrialVariable+"="+notes)
		var t layout.Trial
		twin.Check(json.Unmarshal(twin.Must(os.ReadFile(notes)), &t))
		r.trials, r.digest = append(r.trials, t), digest
	}
}

// aboutWays are words of output about how a system got a value, which a layout may change.
var aboutWays = regexp.MustCompile("direct|gathered|cached")

// run builds the example, unless dir has it, and runs it. It returns a digest of the lines that it prints, but for
// those about ways.
func (x laidExample) run(dir string, env ...string) uint64 {
	program := filepath.Join(dir, x.name)
	if _, err := os.Stat(program); err != nil {
		build := exec.Command("go", "build", "-o", program, "./docs/examples/"+x.name)
		build.Dir, build.Stderr = "..", os.Stderr
		twin.Check(build.Run())
	}
	cmd := exec.Command(program, strings.Fields(x.flags)...)
	cmd.Env, cmd.Stderr = append(os.Environ(), env...), os.Stderr
	h := fnv.New64a()
	for line := range bytes.Lines(twin.Must(cmd.Output())) {
		if !aboutWays.Match(line) {
			h.Write(line)
		}
	}
	return h.Sum64()
}
