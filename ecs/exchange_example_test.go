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
