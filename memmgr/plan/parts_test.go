package plan

import (
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr/topology"
	"github.com/ashlar-go/ashlar/profile"
)

func TestStart(t *testing.T) {
	p := swept("bees apples", "cats")
	set := func(name string, mean, last uint64) {
		for i := range p.Groups {
			if p.Groups[i].Name == name {
				p.Groups[i].Rows, p.Groups[i].Last = mean*p.Frames, last
			}
		}
	}
	set("bees", 9000, 3500)  // shrank: what is left at the end stays
	set("apples", 2000, 9e9) // grew: the mean is sure
	set("cats", 40, 40)      // fits in a small chunk
	p.Groups = append(p.Groups, profile.Group{Name: "dogs", Rows: 100 * 1100}, profile.Group{Name: "gone", Rows: 1e9}, profile.Group{Name: "views", Rows: 100 * 2000, Last: 2000})
	p.Intent.Heat = []profile.Heat{{Group: "dogs", Cold: true}}
	views := group("views")
	views.Cache = true
	groups := []Group{group("apples"), group("bees"), group("cats"), group("dogs"), group("new"), views}
	huge, cold, normal := arena.Huge, arena.Cold, arena.Normal
	for _, c := range []struct {
		name string
		huge bool
		off  bool
		want []Run
	}{
		{"huge", true, false, []Run{{1, Place{huge, 0}, 4, false}, {0, Place{huge, 4}, 2, false}, {3, Place{cold, 0}, 2, false}, {5, Place{normal, 0}, 2, false}}},
		{"normal", false, false, []Run{{1, Place{normal, 0}, 4, false}, {0, Place{normal, 4}, 2, false}, {3, Place{cold, 0}, 2, false}, {5, Place{normal, 6}, 2, false}}},
		{"off", true, true, nil},
	} {
		p := p
		p.Intent.Off = c.off
		if got := Start(p, groups, c.huge, new([RangeCount]uint32)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	set("bees", 9000, 3200)
	if got := Start(p, groups, true, new([RangeCount]uint32))[0]; got != (Run{1, Place{huge, 0}, 3, true}) {
		t.Errorf("with a nearly empty tail: %v", got)
	}
}

func TestDurable(t *testing.T) {
	for _, c := range []struct{ rows, last, frames, want uint64 }{
		{1000, 10, 10, 10}, {1000, 100, 10, 100}, {1000, 900, 10, 100}, {1000, 0, 10, 100}, {0, 0, 5, 0},
	} {
		if got := durable(&profile.Group{Rows: c.rows, Last: c.last}, c.frames); got != c.want {
			t.Errorf("%d rows over %d frames, %d at the end: %d, want %d", c.rows, c.frames, c.last, got, c.want)
		}
	}
}

func TestPays(t *testing.T) {
	ms := time.Millisecond
	for _, c := range []struct {
		gain        Gain
		cost        Cost
		bytes, time bool
	}{
		{Gain{}, Cost{}, false, false},
		{Gain{Bytes: 100}, Cost{Bytes: 100}, true, false},
		{Gain{Bytes: 100}, Cost{Bytes: 101}, false, false},
		{Gain{Time: 2 * ms}, Cost{Time: ms}, false, true},
		{Gain{Time: 2*ms - 1}, Cost{Time: ms}, false, false},
		{Gain{Time: -ms}, Cost{}, false, false},
	} {
		if b, d := paysInBytes(c.gain, c.cost), paysInTime(c.gain, c.cost); b != c.bytes || d != c.time {
			t.Errorf("%v for %v: pays in bytes %v, in time %v", c.gain, c.cost, b, d)
		}
	}
}

func TestLinksWorth(t *testing.T) {
	three := machine(t, guest)
	one := machine(t, "cache 1 data bytes 32K\n")
	for _, c := range []struct {
		machine topology.Topology
		bytes   uint64
		want    uint64
	}{
		{three, 512 << 10, 0}, {three, 513 << 10, 4}, {three, 32 << 20, 4}, {three, 33 << 20, 7},
		{one, 32 << 10, 0}, {one, 33 << 10, 7},
	} {
		if got := linksWorth(c.machine, c.bytes); got != c.want {
			t.Errorf("%d bytes: %d ‰, want %d", c.bytes, got, c.want)
		}
	}
}

func TestShare(t *testing.T) {
	for _, c := range []struct{ n, part, whole, want uint64 }{
		{10, 1, 2, 5}, {1000, 3, 4, 750}, {1, 1, 0, 0}, {1 << 60, 1 << 60, 1 << 60, sumMax}, {1 << 40, 1 << 40, 1 << 41, 1 << 39}, {^uint64(0), ^uint64(0), 1, sumMax},
	} {
		if got := share(c.n, c.part, c.whole); got != c.want {
			t.Errorf("share(%d, %d, %d) = %d, want %d", c.n, c.part, c.whole, got, c.want)
		}
	}
}

func TestUnknown(t *testing.T) {
	p := swept("apples")
	p.Intent = profile.Intent{
		Every:    []profile.Every{{System: "s0", Frames: 2}, {System: "who", Frames: 2}},
		Together: [][]string{{"apples.c", "pears.c"}},
		Heat:     []profile.Heat{{Group: "apples"}, {Group: "pears"}},
		Pinned:   []string{"pears"},
	}
	if n := Unknown(&p, []Group{group("apples")}); n != 4 {
		t.Errorf("%d unknown names, want 4", n)
	}
}
