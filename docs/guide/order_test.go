package guide

import (
	"cmp"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

func Example_order() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()

	type Layer struct{ Depth, Tint uint32 }
	type sprite struct{ Layer }
	layer := ecs.Register[Layer](w, "layer")
	sprites := ecs.GroupOf[sprite](w, "sprites")
	show := func() {
		var depths []uint32
		for _, l := range layer.All() {
			depths = append(depths, l.Depth)
		}
		fmt.Println(depths)
	}

	for _, depth := range []uint32{40, 10, 30} {
		must(sprites.Spawn(sprite{Layer{Depth: depth}}))
	}
	layer.Sort(func(a, b *Layer) int { return cmp.Compare(a.Depth, b.Depth) })
	show()

	layer.SortKey(func(l *Layer) uint64 { return uint64(100 - l.Depth) }) // by an integer
	show()

	sprites.Sort(func(a, b ecs.Entity) int { return cmp.Compare(a.Index(), b.Index()) }) // by entity
	show()
	// Output:
	// [10 30 40]
	// [40 30 10]
	// [40 10 30]
}

func Example_order_following() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
	type Layer struct{ Depth, Tint uint32 }
	type Place struct{ X float64 }
	type sprite struct{ Layer }
	layer := ecs.Register[Layer](w, "layer")
	sprites := ecs.GroupOf[sprite](w, "sprites")
	sprites.SortAs(nil, 0) // rows of its own, as after a sort
	ecs.Register[Place](w, "place")

	places := ecs.GroupOf[struct{ Place }](w, "places")
	for i := range uint32(3) {
		e := must(places.Spawn(struct{ Place }{}))
		check(layer.Add(e, Layer{Depth: 30 - 10*i})) // a sprite, too
	}
	layer.Sort(func(a, b *Layer) int { return cmp.Compare(a.Depth, b.Depth) })
	fmt.Println(places.Members(nil))

	places.SortAs(sprites, 1024) // at most so many rows are swapped in a frame
	check(w.Run(ctx))
	fmt.Println(places.Members(nil))
	// Output:
	// [1v1 2v1 3v1]
	// [3v1 2v1 1v1]
}
