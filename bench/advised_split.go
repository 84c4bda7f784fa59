package main

import (
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// turning is a world in which five systems ask for fields of a transform, or some for all of it.
func turning(rows int, split, whole bool) func(ecs.Options) program {
	return func(o ecs.Options) program {
		w := ecs.New(o)
		if split {
			ecs.RegisterSplit[transform](w, "transform")
		} else {
			ecs.Register[transform](w, "transform")
		}
		ecs.Register[box](w, "box")
		type thing struct {
			T   transform
			Box box
		}
		type parts struct {
			transform
			Box box
		}
		if es := make([]ecs.Entity, rows); split {
			twin.Check(ecs.SpawnerOf[parts](w).SpawnN(es, []parts{{}}))
		} else {
			twin.Check(ecs.SpawnerOf[thing](w).SpawnN(es, []thing{{}}))
		}
		if whole {
			ecs.System(w, "turn", func(c *struct{ T ecs.Write[transform] }) {
				for i := range c.T {
					t := &c.T[i]
					t.At.X += t.Speed.X + t.Turn[0]*t.Spin[0]*t.Scale.X
				}
			})
		} else {
			ecs.System(w, "move", moveAll)
			ecs.System(w, "spin", spinAll)
			ecs.System(w, "slow", slowAll)
		}
		ecs.System(w, "grow", growAll)
		ecs.System(w, "box", boxAll)
		return program{w, frame(w)}
	}
}
