package ecs_test

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

type wet struct{}
type burning struct{ Heat int32 }

// A torch that is wet catches fire: one component comes and another goes, in one move. One that is
// dry is refused, and stays as it is.
func ExampleExchangeOf() {
	w, err := ecs.New(ecs.Options{})
	if err != nil {
		panic(err)
	}
	defer w.Close()
	if _, err := ecs.Register[wet](w, "wet"); err != nil {
		panic(err)
	}
	fires, err := ecs.Register[burning](w, "burning")
	if err != nil {
		panic(err)
	}
	ignite, err := ecs.ExchangeOf[struct {
		burning
		_ ecs.Without[wet]
	}](w)
	if err != nil {
		panic(err)
	}
	torches, err := ecs.SpawnerOf[struct{ wet }](w)
	if err != nil {
		panic(err)
	}
	torch := make([]ecs.Entity, 3)
	if err := torches.SpawnN(torch, []struct{ wet }{{}}); err != nil {
		panic(err)
	}
	hot := struct {
		burning
		_ ecs.Without[wet]
	}{burning: burning{9}}

	fmt.Println(ignite.Do(torch[0], hot), fires.Get(torch[0]).Heat)
	fmt.Println(ignite.Do(torch[0], hot))
	n, err := ignite.All(ecs.Handles(torch), hot)
	fmt.Println(n, "more burn", err)
	// Output:
	// <nil> 9
	// ecs: the entity does not have the component: "wet"
	// 2 more burn <nil>
}

// Each entity gets a value of its own, from what it has.
func ExamplePool_AddFunc() {
	w, err := ecs.New(ecs.Options{})
	if err != nil {
		panic(err)
	}
	defer w.Close()
	ships, err := ecs.Register[engine](w, "engine")
	if err != nil {
		panic(err)
	}
	fires, err := ecs.Register[burning](w, "burning")
	if err != nil {
		panic(err)
	}
	for power := range 3 {
		e, err := w.Spawn()
		if err == nil {
			err = ships.Add(e, engine{power})
		}
		if err != nil {
			panic(err)
		}
	}
	all, err := ecs.QueryOf[struct{ Engines []engine }](w)
	if err != nil {
		panic(err)
	}
	n, err := fires.AddFunc(all, func(e ecs.Entity) burning { return burning{int32(ships.Get(e).Power) * 10} })
	fmt.Println(n, err)
	n, err = fires.SetFunc(all, func(e ecs.Entity) burning { return burning{fires.Get(e).Heat + 1} })
	fmt.Println(n, err)
	for _, f := range fires.All() {
		fmt.Println(f.Heat)
	}
	// Output:
	// 3 <nil>
	// 3 <nil>
	// 1
	// 11
	// 21
}
