package ecs_test

import (
	"context"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

type (
	pace   struct{ X, Y float32 }
	target struct{ E ecs.Entity }
	asleep struct{}

	moveUnit struct{ Position }
	runUnit  struct {
		Position
		Speed pace
	}
	huntUnit struct {
		Position
		Speed  pace
		Target target
		_      ecs.Without[asleep]
	}
)

// A group stands within another if it has all that the other has, and more. Its members come
// first in the other's walk, or are left out.
func ExampleGroup_nested() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	ecs.Register[Position](w, "position")
	ecs.Register[pace](w, "pace")
	ecs.Register[target](w, "target")
	sleeping := ecs.Register[asleep](w, "asleep")
	movers := ecs.GroupOf[moveUnit](w, "movers")
	runners := ecs.GroupOf[runUnit](w, "runners")
	hunters := ecs.GroupOf[huntUnit](w, "hunters")
	movers.Spawn(moveUnit{})
	runners.Spawn(runUnit{})
	e, _ := hunters.Spawn(huntUnit{})
	hunters.Spawn(huntUnit{})
	fmt.Println(movers.Len(), runners.Len(), hunters.Len())
	sleeping.Add(e, asleep{})
	fmt.Println(movers.Len(), runners.Len(), hunters.Len())

	type step struct {
		At ecs.Write[Position]
		_  ecs.Without[pace]
	}
	ecs.System(w, "wait", func(c *step) {
		fmt.Println("waits:", len(c.At))
	})
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	// Output:
	// 4 3 2
	// 4 3 1
	// waits: 1
}

// A slice is columns of the one group that owns them. Where groups stand within each other,
// enough of them have to be named.
func ExampleSliceOf() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	ecs.Register[Position](w, "position")
	ecs.Register[pace](w, "pace")
	ecs.GroupOf[moveUnit](w, "movers")
	runners := ecs.GroupOf[runUnit](w, "runners")
	runners.Spawn(runUnit{Speed: pace{3, 4}})

	type speeds struct{ V []pace }
	fast := ecs.SliceOf[speeds](w)
	for c := range fast.All() {
		fmt.Println(c.V)
	}
	type places struct{ At []Position }
	ecs.SliceOf[places](w)
	fmt.Println(w.Err())
	// Output:
	// [{3 4}]
	// ecs: SliceOf: 2 groups own position: movers(position), runners(position, pace); add a component that only one has, or use a system with OnlyIn
}

// Components that a group alone owned go back to the tables when it is dissolved.
func ExampleGroup_Dissolve() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	ecs.Register[Position](w, "position")
	speeds := ecs.Register[pace](w, "pace")
	movers := ecs.GroupOf[moveUnit](w, "movers")
	runners := ecs.GroupOf[runUnit](w, "runners")
	e, _ := runners.Spawn(runUnit{Speed: pace{3, 4}})
	if err := runners.Dissolve(); err != nil {
		panic(err)
	}
	fmt.Println(movers.Len(), runners.Len(), *speeds.Get(e))
	// Output: 1 0 {3 4}
}
