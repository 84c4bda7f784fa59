package store

import (
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/memmgr"
)

// memories are settings that no result depends on.
var memories = []struct {
	name string
	o    memmgr.Options
}{
	{"plain", memmgr.Options{}},
	{"stress", memmgr.Options{Stress: true}},
	{"heap", memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}},
	{"heap and stress", memmgr.Options{Stress: true, Arena: arena.Options{Backend: arena.Heap}}},
	{"no huge pages", memmgr.Options{Arena: arena.Options{SmallPages: true}}},
}

// stream is a model's commands, and how many there are.
type stream struct {
	seed     uint64
	commands int
	every    int // commands between looks at everything
	crowd    int
	spread   int // entities without anything, beforehand
	o        Options
}

// streams are small stores with many looks, large ones, and such with indexes that are spread
// over more than a page of words.
func streams(n int) (all []stream) {
	for i := range n {
		s := stream{seed: uint64(i), commands: 4000, every: 50, crowd: 60}
		s.o = Options{Policy: policy.Options{Work: int64(1+i*i%50) * policy.CostMove}, FIFO: i%3 == 0, Tag: uint8(i % 16)}
		switch i % 8 {
		case 3:
			s.crowd, s.every = 1500, 400
		case 5:
			s.o.MaxEntities = 40
		case 7:
			s.crowd, s.every, s.spread, s.commands = 8000+i%3*15000, 1000, 7800+i%3*14000, 20000
		}
		all = append(all, s)
	}
	return all
}

// model makes the stream's model, with the entities that there are before.
func (s stream) model(t *testing.T, name string, o memmgr.Options) *model {
	x := newModel(t, s.seed, o, s.o)
	x.name, x.crowd = fmt.Sprint("stream ", s.seed, ", ", name), s.crowd
	for range s.spread {
		e, err := x.s.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		x.born(e)
	}
	return x
}

// The same commands end in the same state with whatever memory: rows, their order and
// their locations; and at each look the store equals the model. With the next test
// it is more than 1,000,000 commands in a full run.
func TestModel(t *testing.T) {
	n, forms := 16, memories
	if testing.Short() {
		n = 8
	}
	if race.Enabled { // all is on the heap
		n, forms = 8, memories[:2]
	}
	var all seen
	for _, s := range streams(n) {
		if race.Enabled && s.spread == 0 {
			s.commands /= 4
		}
		want := uint64(0)
		for _, m := range forms {
			x := s.model(t, m.name, m.o)
			got := x.play(s.commands, s.every)
			if x.close(); want == 0 {
				want = got
			}
			if got != want {
				t.Fatalf("%s: digest %#x, %s: %#x", x.name, got, forms[0].name, want)
			}
			all.add(x.seen)
		}
	}
	if all.rare < 10 || all.flat < 10 || all.switched < 2 || all.changes < 100 || all.swaps < 500 {
		t.Errorf("the test tests less than it says: %+v", all)
	}
}

// Where memory is refused, the failed call has changed nothing, and all goes on.
func TestModelRefused(t *testing.T) {
	n, forms := 16, []int{0, 2, 3}
	if testing.Short() || race.Enabled {
		n, forms = 8, []int{1}
	}
	refused := 0
	for _, s := range streams(n) {
		if race.Enabled && s.spread > 0 {
			continue
		}
		for _, i := range forms {
			x := s.model(t, memories[i].name+", refused", memories[i].o)
			x.limits = true
			x.play(s.commands, s.every)
			x.close()
			refused += x.refusal
		}
	}
	if refused < 50 {
		t.Errorf("only %d calls were refused", refused)
	}
}

// The same commands end in the same state on every machine and in every build. A change of
// these constants is a change of results, to be told in the CHANGELOG.
func TestModelDigest(t *testing.T) {
	all, forms := streams(8), memories[:3]
	if race.Enabled {
		forms = forms[:1]
	}
	for i, want := range map[int]uint64{0: 0x6d22414542b99e15, 3: 0x5ea0a999b9b0e0bd, 7: 0x387c15bf3103108d} {
		for _, m := range forms {
			x := all[i].model(t, m.name, m.o)
			if got := x.play(all[i].commands, all[i].every); got != want {
				t.Errorf("%s: digest %#x, want %#x", x.name, got, want)
			}
			x.close()
		}
	}
}
