package docs

import (
	"regexp"
	"testing"
)

// TestVersion: commands that fetch Ashlar name the version that the change log begins with, so that a reader gets the
// interface that the page teaches.
func TestVersion(t *testing.T) {
	heading := regexp.MustCompile(`(?m)^## (v\d+\.\d+\.\d+)`).FindStringSubmatch(read(t, "../CHANGELOG.md"))
	if heading == nil {
		t.Fatal("no heading of the change log is a version")
	}
	fetched := regexp.MustCompile(`ashlar-go/ashlar/\S+@(v[\d.]+\d)`)
	for _, page := range []string{"../README.md", "guide/first-program.md", "../cmd/ashlarfix/main.go"} {
		found := fetched.FindAllStringSubmatch(read(t, page), -1)
		if len(found) == 0 {
			t.Errorf("%s fetches no version", page)
		}
		for _, m := range found {
			if m[1] != heading[1] {
				t.Errorf("%s: %s, where the change log begins with %s", page, m[0], heading[1])
			}
		}
	}
}
