package ecs

import (
	"context"
	"testing"
)

// A system that destroys some of its rows has entities read ahead in its next run. Its Destroys are one command if
// they follow each other, and each of them counts.
func TestDestroysCountAsPicks(t *testing.T) {
	for _, how := range []struct{ atEnd, beside bool }{{}, {atEnd: true}, {beside: true}} {
		w, options := New(Options{Workers: 2}), []SystemOption(nil)
		defer w.Close()
		type number struct{ N int }
		Register[number](w, "number")
		const n = 10_000
		var all [n]Entity
		if err := SpawnerOf[struct{ number }](w).SpawnN(all[:], make([]struct{ number }, 1)); err != nil {
			t.Fatal(err)
		}
		if how.beside {
			w.systems.ShareWork = 1 // pieces are shared however few they are
			options = append(options, Parallel())
			System(w, "look", func(*struct{ Numbers []number }) {}, options...)
		}
		dead := 0
		System(w, "kill", func(c *struct {
			Ents []Entity
			_    With[number]
			Do   *Commands
			End  AtEnd
		}) {
			do := c.Do
			if how.atEnd {
				do = c.End.Do()
			}
			for _, e := range c.Ents[:min(dead, len(c.Ents))] {
				do.Destroy(e)
			}
		}, options...)
		for _, x := range []struct {
			dead int
			want bool
		}{{n / 100, true}, {n / 1000, false}, {0, false}} {
			dead = x.dead
			if err := w.Run(context.Background()); err != nil {
				t.Fatal(err)
			}
			all := w.systems.Systems()
			if got := all[len(all)-1].Picks; got != x.want {
				t.Errorf("%+v, %d of %d rows go: %v", how, x.dead, n, got)
			}
		}
	}
}
