package report

import (
	"bytes"
	"testing"

	"github.com/ashlar-go/ashlar/profile"
)

const levelFile = "../../../profile/testdata/level.profile"

// A report has a table for each kind of statement, and figures per frame.
func TestProfile(t *testing.T) {
	p, err := profile.ReadFile(levelFile)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Profile(&b, p); err != nil {
		t.Fatal(err)
	}
	golden(t, "level.report", b.Bytes())
}

// canonical returns a copy of a profile.
func canonical(p profile.Profile) profile.Profile {
	p, err := profile.Merge(p, profile.Profile{})
	if err != nil {
		panic(err)
	}
	return p
}

// Changes have a line a figure: new ones, lost ones, and the difference of the others.
func TestChanges(t *testing.T) {
	was, err := profile.ReadFile(levelFile)
	if err != nil {
		t.Fatal(err)
	}
	is := canonical(was)
	is.Groups[0].Rows *= 3
	is.Groups = append(is.Groups, profile.Group{Name: "new", Rows: 1200})
	is.Shared = is.Shared[:1]
	is.Stored[0].Way = "ordered"
	is.Systems[1].Timed, is.Systems[1].Times.P50, is.Systems[1].Times.P90, is.Systems[1].Times.P99 = 1, 5, 5, 5
	is.Systems[0].Access[0].Bytes = 0
	was.Systems[0].Access[1].Rows = 0
	var b bytes.Buffer
	if err := Changes(&b, profile.Diff(was, is)); err != nil {
		t.Fatal(err)
	}
	golden(t, "changes.diff", b.Bytes())
}
