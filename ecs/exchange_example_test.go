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
	w := ecs.New(ecs.Options{})
	defer w.Close()
	ecs.Register[wet](w, "wet")
	fires := ecs.Register[burning](w, "burning")
	ignite := ecs.ExchangeOf[struct {
		burning
		_ ecs.Without[wet]
	}](w)
	torches := ecs.SpawnerOf[struct{ wet }](w)
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

// Each entity gets a value of its own, from its components.
func ExamplePool_AddFunc() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	ships := ecs.Register[engine](w, "engine")
	fires := ecs.Register[burning](w, "burning")
	var err error
	for power := range 3 {
		e, err := w.Spawn()
		if err == nil {
			err = ships.Add(e, engine{power})
		}
		if err != nil {
			panic(err)
		}
	}
	all := ecs.QueryOf[struct{ Engines []engine }](w)
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
