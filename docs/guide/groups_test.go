package guide

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

type Target struct{ Index uint32 }
type Asleep struct{}

func Example_groups() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
	position := ecs.Register[Position](w, "position")
	velocity := ecs.Register[Velocity](w, "velocity")
	ecs.Register[Poison](w, "poison")
	quest := ecs.Register[Quest](w, "quest")

	type physics struct {
		Position
		Velocity
		_ ecs.Maybe[Poison]
	}
	bodies := ecs.GroupOf[physics](w, "bodies")

	e := must(bodies.Spawn(physics{Velocity: Velocity{1, 0}}))
	check(quest.Add(e, Quest{})) // no component of the group
	fmt.Println(bodies.Len(), "member")

	check(velocity.Remove(e)) // no longer a member; position stays
	fmt.Println(bodies.Len(), "members", position.Has(e))

	check(velocity.Add(e, Velocity{2, 0}))
	fmt.Println(bodies.Len(), "member")

	ecs.System(w, "move", move, ecs.OnlyIn(bodies))
	check(w.Run(ctx))
	// Output:
	// 1 member
	// 0 members true
	// 1 member
}

func Example_groups_conditions() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
	ecs.Register[Target](w, "target")
	asleep := ecs.Register[Asleep](w, "asleep")

	type hunting struct {
		Target
		_ ecs.Without[Asleep]
	}
	hunters := ecs.GroupOf[hunting](w, "hunters")
	h := must(hunters.Spawn(hunting{Target: Target{7}}))
	check(asleep.Add(h, Asleep{}))
	fmt.Println(hunters.Len(), "hunts")
	// Output:
	// 0 hunts
}
