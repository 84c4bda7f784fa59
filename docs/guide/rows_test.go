package guide

import (
	"fmt"
	"strings"

	"github.com/ashlar-go/ashlar/ecs"
)

func Example_rows() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()

	quest := ecs.Register[Quest](w, "quest", ecs.Thin)
	es := make([]ecs.Entity, 13)
	for i := 1; i <= 12; i++ {
		es[i] = must(w.Spawn()) // with index i
	}
	rows := func() {
		var list []string
		for e, q := range quest.All() {
			list = append(list, fmt.Sprintf("entity %d goes to %v", e.Index(), q.Goal.X))
		}
		fmt.Println(strings.Join(list, "; "))
	}

	check(quest.Add(es[7], Quest{Position{X: 70}}))
	check(quest.Add(es[3], Quest{Position{X: 30}}))
	check(quest.Add(es[12], Quest{Position{X: 120}}))
	rows()

	fmt.Println(quest.Get(es[3]).Goal.X, quest.Get(es[5]) == nil)

	check(quest.Remove(es[7]))
	rows()
	fmt.Println(quest.Get(es[12]).Goal.X)

	check(w.Destroy(es[3]))
	again := must(w.Spawn())
	fmt.Println(again, quest.Get(es[3]) == nil, quest.Get(again) == nil)
	// Output:
	// entity 7 goes to 70; entity 3 goes to 30; entity 12 goes to 120
	// 30 true
	// entity 12 goes to 120; entity 3 goes to 30
	// 120
	// 3v2 true true
}
