package recording_test

import (
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/internal/memmgr"
	"github.com/ashlar-go/ashlar/internal/memmgr/recording"
	"github.com/ashlar-go/ashlar/internal/profile"
)

// Intent is added to options, and comes before them; they stay as they were.
func TestAsked(t *testing.T) {
	o := memmgr.AdaptOptions{
		Every: 7, Cold: []string{"a", "b", "a"}, Pinned: []string{"p"}, Budget: memmgr.Budget{Time: time.Second, Bytes: 5},
	}
	in := profile.Intent{
		Pinned: []string{"q"}, Budget: profile.Budget{Bytes: 9},
		Heat: []profile.Heat{{Group: "a"}, {Group: "c", Cold: true}, {Group: "d", Cold: true}, {Group: "d"}, {Group: "e"}, {Group: "e", Cold: true}},
	}
	got := recording.Asked(o, in)
	if !slices.Equal(got.Cold, []string{"b", "c", "e"}) || !slices.Equal(got.Pinned, []string{"p", "q"}) ||
		got.Budget != (memmgr.Budget{Time: time.Second, Bytes: 9}) || got.Every != 7 || got.Off {
		t.Errorf("%+v", got)
	}
	if !slices.Equal(o.Cold, []string{"a", "b", "a"}) || !slices.Equal(o.Pinned, []string{"p"}) {
		t.Errorf("the options are others now: %+v", o)
	}
	in = profile.Intent{Off: true, Budget: profile.Budget{Time: 3}}
	if got := recording.Asked(o, in); !got.Off || got.Budget != (memmgr.Budget{Time: 3, Bytes: 5}) {
		t.Errorf("%+v", got)
	}
	if !recording.Asked(memmgr.AdaptOptions{Off: true}, profile.Intent{}).Off {
		t.Error("off is on")
	}
}
