package guide

import (
	"errors"
	"fmt"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
)

func Example_memory() {
	var o ecs.Options
	o.Memory.Arena.Limit = 32 << 20 // bytes
	o.MaxEntities = 10_000_000
	w := ecs.New(o)
	defer func() { check(w.Close()) }()

	ecs.Register[Position](w, "position")
	ecs.Register[Velocity](w, "velocity")
	bodies := ecs.SpawnerOf[body](w)

	n, err := 0, error(nil)
	for ; err == nil; n++ {
		_, err = bodies.Spawn(body{})
	}
	fmt.Println(errors.Is(err, arena.ErrLimit), n > 100_000, w.Len() == n-1, w.Check())

	w.Manager().Arena().SetLimit(64 << 20)
	must(bodies.Spawn(body{}))

	s := w.Manager().Stats()
	fmt.Println(s.Arena.Reserved >= s.Arena.Committed)
	fmt.Println(s.Arena.Committed >= s.Arena.Dirty)
	fmt.Println(s.Arena.Dirty >= s.Arena.Live)
	fmt.Println(s.Arena.Live >= s.Payload)

	w.Reset() // or destroy what has to go
	freed := must(w.Purge())
	fmt.Println(freed > 0)
	// Output:
	// true true true <nil>
	// true
	// true
	// true
	// true
	// true
}

func Example_memory_budget() {
	budget := arena.NewBudget(64 << 20)
	var o ecs.Options
	o.Memory.Arena.Budget = budget
	level := ecs.New(o)
	menu := ecs.New(o)
	fmt.Println(budget.Used() <= budget.Limit())
	check(menu.Close())
	check(level.Close())
	fmt.Println(budget.Used())
	// Output:
	// true
	// 0
}
