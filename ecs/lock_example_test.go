package ecs_test

import (
	"errors"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// A rider relies on a horse. While it does, the horse stays, and keeps its saddle.
func ExampleLock() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	saddles := ecs.Register[saddle](w, "saddle")
	horses := ecs.SpawnerOf[struct{ saddle }](w)
	horse, err := horses.Spawn(struct{ saddle }{saddle{9}})
	if err != nil {
		panic(err)
	}

	mounted := w.NewLock("mounted", saddles)
	if err := mounted.Hold(horse, "rider"); err != nil {
		panic(err) // it is not alive
	}
	fmt.Println(saddles.Remove(horse))
	if err := w.Destroy(horse); errors.Is(err, ecs.ErrLocked) {
		fmt.Println(err)
	}

	if err := mounted.Release(horse, "rider"); err != nil {
		panic(err)
	}
	fmt.Println(w.Destroy(horse))
	// Output:
	// ecs: 1v1 can't lose component "saddle": "rider" holds it by lock "mounted" until it calls Release
	// ecs: 1v1 can't be destroyed: "rider" holds it by lock "mounted" until it calls Release
	// <nil>
}

// A script holds the entity that it is about to change, through the contract that it has of it.
func ExampleSchema_Hold() {
	w, _, players := playerWorld()
	defer w.Close()
	e, err := players.Spawn()
	if err != nil {
		panic(err)
	}
	self, err := players.Bind(e)
	if err != nil {
		panic(err)
	}
	if err := players.Hold(&self, "dialogue"); err != nil {
		panic(err) // it lacks something, or is not alive
	}
	fmt.Println(w.Destroy(e))
	if err := players.Release(&self, "dialogue"); err != nil {
		panic(err)
	}
	fmt.Println(w.Destroy(e), players.Valid(&self))
	// Output:
	// ecs: 1v1 can't be destroyed: "dialogue" holds it by lock "ecs_test.playerParts" until it calls Release
	// <nil> false
}
