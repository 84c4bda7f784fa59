package ecs_test

import (
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
)

// A run that reads by handle is recorded with as many reads as it made, whatever way the components
// are stored in, by whatever system, or between frames. The results are the same.
func TestRecordedHandles(t *testing.T) {
	const frames, entities = 600, 300
	play := func(on bool) (sum float32, w *ecs.World) {
		w = world(t, ecs.Options{Record: on})
		a := ecs.Register[b4](w, "a")
		c := ecs.Register[b24](w, "c", ecs.Volatile)
		life := ecs.Register[hp](w, "hp", ecs.Thin)
		es := make([]ecs.Entity, entities)
		for i := range es {
			es[i] = ok(w.Spawn())
			if err := a.Add(es[i], b4{byte(i)}); err != nil {
				t.Fatal(err)
			}
			if i%3 == 0 {
				if err := c.Add(es[i], b24{byte(i)}); err != nil {
					t.Fatal(err)
				}
			}
			if i%10 == 0 {
				if err := life.Add(es[i], hp{int32(i)}); err != nil {
					t.Fatal(err)
				}
			}
		}
		addSystem(t, w, "aim", func(c *struct {
			Of []ecs.Entity
			_  ecs.With[b4]
		}) {
			for _, e := range c.Of {
				sum += float32(a.Get(e)[0])
			}
		})
		addSystem(t, w, "hurt", func(*struct{}) {
			for _, e := range es[:100] {
				if v := c.Get(e); v != nil {
					sum += float32(v[0])
				}
				if v := life.Get(e); v != nil {
					sum += float32(v.V)
				}
			}
		})
		for f := range frames {
			if err := w.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			sum += float32(a.Get(es[f%entities])[1])
		}
		return sum, w
	}
	sum, w := play(true)
	if off, _ := play(false); off != sum {
		t.Errorf("%v with recording, %v without", sum, off)
	}
	p := w.Facts()
	want := map[string]uint64{"a by aim": entities * frames, "c by hurt": 34 * frames, "hp by hurt": 10 * frames, "a by ": frames}
	for _, l := range p.Lookups {
		key := fmt.Sprintf("%s by %s", l.Component, l.System)
		if n := want[key]; n == 0 || l.Reads > 2*n || 2*l.Reads < n {
			t.Errorf("%s: %d reads are recorded of %d", key, l.Reads, n)
		}
		delete(want, key)
	}
	if p.Sampled == 0 || p.Sampled > frames/100 || len(want) > 0 {
		t.Errorf("sampled %d of %d frames, and nothing is said of %v", p.Sampled, frames, want)
	}
	if _, err := p.WriteTo(io.Discard); err != nil {
		t.Error(err)
	}
}

// Reads by handle count as far if they jump, and fields that refer to entities are listed.
func TestRecordedJumps(t *testing.T) {
	type ref struct {
		To   ecs.Entity
		Both struct{ A, B ecs.Entity }
		N    int32
	}
	w := world(t, ecs.Options{Record: true})
	wide := ecs.Register[[8]uint64](w, "wide")
	ecs.Register[ref](w, "ref")
	ecs.Register[ecs.Entity](w, "parent")
	es := make([]ecs.Entity, 4000)
	for i := range es {
		es[i] = ok(w.Spawn())
		check(t, wide.Add(es[i], [8]uint64{uint64(i)}))
	}
	sum := uint64(0)
	addSystem(t, w, "forth", func(*struct{}) {
		for _, e := range es {
			sum += wide.Get(e)[0]
		}
	})
	addSystem(t, w, "about", func(*struct{}) {
		for i := range es {
			sum += wide.Get(es[i*1237%len(es)])[0]
		}
	})
	for range 10 {
		check(t, w.Run(t.Context()))
	}
	p := w.Facts()
	share := func(system string) float64 {
		for _, l := range p.Lookups {
			if l.System == system {
				return float64(l.Far) / float64(l.Reads)
			}
		}
		return -1
	}
	if got := share("forth"); got < 0 || got > 0.05 {
		t.Errorf("of reads one after the other %v are far", got)
	}
	if got := share("about"); got < 0.95 {
		t.Errorf("of reads here and there %v are far", got)
	}
	want := []profile.Handle{{Field: "ref.To"}, {Field: "ref.Both.A"}, {Field: "ref.Both.B"}, {Field: "parent"}}
	if !slices.Equal(p.Handles, want) {
		t.Errorf("%v, want %v", p.Handles, want)
	}
	checkFacts(t, w, p)
}
