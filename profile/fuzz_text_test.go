package profile

import (
	"bytes"
	"os"
	"reflect"
	"strings"
	"testing"
)

// Any bytes are a profile or an error. A profile is written, and read again
// the same; the canonical text is its own.
func FuzzParse(f *testing.F) {
	for _, path := range []string{"testdata/level.profile", "testdata/level.canonical", "testdata/wrong1.profile", "testdata/wrong2.profile", "testdata/wrong3.profile"} {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(twoWorlds))
	f.Add([]byte("ashlar profile 1\nworld a\nframes 1\nworld \"b c\"\nworld a\n"))
	f.Add([]byte("ashlar profile 2\nhot a b\n\"\n# c\n\nend\n# d"))
	f.Add([]byte("# a\n\n# b\nashlar profile 1 # c\n# d\n\nframes 1\nlookup \"\\u00e9\" reads 1\n#e\n\nend#f"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := Parse("p", bytes.NewReader(text))
		if err != nil {
			if !strings.Contains(err.Error(), "p") {
				t.Errorf("an error without a place: %v", err)
			}
			return
		}
		canonical := written(t, p)
		again := mustParse(t, canonical)
		if !reflect.DeepEqual(again, p) {
			t.Fatalf("wrote\n%+v\nread\n%+v", p, again)
		}
		if got := written(t, again); got != canonical {
			t.Fatalf("wrote\n%s\nand then\n%s", canonical, got)
		}
		if changes := Diff(p, again); len(changes) > 0 {
			t.Errorf("%+v", changes)
		}
	})
}
