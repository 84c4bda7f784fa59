package memmgr_test

import (
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
)

// Hints are added to options, and their budget overrules; the options stay as they were.
func TestAsked(t *testing.T) {
	o := memmgr.AdaptOptions{
		Every: 7, Cold: []string{"a", "b", "a"}, Pinned: []string{"p"}, Budget: profile.Budget{Time: time.Second, Bytes: 5},
	}
	in := profile.Hints{
		Pinned: []string{"q"}, Budget: profile.Budget{Bytes: 9},
		Cold: []string{"c", "e"},
	}
	got := o.Asked(in)
	if !slices.Equal(got.Cold, []string{"a", "b", "a", "c", "e"}) || !slices.Equal(got.Pinned, []string{"p", "q"}) ||
		got.Budget != (profile.Budget{Time: time.Second, Bytes: 9}) || got.Every != 7 || got.Off {
		t.Errorf("%+v", got)
	}
	if !slices.Equal(o.Cold, []string{"a", "b", "a"}) || !slices.Equal(o.Pinned, []string{"p"}) {
		t.Errorf("the options are others now: %+v", o)
	}
	in = profile.Hints{Off: true, Budget: profile.Budget{Time: 3}}
	if got := o.Asked(in); !got.Off || got.Budget != (profile.Budget{Time: 3, Bytes: 5}) {
		t.Errorf("%+v", got)
	}
	o.SoftLimit, o.Frame = 5, 6
	if got := o.Asked(profile.Hints{Goal: profile.Goal{Resident: 7}}); got.SoftLimit != 7 || got.Frame != 6 {
		t.Errorf("%+v", got)
	}
	if got := o.Asked(profile.Hints{Goal: profile.Goal{Frame: 8}}); got.SoftLimit != 5 || got.Frame != 8 {
		t.Errorf("%+v", got)
	}
	if !(memmgr.AdaptOptions{Off: true}).Asked(profile.Hints{}).Off {
		t.Error("off is on")
	}
}
