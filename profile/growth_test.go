package profile

import (
	"strings"
	"testing"
)

// Growth is a fact, and no difference between runs: a longer run has steps that the shorter one could not have.
func TestGrowth(t *testing.T) {
	grown := Profile{Growth: []Growth{{"g", 1, 100}}}
	if !grown.hasFacts() {
		t.Error("growth is taken for nothing")
	}
	a := mustParse(t, "ashlar profile 1\nframes 10\ngroup g rows 100 chunks 10 peak 10 last 10\nend\n")
	b := mustParse(t, "ashlar profile 1\nframes 10\ngroup g rows 100 chunks 10 peak 10 last 10\ngrowth g frame 4 rows 10\nend\n")
	if d := append(Diff(a, b), Diff(b, a)...); len(d) > 0 {
		t.Errorf("%+v", d)
	}
}

// A field is one of a system that stands above.
func TestFieldNeedsSystem(t *testing.T) {
	_, err := Parse("p", strings.NewReader("ashlar profile 1\nframes 1\nfield move body.At read\nsystem move frames 1\nend\n"))
	if err == nil || !strings.HasPrefix(err.Error(), `p:3:`) || !strings.Contains(err.Error(), `no line above states system "move"`) {
		t.Error(err)
	}
}
