package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/profile/layout"
)

// villageLayout is a layout with a statement about one world.
const villageLayout = `ashlar layout 1
# the village
stored poison volatile  # it wears off
rows table/person+at 2000000
sort person by at every 600
cold ruins

world menu
cold person
`

// villageProfile is the record of a run that asks for a layout: a component that is removed often, and a long table.
const villageProfile = `ashlar profile 1

frames 100

component at size 8 align 4
component person size 12 align 4
component poison size 4 align 4

stored poison optional reason "removed often" entities 40 tables 1 since 24 removes 900

group ruins owns at rows 100 chunks 100 peak 1 last 1
group table/person+at owns person,at rows 190000000 chunks 300 peak 1912345 last 1900000

system walk frames 100
access walk table/person+at person read rows 190000000 chunks 300 bytes 2280000000

end
`

func TestLayoutShow(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	writeText(t, "a.layout", villageLayout)
	writeText(t, "a.profile", villageProfile)
	l, err := layout.Parse("a.layout", []byte(villageLayout))
	if err != nil {
		t.Fatal(err)
	}
	statements := "layout a.layout  " + l.Hash() + `

statement                     why
stored poison volatile        it wears off
rows table/person+at 2000000
sort person by at every 600
cold ruins
world menu: cold person
`
	status, out, errs := call(t, "layout", "show", "a.layout")
	if status != 0 || errs != "" || out != statements {
		t.Errorf("status %d, %s\n%s\nwant\n%s", status, errs, out, statements)
	}
	// With a profile the tables are drawn, the largest first.
	status, out, errs = call(t, "layout", "show", "a.layout", "a.profile")
	if status != 0 || errs != "" || !strings.HasPrefix(out, statements+"\ntable/person+at  1912345 rows of 28 B (2000000 expected)\n") || !strings.Contains(out, "\nruins  1 rows of 16 B (cold)\n") {
		t.Errorf("status %d, %s\n%s", status, errs, out)
	}
	for _, want := range []string{"\nentity  person  at\n", "\n     8      12   8\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	// Statements about other worlds are not drawn.
	writeText(t, "menu.profile", strings.Replace(villageProfile, "\nframes", "\nworld menu\n\nframes", 1))
	if _, out, errs = call(t, "layout", "show", "a.layout", "menu.profile"); !strings.Contains(out, "\nworld menu: table/person+at  1912345 rows of 28 B (2000000 expected)\n") {
		t.Errorf("%s%s", out, errs)
	}
	// A layout of another program says nothing of the profile, and one name is enough.
	const stranger = "\nno name of the layout is in the profile: record"
	writeText(t, "other.layout", "ashlar layout 1\nstored dragon stable\ncold lairs\n")
	if status, out, _ := call(t, "layout", "show", "other.layout", "a.profile"); status != 0 || !strings.Contains(out, stranger) || !strings.Contains(out, "\ntable/person+at") {
		t.Errorf("status %d, %s", status, out)
	}
	writeText(t, "other.layout", "ashlar layout 1\nstored dragon stable\nstored person stable\n")
	for _, args := range [][]string{{"other.layout", "a.profile"}, {"a.layout", "a.profile"}, {"a.layout", "menu.profile"}} {
		if _, out, _ := call(t, append([]string{"layout", "show"}, args...)...); strings.Contains(out, stranger) {
			t.Errorf("%v: %s", args, out)
		}
	}
	writeText(t, "none.layout", "ashlar layout 1\n")
	if _, out, errs = call(t, "layout", "show", "none.layout"); out != "layout none.layout  states nothing\n\n" {
		t.Errorf("%q%s", out, errs)
	}
	if status, out, errs := call(t, "layout", "show", "a.profile"); status != 1 || out != "" || !strings.Contains(errs, "a.profile:1:8: the file is an ashlar profile, not a layout: name another file") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	if status, out, errs := call(t, "layout", "show", "a.layout", "a.layout"); status != 1 || out != "" || !strings.Contains(errs, "a.layout:1:8: the file is an ashlar layout, not a profile") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	for _, args := range [][]string{{"a.layout"}, {"a.layout", "a.profile"}} {
		var e strings.Builder
		if status := run(t.Context(), console{nil, full{}, &e, false, false, verb{}}, append([]string{"layout", "show"}, args...)); status != 1 || !strings.Contains(e.String(), "no space left") {
			t.Errorf("not printed: status %d, %s", status, e.String())
		}
	}
}

// All mistakes of all files come at once, and good ones are named as such.
func TestLayoutCheck(t *testing.T) {
	t.Chdir(t.TempDir())
	writeText(t, "good", villageLayout)
	writeText(t, "same", strings.ReplaceAll(villageLayout, "# the village\n", ""))
	l, err := layout.Parse("good", []byte(villageLayout))
	if err != nil {
		t.Fatal(err)
	}
	said := "good: good: 5 statements, hash " + l.Hash() + "\nsame: good: 5 statements, hash " + l.Hash() + "\n"
	if status, out, errs := call(t, "layout", "check", "good", "same"); status != 0 || errs != "" || out != said {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	writeText(t, "bad", "ashlar layout 1\ncold a\nstored b often\nfly\ncold a\nsort a by b every 0\n")
	writeText(t, "worse", "ashlar layout 2\n")
	status, out, errs := call(t, "layout", "check", "bad", "good", "worse", "none", "same")
	if status != 1 || out != said {
		t.Errorf("status %d, %s", status, out)
	}
	for _, want := range []string{
		": the way is one of stable, volatile, ordered, thin", `bad:4:1: "fly" is not a statement`, "bad:5:1: line 2 states it already",
		"bad:6:1: ", "worse:1:15: the file has version 2", "none: ", "name a file that is there and can be read",
	} {
		if !strings.Contains(errs, want) {
			t.Errorf("no %q in %s", want, errs)
		}
	}
	if status, out, errs := callWith(t, strings.NewReader("ashlar layout 1\ncold a b\n"), "layout", "check", "-"); status != 1 || out != "" || !strings.Contains(errs, `the standard input:2:8: unexpected "b"; the form is: cold GROUP`) {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}

func TestLayoutMistakes(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"", "layout needs a task: show, check or try"},
		{"burn x", `unknown task "burn": use show, check or try`},
		{"show", "wrong number of files: use layout show FILE"},
		{"check", "wrong number of files: use layout check FILE"},
		{"try", "wrong number of files: use layout try FILE"},
		{"try -- true", "wrong number of files: use layout try FILE"},
		{"show a b c", "wrong number of files"},
		{"try a b -- true", "wrong number of files"},
		{"show a -- true", "layout show runs no program: leave -- and what follows out"},
		{"check a -- true", "layout check runs no program"},
		{"try a", "layout try needs a program: layout try a -- PROGRAM [ARGUMENTS]"},
		{"try a --", "layout try needs a program"},
		{"try a -- --", "layout try needs a program"},
		{"try a -rounds 2 -- true", "-rounds 2: at least 3 are needed"},
		{"try a -warp -- true", "flag provided but not defined: -warp"},
	} {
		status, out, errs := call(t, append([]string{"layout"}, strings.Fields(tt.args)...)...)
		if status != 2 || out != "" || !strings.Contains(errs, tt.want) {
			t.Errorf("%s: status %d, %s%s; want %s", tt.args, status, out, errs, tt.want)
		}
	}
}

// Each -- begins a program, also one whose arguments look like flags of the command.
func TestCutArgs(t *testing.T) {
	for line, want := range map[string]string{
		"a b":                              "a b|",
		"a -- x -each -- y 1 2":            "a|x -each|y 1 2",
		"a -- -- x -- --":                  "a|x",
		"try -rounds 9 f -- go run . -o x": "try -rounds 9 f|go run . -o x",
	} {
		own, commands := cutArgs(strings.Fields(line))
		got := []string{strings.Join(own, " ")}
		for _, c := range commands {
			got = append(got, strings.Join(c, " "))
		}
		if text := strings.Join(got, "|"); text != want && text != strings.TrimSuffix(want, "|") {
			t.Errorf("%s: %s, want %s", line, text, want)
		}
	}
}

// advisedStatements are advised by villageProfile.
const advisedStatements = `stored poison volatile  # advised: removed often, 9 removes a frame; the run stored it so from frame 24 on

rows table/person+at 2000000  # advised: 1912345 at most, 1900000 on average; about 2.5ms less until it has grown
`

// The advice of a profile is written to a new file, to the standard output, and to an empty file.
func TestAdviseLayout(t *testing.T) {
	t.Chdir(t.TempDir())
	writeText(t, "a.profile", villageProfile)
	writeText(t, "empty", "")
	want := "ashlar layout 1\n\n" + advisedStatements
	for _, path := range []string{"new", "empty", "new"} { // the second time over the first
		status, out, errs := call(t, "advise", "a.profile", "-o", path)
		if said := "wrote " + path + ": 2 statements, 2 of them advised\ntry it: ashlar layout try " + path + " -- PROGRAM\n"; status != 0 || errs != "" || out != said {
			t.Errorf("%s: status %d, %s%s", path, status, out, errs)
		}
		if text := readText(t, path); text != want {
			t.Errorf("%s has\n%s\nwant\n%s", path, text, want)
		}
	}
	if status, out, errs := call(t, "advise", "a.profile", "-o", "-"); status != 0 || errs != "" || out != want {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	// The next run begins so, and a record that asks for nothing takes the advice back.
	writeText(t, "short.profile", "ashlar profile 1\nworld a\nframes 10\nworld b\nframes 640\nend\n")
	status, out, errs := call(t, "advise", "short.profile", "-o", "new")
	if status != 0 || errs != "" || out != "wrote new: 0 statements, 0 of them advised\nworld a: only 10 frames recorded: record some hundred for advice to rest on\n" {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	if text := readText(t, "new"); text != "ashlar layout 1\n" {
		t.Errorf("%s", text)
	}
	if _, out, _ := call(t, "advise", "short.profile"); !strings.Contains(out, "\nworld a: only 10 frames recorded: record some hundred for advice to rest on\n\n") || strings.Contains(out, "world b: only") {
		t.Errorf("%s", out)
	}
}

// A file that a person has written keeps each of its lines. Only earlier advice is replaced.
func TestAdviseKeepsLayout(t *testing.T) {
	t.Chdir(t.TempDir())
	writeText(t, "a.profile", villageProfile)
	const before = `ashlar layout 1
# mine: poison is an exception

stored poison thin   # by hand
cold   ruins
rows table/gone 70000  # advised: 70000 at most, 70000 on average

world menu
cold person  # not there
`
	writeText(t, "mine", before)
	status, out, errs := call(t, "advise", "a.profile", "-o", "mine")
	if status != 0 || errs != "" || !strings.HasPrefix(out, "wrote mine: 4 statements, 1 of them advised\n") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	const want = `ashlar layout 1
# mine: poison is an exception

stored poison thin   # by hand
cold   ruins
rows table/person+at 2000000  # advised: 1912345 at most, 1900000 on average; about 2.5ms less until it has grown

world menu
cold person  # not there
`
	if text := readText(t, "mine"); text != want {
		t.Errorf("it has\n%s\nwant\n%s", text, want)
	}
	// A statement that a trial has put out of force does not come back.
	writeText(t, "mine", strings.Replace(want, "rows table/person+at 2000000  # advised: 1912345 at most, 1900000 on average; about 2.5ms less until it has grown", "# refuted: 1.100 frame in game: rows table/person+at 100", 1))
	before2 := readText(t, "mine")
	if status, _, errs := call(t, "advise", "a.profile", "-o", "mine"); status != 0 || readText(t, "mine") != before2 {
		t.Errorf("status %d, %s: it has\n%s", status, errs, readText(t, "mine"))
	}
}

// Files that are no layout, and bad ones, stay as they are.
func TestAdviseLayoutRefused(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	writeText(t, "a.profile", villageProfile)
	writeText(t, "b.profile", villageProfile)
	writeText(t, "bad", "ashlar layout 1\ncold\n")
	writeText(t, "notes", "my notes\n")
	writeText(t, "closed", "ashlar layout 1\ncold ruins\nend\n")
	before := snapshot(t, dir)
	for path, want := range map[string]string{
		"bad":                      "bad:2:5: the group's name is missing; the form is: cold GROUP\n-o brings a layout up to date: correct this file, or name another one",
		"notes":                    "notes:1:1: the file is not a layout",
		"a.profile":                "a.profile:1:8: the file is an ashlar profile, not a layout",
		"b.profile":                "b.profile:1:8: the file is an ashlar profile, not a layout",
		dir:                        "it is a directory: name the layout in it",
		filepath.Join("none", "x"): "write elsewhere",
		"http://example.org/x":     "http://example.org/x is an address, and only files are written",
	} {
		status, out, errs := call(t, "advise", "a.profile", "-o", path)
		if status != 1 || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d, %s%s\nwant %s", path, status, out, errs, want)
		}
	}
	if is := snapshot(t, dir); is != before {
		t.Errorf("there was\n%s\nand is\n%s", before, is)
	}
	// Nothing that can't be read again is written.
	if status, _, errs := call(t, "advise", "a.profile", "-o", "closed"); status == 0 {
		if status, _, errs := call(t, "layout", "check", "closed"); status != 0 {
			t.Errorf("%s in\n%s", errs, readText(t, "closed"))
		}
	} else if is := snapshot(t, dir); is != before {
		t.Errorf("%s; there was\n%s\nand is\n%s", errs, before, is)
	}
}

// Several profiles of a program are one that lasted longer.
func TestAdviseSeveral(t *testing.T) {
	t.Chdir(t.TempDir())
	writeText(t, "a.profile", villageProfile)
	writeText(t, "b.profile", strings.NewReplacer("frames 100\n", "frames 300\n", "removes 900", "removes 2700").Replace(villageProfile))
	writeText(t, "other.profile", "ashlar profile 1\nframes 1\ncomponent x size 1 align 1\nend\n")
	if status, out, errs := call(t, "advise", "a.profile", "b.profile", "-o", "-"); status != 0 || errs != "" || !strings.Contains(out, "removed often, 9 removes a frame;") || strings.Contains(out, "rows ") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	if status, out, errs := call(t, "advise", "a.profile", "b.profile"); status != 0 || !strings.HasPrefix(out, "profile  a.profile, b.profile: 400 frames, 1 system, 2 groups\n") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	if status, out, errs := call(t, "advise", "a.profile", "other.profile", "-o", "new"); status != 1 || out != "" || !strings.Contains(errs, "a.profile and other.profile have less than half of their components in common") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}

// A run that went by a layout advises the same one, to a new file as well: rows that it sorted are no evidence against
// sorting them, nor are rows of a group's own against these. A line that a person wrote stays as it is, and is in a new file,
// too. A file that lacks it does not get it back.
func TestAdviseOutAgain(t *testing.T) {
	t.Chdir(t.TempDir())
	const order = "sort person by at every 600  # advised: far apart"
	const lot = "apart lot  # advised: many tables"
	text := "ashlar layout 1\n\n" + strings.Replace(advisedStatements, "rows", lot+"\n\nrows", 1) + "\n" + order + "\n"
	mine := strings.Replace(text, order, "sort person by person every 60  # by hand", 1)
	const byHand = "cold ruins\n\nview trade at.X cached  # mine\nnear ruins table/person+at\n"
	writeText(t, "a.profile", strings.Replace(villageProfile, "frames 100\n", "frames 100 layout 0123456789abcdef\nlaid \""+order+"\"\nlaid \""+lot+"\"\nlaid \"cold ruins\"\nlaid \"view trade at.X cached  # mine\"\nlaid \"near ruins table/person+at\"\n", 1))
	writeText(t, "old", text)
	writeText(t, "mine", mine)
	said := func(text string) []string { // the statements, in whatever order
		return slices.DeleteFunc(slices.Sorted(strings.Lines(text)), func(line string) bool { return line == "\n" })
	}
	if _, out, _ := call(t, "advise", "a.profile"); !strings.Contains(out, "  cold ruins\n      by hand\n") || !strings.Contains(out, "  view trade at.X cached\n      by hand: mine\n") || !strings.Contains(out, "\n      many tables\n") {
		t.Error(out)
	}
	for path, want := range map[string]string{"new": text + byHand, "old": text, "mine": mine} {
		status, _, errs := call(t, "advise", "a.profile", "-o", path)
		if got := readText(t, path); status != 0 || errs != "" || !slices.Equal(said(got), said(want)) {
			t.Errorf("%s: %d, %s\n%s\nwant\n%s", path, status, errs, got, want)
		}
	}
}
