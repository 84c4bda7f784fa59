package profile

import (
	"bytes"
	"os"
	"reflect"
	"strings"
	"testing"
)

// Any bytes are a profile or an error. What is a profile is written, and read again
// the same; the canonical text is its own.
func FuzzParse(f *testing.F) {
	for _, path := range []string{"testdata/level.profile", "testdata/level.canonical", "testdata/wrong1.profile", "testdata/wrong2.profile", "testdata/wrong3.profile"} {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("ashlar profile 2\nhot a b\n\"\n# c\n\noff\n# d"))
	f.Add([]byte("# a\n\n# b\nashlar profile 1 # c\n# d\n\npin \"\\u00e9\"\n#e\n\n#f"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, mode := range []Mode{Strict, Lenient} {
			file, err := Parse("p", bytes.NewReader(text), mode)
			if err != nil {
				if !strings.Contains(err.Error(), "p:") {
					t.Errorf("an error without a place: %v", err)
				}
				continue
			}
			file.Unknown = 0
			var canonical strings.Builder
			if _, err := file.WriteTo(&canonical); err != nil {
				t.Fatalf("it was read and can't be written: %v", err)
			}
			again, err := Parse("p", strings.NewReader(canonical.String()), Strict)
			if err != nil {
				t.Fatalf("what was written can't be read: %v\n%s", err, canonical.String())
			}
			if !reflect.DeepEqual(again.Profile, file.Profile) || !reflect.DeepEqual(again.Comments, file.Comments) {
				t.Fatalf("wrote\n%+v\n%q\nread\n%+v\n%q", file.Profile, file.Comments, again.Profile, again.Comments)
			}
			if got := written(t, again); got != canonical.String() {
				t.Fatalf("wrote\n%s\nand then\n%s", canonical.String(), got)
			}
			if Overlap(file.Profile, ShapeOf(file.Profile)) > 1 {
				t.Error("it overlaps more than wholly with itself")
			}
			if changes := Diff(file.Profile, again.Profile); len(changes) > 0 {
				t.Errorf("%+v", changes)
			}
		}
	})
}
