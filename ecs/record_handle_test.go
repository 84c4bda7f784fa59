package ecs_test

import (
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
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
	if err := p.Check(); err != nil {
		t.Error(err)
	}
}
