package guide

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

type Poison struct{ Damage float64 }
type Fire struct{}
type Shield struct{}

func Example_queries() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
	health := ecs.Register[Health](w, "health")
	ecs.Register[Armor](w, "armor")
	soldiers := ecs.SpawnerOf[struct {
		Health
		Armor
	}](w)
	must(soldiers.Spawn(struct {
		Health
		Armor
	}{Health{100}, Armor{4}}))
	boss := must(soldiers.Spawn(struct {
		Health
		Armor
	}{Health{100}, Armor{5}}))

	func() {
		type wounded struct {
			Health ecs.Write[Health]
			Armor  []Armor
			Ents   []ecs.Entity // whose rows they are
		}
		q := ecs.QueryOf[wounded](w)

		for c := range q.All() {
			for i := range c.Health {
				c.Health[i].Points -= 10 - c.Armor[i].Strength
			}
		}
	}()
	func() {
		q := ecs.QueryOf[struct {
			Ent    ecs.Entity
			Health *Health
		}](w)

		for c := range q.All() {
			fmt.Println(c.Ent, c.Health.Points)
		}
		c, ok := q.Get(boss) // one entity, if it matches
		fmt.Println(c.Health.Points, ok)
	}()

	check(health.SetEnabled(boss, false))
	fmt.Println(ecs.QueryOf[struct{ H []Health }](w).Len(), health.Get(boss).Points)
	check(health.SetEnabled(boss, true))
	// Output:
	// 1v1 94
	// 2v1 95
	// 95 true
	// 1 95
}

func Example_queries_filters() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
	health := ecs.Register[Health](w, "health")
	ecs.Register[Armor](w, "armor")
	ecs.Register[Enemy](w, "enemy")
	ecs.Register[Poison](w, "poison")
	fire := ecs.Register[Fire](w, "fire")
	shield := ecs.Register[Shield](w, "shield")
	type ill struct {
		Health
		Enemy
		Poison
	}
	enemies := ecs.SpawnerOf[ill](w)
	safe := must(enemies.Spawn(ill{Health: Health{50}}))
	check(shield.Add(safe, Shield{}))
	must(enemies.Spawn(ill{Health: Health{50}}))

	q := ecs.QueryOf[struct {
		Health ecs.Write[Health]
		Armor  ecs.Maybe[Armor]
		Has    ecs.Has `ashlar:"armor"`
		_      ecs.With[Enemy]
		_      ecs.Or[Poison, Fire]
		_      ecs.Without[Shield]
	}](w)

	for c := range q.All() {
		for i := range c.Health {
			if !c.Has.Has(i) {
				c.Health[i].Points = 0
			}
		}
	}
	fmt.Println(q.Len(), "match")

	n := must(fire.AddAll(q, Fire{}))
	fmt.Println(n, "burn;", must(health.SetAll(q, Health{1})), "are weak;", must(w.DestroyAll(q)), "destroyed")

	type row struct{ Health []Health }
	all := ecs.QueryOf[row](w)
	n = must(all.DestroyWhere(func(c *row, i int) bool { return c.Health[i].Points < 60 }))
	fmt.Println(n, "fell,", all.Len(), "stand")
	// Output:
	// 1 match
	// 1 burn; 1 are weak; 1 destroyed
	// 1 fell, 0 stand
}
