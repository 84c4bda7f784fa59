package ecs_test

import (
	"errors"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

type (
	Health struct{ Points int }
	Armor  struct{ Strength int }
)

// playerParts is the components of a player; armor may be missing.
type playerParts struct {
	Pos    ecs.WriteOne[Position]
	Health ecs.WriteOne[Health]
	Armor  ecs.MaybeOne[Armor]
}

// Player is an object with methods. Its data are components. It is as large as a contract
// and a pointer, and there may be several of one entity.
type Player struct {
	schema *ecs.Schema[playerParts]
	self   ecs.Contract[playerParts]
}

// Hurt takes points. It returns false if the player is gone.
func (p *Player) Hurt(points int) bool {
	v, ok := p.schema.Mut(&p.self)
	if !ok {
		return false
	}
	if v.Armor != nil {
		points -= v.Armor.Strength
	}
	v.Health.Points -= max(points, 0)
	return true
}

// Points is how many are left, and whether the player is there.
func (p *Player) Points() (int, bool) {
	v, ok := p.schema.Get(&p.self)
	if !ok {
		return 0, false
	}
	return v.Health.Points, true
}

func playerWorld() (w *ecs.World, armor *ecs.Pool[Armor], schema *ecs.Schema[playerParts]) {
	w = ecs.New(ecs.Options{})
	ecs.Register[Position](w, "position")
	ecs.Register[Velocity](w, "velocity")
	ecs.Register[Health](w, "health")
	armor = ecs.Register[Armor](w, "armor")
	return w, armor, ecs.SchemaOf[playerParts](w)
}

// An object with methods.
func ExampleContract() {
	w, armor, schema := playerWorld()
	defer w.Close()
	e := ok(schema.Spawn())
	self := ok(schema.Bind(e))
	if v, ok := schema.Mut(&self); ok {
		v.Health.Points = 10
	}
	p := &Player{schema, self}

	p.Hurt(3)
	fmt.Println(p.Points())
	ok(0, armor.Add(e, Armor{2})) // its row moves to another table
	p.Hurt(3)
	fmt.Println(p.Points())
	ok(0, w.Destroy(e))
	fmt.Println(p.Hurt(3))
	// Output:
	// 7 true
	// 6 true
	// false
}

// script is a table of functions that can be swapped while the program runs.
type script struct {
	tick func(v playerParts)
}

// scripted is an object with a script.
type scripted struct {
	self ecs.Contract[playerParts]
	does *script
}

// A scripted object: a contract and a table of functions.
func ExampleSchema_Mut() {
	w, _, schema := playerWorld()
	defer w.Close()
	walk := &script{tick: func(v playerParts) { v.Pos.X++ }}
	rest := &script{tick: func(v playerParts) { v.Health.Points++ }}

	npc := scripted{ok(schema.Bind(ok(schema.Spawn()))), walk}
	run := func() {
		if v, ok := schema.Mut(&npc.self); ok {
			npc.does.tick(v)
			fmt.Println(v.Pos.X, v.Health.Points)
		}
	}
	run()
	npc.does = rest
	run()
	*walk = script{tick: func(v playerParts) { v.Pos.X -= 5 }} // all that walk do so differently now
	npc.does = walk
	run()
	// Output:
	// 1 0
	// 1 1
	// -4 1
}

// An inspector shows and edits any entity, of whatever components.
func ExampleSchemaOfPools() {
	w, armor, schema := playerWorld()
	defer w.Close()
	e := ok(schema.Spawn())
	ok(0, armor.Add(e, Armor{2}))

	all := ecs.SchemaOfPools(w) // of all components
	show := func() {
		for _, name := range all.Components() {
			if v := all.Value(e, name); v != nil {
				fmt.Printf("%s %+v\n", name, v)
			}
		}
	}
	show()
	all.MutValue(e, "health").(*Health).Points = 99
	fmt.Println("lacks", all.Lacks(e))
	show()
	// Output:
	// position &{X:0 Y:0}
	// health &{Points:0}
	// armor &{Strength:2}
	// lacks [velocity]
	// position &{X:0 Y:0}
	// health &{Points:99}
	// armor &{Strength:2}
}

// A schema lists the components that an entity lacks, and adds them.
func ExampleSchemaOf() {
	w, _, schema := playerWorld()
	defer w.Close()
	e := ok(w.Spawn())
	_, err := schema.Bind(e)
	fmt.Println(errors.Is(err, ecs.ErrAbsent), schema.Lacks(e))
	ok(0, schema.Complete(e))
	fmt.Println(schema.Lacks(e))
	c := ok(schema.Bind(e))
	fmt.Println(schema.Valid(&c))
	// Output:
	// true [position health]
	// []
	// true
}

// Where a struct of pointers costs too much, fields are reached one by one.
func ExampleFieldOf() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	ecs.Register[Position](w, "position", ecs.Stable)
	ecs.Register[Velocity](w, "velocity", ecs.Stable)
	type mover struct {
		Pos *Position
		Vel *Velocity
	}
	movers := ecs.SchemaOf[mover](w)
	pos, vel := ecs.FieldOf[Position](movers), ecs.FieldOf[Velocity](movers)
	bodies := ecs.SpawnerOf[body](w)
	c := ok(movers.Bind(ok(bodies.Spawn(body{Position{1, 2}, Velocity{3, 4}}))))
	if movers.Valid(&c) {
		pos.Mut(&c).X += vel.At(&c).X
		fmt.Println(*pos.At(&c))
	}
	// Output: {4 2}
}

// A healer goes over all players that are there.
func ExampleSchema_All() {
	w, _, schema := playerWorld()
	defer w.Close()
	spawner := ecs.SpawnerOf[struct {
		Position
		Health
	}](w)
	var party []ecs.Contract[playerParts]
	for points := range 3 {
		e, err := spawner.Spawn(struct {
			Position
			Health
		}{Health: Health{10 * points}})
		if err != nil {
			panic(err)
		}
		c, err := schema.Bind(e)
		if err != nil {
			panic(err)
		}
		party = append(party, c)
	}
	if err := w.Destroy(party[1].Entity()); err != nil {
		panic(err)
	}
	for i, v := range schema.All(party) {
		fmt.Println("player", i, "has", v.Health.Points)
	}
	// Output:
	// player 0 has 0
	// player 2 has 20
}
