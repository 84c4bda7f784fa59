package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// massacreRow is nine in ten of a million entities in twenty groups dead: what the process
// keeps by the payload of those alive, without 16 B an index that was ever used.
func massacreRow() row {
	return apartRow("nine in ten of 1M in 20 groups dead, by payload", times, 2.5, false, "massacre", "")
}

func massacre() float64 {
	const total, groups, turn = 1_000_000, 20, 5000
	var w *ecs.World
	kept := residentKiB(func() any {
		w = must(ecs.New(ecs.Options{Adapt: memmgr.AdaptOptions{Decay: 100 * time.Millisecond}}))
		var list []*ecs.Group[body]
		for i := range groups {
			p, v := must(ecs.Register[Position](w, fmt.Sprintf("position%d", i))), must(ecs.Register[Velocity](w, fmt.Sprintf("velocity%d", i)))
			list = append(list, must(ecs.GroupOf[body](w, fmt.Sprintf("group%d", i), p, v)))
		}
		r := rand.New(rand.NewPCG(11, 12))
		es := make([]ecs.Entity, total)
		for i := 0; i < total; i += turn {
			check(list[r.IntN(groups)].SpawnN(es[i:i+turn], []body{{Position{1, 2}, Velocity{3, 4}}}))
		}
		pass(w, 5)
		w.DestroyAll(ecs.Handles(shuffled(es)[:total*9/10]))
		for start := time.Now(); time.Since(start) < 2*time.Second; { // idle memory goes back by its age
			pass(w, 1)
			time.Sleep(time.Millisecond)
		}
		return w
	})
	return (kept*1024 - 16*total) / float64(w.Manager().Stats().Payload)
}
