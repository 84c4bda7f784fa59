package guide

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

type Health struct{ Points int32 }
type Armor struct{ Strength int32 }
type Enemy struct{}

func Example_components() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()

	health := ecs.Register[Health](w, "health")
	armor := ecs.Register[Armor](w, "armor")
	enemy := ecs.Register[Enemy](w, "enemy") // struct{}: a tag, without data

	e := must(w.Spawn())
	check(health.Add(e, Health{10}))
	check(armor.Put(e, Armor{2})) // adds it, or sets its value

	health.Mut(e).Points -= 3
	fmt.Println(health.Get(e).Points, armor.Has(e), enemy.Has(e))

	check(armor.Remove(e))
	fmt.Println(armor.Get(e) == nil, armor.Set(e, Armor{9}) == ecs.ErrAbsent)

	type soldier struct {
		Health
		Armor
		Enemy
	}
	soldiers := ecs.SpawnerOf[soldier](w)
	s := must(soldiers.Spawn(soldier{Health: Health{20}, Armor: Armor{5}}))
	fmt.Println(w.Len(), enemy.Has(s), health.Get(s).Points)

	troop := make([]ecs.Entity, 100)                              // its length says how many
	check(soldiers.SpawnN(troop, []soldier{{Health: Health{5}}})) // one value for all, or one for each
	fmt.Println(w.Len(), health.Get(troop[99]).Points)

	drops := make([]struct{ Health Health }, 50_000)
	check(ecs.SpawnerOf[struct{ Health Health }](w).SpawnAll(drops))
	fmt.Println(w.Len(), w.Stats().Unseen > 45_000)

	check(w.Destroy(s))
	fmt.Println(w.Alive(s), w.Destroy(s) == ecs.ErrStale)
	// Output:
	// 7 true false
	// true true
	// 2 true 20
	// 102 5
	// 50102 true
	// false true
}

type tough struct {
	Armor
	_ ecs.Without[Enemy]
}

func Example_components_exchange() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
	armor := ecs.Register[Armor](w, "armor")
	enemy := ecs.Register[Enemy](w, "enemy")

	defect := ecs.ExchangeOf[tough](w)
	spy := must(w.Spawn())
	check(enemy.Add(spy, Enemy{}))
	check(defect.Do(spy, tough{Armor: Armor{5}}))
	fmt.Println(enemy.Has(spy), armor.Get(spy).Strength)
	fmt.Println(defect.Do(spy, tough{}))
	// Output:
	// false 5
	// ecs: the entity does not have the component: "enemy"
}

func Example_components_refused() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
	type Image struct{ Pix []byte }
	type Sprite struct{ Image Image }
	ecs.Register[Sprite](w, "sprite")
	fmt.Println(w.Err())
	// Output:
	// ecs: Register of component "sprite": chunk: guide.Sprite has a Go pointer at Sprite.Image.Pix, and the collector does not look into chunks: store an index or a handle instead
}
