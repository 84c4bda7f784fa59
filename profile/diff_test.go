package profile

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A median within the spread of the other run is no difference, since any two runs differ by that.
func TestDiffTimes(t *testing.T) {
	run := func(p10, p50, p90 time.Duration) Profile {
		return Profile{Frames: 10, Systems: []System{
			{Name: "other", Frames: 10, Timed: 5, Times: Times{1, 1, 1, 1}},
			{Name: "s", Frames: 10, Timed: 5, Times: Times{p10, p50, p90, p90}},
		}}
	}
	for _, tt := range []struct {
		a, b    Profile
		differs bool
	}{
		{run(90, 100, 110), run(90, 100, 110), false},
		{run(90, 100, 110), run(100, 110, 120), false},
		{run(90, 100, 110), run(80, 90, 95), false},
		{run(90, 100, 110), run(99, 120, 130), false}, // 100 is within the other's
		{run(90, 100, 110), run(101, 111, 130), true},
		{run(90, 100, 110), run(80, 89, 99), true},
	} {
		for _, list := range [][]Change{Diff(tt.a, tt.b), Diff(tt.b, tt.a)} {
			if len(list) > 1 || len(list) == 1 != tt.differs || tt.differs && (list[0].subject != "system s" || list[0].Figures[0].Unit != "ns/run") {
				t.Errorf("%v and %v: %+v", tt.a.Systems[1].Times, tt.b.Systems[1].Times, list)
			}
		}
	}
	if list := Diff(Profile{Frames: 1}, run(1, 2, 3)); len(list) != 3 { // two systems and their order
		t.Errorf("%+v", list)
	}
}

func TestDiff(t *testing.T) {
	a := mustParse(t, `ashlar profile 1
frames 10
component position size 16 align 8
stored position fixed reason "by default" entities 10 tables 2
group body owns position rows 100 chunks 10 peak 10 last 10
group old rows 10 chunks 10 peak 1 last 1
system move frames 10 timed 1 p10 1us p50 1us p90 1us p99 1us
access move body position read rows 100 chunks 10 bytes 1600
choice move body turn gathered frames 10 chunks 0 stale 0
shared body turn.X readers 1 built 10 refreshed 0 reused 5 bytes 1024
system draw frames 10
end
`)
	b := mustParse(t, `ashlar profile 1
frames 20
component position size 32 align 8
stored position optional reason "removed often" entities 10 tables 1
group body owns position rows 200 chunks 20 peak 20 last 10
system draw frames 20
system move frames 20 timed 2 p10 1400ns p50 1500ns p90 2us p99 2us
access move body position read rows 200 chunks 20 bytes 6400
access move body position write rows 1 chunks 1 bytes 1
choice move body turn cached frames 20 chunks 20 stale 5
shared body turn.X readers 2 built 20 refreshed 0 reused 30 bytes 2048
end
`)
	var out strings.Builder
	for _, c := range Diff(a, b) {
		fmt.Fprintf(&out, "%s\n  %s\n  %s\n", c.subject, c.Was, c.Is)
		for _, f := range c.Figures {
			fmt.Fprintf(&out, "  %s %v %v\n", f.Unit, f.Was, f.Is)
		}
	}
	golden(t, "changes.diff", out.String())
}

// More frames of the same are no change; nothing is one of anything.
func TestDiffSame(t *testing.T) {
	r := seeded(t)
	for range 100 {
		p := invent(r, steady)
		small := p.canonical()
		shrink(&small)
		if c := Diff(small, mustMerge(t, small, small)); len(c) > 0 {
			t.Fatalf("%+v", c)
		}
		added, removed := Diff(Profile{}, p), Diff(p, Profile{})
		if list, _ := facets(p); len(added) != len(list) || len(removed) != len(added) {
			t.Fatalf("%d added, %d removed", len(added), len(removed))
		}
		for i := range added {
			if added[i].Was != "" || removed[i].Is != "" || added[i].subject != removed[i].subject {
				t.Fatalf("%+v and %+v", added[i], removed[i])
			}
		}
	}
}

// shrink makes sums so small that two of them are not the highest value.
func shrink(p *Profile) {
	less := func(n *uint64) { *n %= 1e9 }
	less(&p.Frames)
	p.Frames++
	for i := range p.Groups {
		g := &p.Groups[i]
		less(&g.Rows)
		less(&g.Chunks)
	}
	for i := range p.Stored {
		for _, list := range [][]uint64{p.Stored[i].Removes, p.Stored[i].Adds} {
			for j := range list {
				less(&list[j])
			}
		}
	}
	for i := range p.Lookups {
		less(&p.Lookups[i].Reads)
		less(&p.Lookups[i].Far)
		less(&p.Lookups[i].Contracts)
	}
	for i := range p.Shared {
		s := &p.Shared[i]
		for _, n := range []*uint64{&s.Built, &s.Refreshed, &s.Reused, &s.Bytes, &s.Dropped} {
			less(n)
		}
	}
	for i := range p.Systems {
		s := &p.Systems[i]
		for _, n := range []*uint64{&s.Frames, &s.Matched, &s.Tested, &s.Timed} {
			less(n)
		}
		for k := range s.Access {
			less(&s.Access[k].Rows)
			less(&s.Access[k].Chunks)
			less(&s.Access[k].Bytes)
			less(&s.Access[k].Lines)
		}
		for k := range s.Choices {
			less(&s.Choices[k].Chunks)
			less(&s.Choices[k].Stale)
		}
	}
	for i := range p.Worlds {
		shrink(&p.Worlds[i])
	}
}
