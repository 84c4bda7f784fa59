package ecs

import (
	"context"
	"testing"
)

// A system that destroys some of its rows has entities read ahead in its next run. Its Destroys are one command if
// they follow each other, and each of them counts.
func TestDestroysCountAsPicks(t *testing.T) {
	for _, atEnd := range []bool{false, true} {
		w := New(Options{})
		defer w.Close()
		type number struct{ N int }
		Register[number](w, "number")
		const n = 10_000
		var all [n]Entity
		if err := SpawnerOf[struct{ number }](w).SpawnN(all[:], make([]struct{ number }, 1)); err != nil {
			t.Fatal(err)
		}
		dead := 0
		System(w, "kill", func(c *struct {
			Ents []Entity
			_    With[number]
			Do   *Commands
			End  AtEnd
		}) {
			do := c.Do
			if atEnd {
				do = c.End.Do()
			}
			for _, e := range c.Ents[:dead] {
				do.Destroy(e)
			}
		})
		for _, x := range []struct {
			dead int
			want bool
		}{{n / 100, true}, {n / 1000, false}, {0, false}} {
			dead = x.dead
			if err := w.Run(context.Background()); err != nil {
				t.Fatal(err)
			}
			if got := w.systems.Systems()[0].Picks; got != x.want {
				t.Errorf("at the end %v, %d of %d rows go: %v", atEnd, x.dead, n, got)
			}
		}
	}
}
