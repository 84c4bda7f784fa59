package guide

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

type parts struct {
	Health ecs.WriteOne[Health]
	Armor  ecs.MaybeOne[Armor]
}

type Player struct {
	schema *ecs.Schema[parts]
	self   ecs.Contract[parts]
}

func (p *Player) Hurt(points int32) bool {
	v, ok := p.schema.Mut(&p.self)
	if !ok {
		return false // dead, or without health
	}
	if v.Armor != nil {
		points -= v.Armor.Strength
	}
	v.Health.Points -= max(points, 0)
	return true
}

func Example_contracts() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
	health := ecs.Register[Health](w, "health")
	armor := ecs.Register[Armor](w, "armor")

	schema := ecs.SchemaOf[parts](w)
	e := must(schema.Spawn())
	p := Player{schema, must(schema.Bind(e))}
	health.Mut(e).Points = 10

	p.Hurt(3)
	check(armor.Add(e, Armor{2})) // its row may move: the contract follows
	p.Hurt(3)
	fmt.Println(health.Get(e).Points)
	check(w.Destroy(e))
	fmt.Println(p.Hurt(3))
	// Output:
	// 6
	// false
}

func Example_contracts_locks() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
	type Saddle struct{ Age int32 }
	saddle := ecs.Register[Saddle](w, "saddle")
	horse := must(w.Spawn())
	check(saddle.Add(horse, Saddle{9}))

	mounted := w.NewLock("mounted", saddle) // which components it keeps; none: all
	check(mounted.Hold(horse, "rider"))

	fmt.Println(saddle.Remove(horse))
	fmt.Println(w.Destroy(horse))

	check(mounted.Release(horse, "rider"))
	fmt.Println(w.Destroy(horse))
	// Output:
	// ecs: 1v1 can't lose component "saddle": "rider" holds it by lock "mounted" until it calls Release
	// ecs: 1v1 can't be destroyed: "rider" holds it by lock "mounted" until it calls Release
	// <nil>
}
