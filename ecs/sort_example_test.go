package ecs_test

import (
	"cmp"
	"context"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// Positions are owned by one group and read by another, which is sorted by layer. Its
// readers' order becomes theirs.
func ExampleGroup_SortAs() {
	type place struct{ Position }
	type layer int
	type picture struct{ Layer layer }

	w := ecs.New(ecs.Options{})
	defer w.Close()
	position := ecs.Register[Position](w, "position")
	layers := ecs.Register[layer](w, "layer")
	places := ecs.GroupOf[place](w, "places")
	pictures := ecs.GroupOf[picture](w, "pictures")
	for i := range 6 {
		e, _ := places.Spawn(place{Position{float64(i), 0}})
		if i != 2 {
			layers.Add(e, layer(10-i))
		}
	}

	pictures.Sort(func(a, b ecs.Entity) int { return int(*layers.Get(a) - *layers.Get(b)) })
	places.SortAs(pictures, 1024) // rows a frame
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	for e, at := range position.All() {
		if l := layers.Get(e); l != nil {
			fmt.Println(at.X, "on layer", *l)
		} else {
			fmt.Println(at.X, "on none")
		}
	}
	// Output:
	// 5 on layer 5
	// 4 on layer 6
	// 3 on layer 7
	// 1 on layer 9
	// 0 on layer 10
	// 2 on none
}

type layerOf struct{ Depth, Tint uint32 }

// sortedWorld has five entities in two tables: entities at an even depth have a name, too.
func sortedWorld() (*ecs.World, *ecs.Pool[layerOf]) {
	type name [4]byte
	w := ecs.New(ecs.Options{})
	layers := ecs.Register[layerOf](w, "layer")
	names := ecs.Register[name](w, "name")
	for i, depth := range []uint32{40, 10, 30, 20, 5} {
		e, _ := w.Spawn()
		layers.Add(e, layerOf{depth, uint32(i)})
		if depth%20 == 0 {
			names.Add(e, name{'e'})
		}
	}
	return w, layers
}

// Each table is sorted by itself. In a group with the layer, all rows would be in one order.
func ExamplePool_Sort() {
	w, layers := sortedWorld()
	defer w.Close()
	byDepth := func(a, b *layerOf) int { return int(a.Depth) - int(b.Depth) }
	layers.Sort(byDepth)
	for _, l := range layers.All() {
		fmt.Print(l.Depth, " ")
	}
	// Output: 5 10 30 20 40
}

// Rows are sorted by values, by an integer that follows from them, or by entity.
func ExampleGroup_Sort_ways() {
	type sprite struct{ Layer layerOf }
	w := ecs.New(ecs.Options{})
	defer w.Close()
	layers := ecs.Register[layerOf](w, "layer")
	sprites := ecs.GroupOf[sprite](w, "sprites")
	for _, depth := range []uint32{40, 10, 30} {
		sprites.Spawn(sprite{layerOf{Depth: depth}})
	}
	// By values of a component.
	layers.Sort(func(a, b *layerOf) int { return cmp.Compare(a.Depth, b.Depth) })
	// By an integer.
	layers.SortKey(func(l *layerOf) uint64 { return uint64(l.Depth) })
	// Members of a group, by entity.
	sprites.Sort(func(a, b ecs.Entity) int { return cmp.Compare(a.Index(), b.Index()) })

	for e, l := range layers.All() {
		fmt.Print(e.Index(), ":", l.Depth, " ")
	}
	// Output: 1:40 2:10 3:30
}

// An integer key sorts many rows that are in no order faster than a comparison.
func ExamplePool_SortKey() {
	w, layers := sortedWorld()
	defer w.Close()
	layers.SortKey(func(l *layerOf) uint64 { return uint64(1000 - l.Depth) })
	for _, l := range layers.All() {
		fmt.Print(l.Depth, " ")
	}
	// Output: 30 10 5 40 20
}

// The first two rows of each table are sorted, and without a look at them.
func ExampleFirst() {
	w, layers := sortedWorld()
	defer w.Close()
	layers.Sort(func(a, b *layerOf) int { return int(b.Depth) - int(a.Depth) }, ecs.First(2), ecs.SortInPlace)
	for _, l := range layers.All() {
		fmt.Print(l.Depth, " ")
	}
	// Output: 30 10 5 40 20
}

// Rows come once into the order of another component's rows.
func ExamplePool_Respect() {
	w, layers := sortedWorld()
	defer w.Close()
	turn := ecs.Register[struct{ N int32 }](w, "turn", ecs.Thin)
	for _, i := range []uint32{5, 2} {
		for e := range w.All() {
			if e.Index() == i {
				turn.Add(e, struct{ N int32 }{})
			}
		}
	}
	layers.Respect(turn)
	for _, l := range layers.All() {
		fmt.Print(l.Depth, " ")
	}
	// Output: 5 10 30 40 20
}

// The members of a group are sorted by values that are looked up, and members of another one
// come into their order.
func ExampleGroup_Sort() {
	type unit struct{ Layer layerOf }
	type place struct{ Position }
	w := ecs.New(ecs.Options{})
	defer w.Close()
	layers := ecs.Register[layerOf](w, "layer")
	positions := ecs.Register[Position](w, "position")
	units := ecs.GroupOf[unit](w, "units")
	places := ecs.GroupOf[place](w, "places")
	for _, depth := range []uint32{3, 1, 2} {
		e, _ := units.Spawn(unit{layerOf{Depth: depth}})
		positions.Add(e, Position{float64(depth), 0})
	}
	byDepth := func(a, b ecs.Entity) int { return int(layers.Get(a).Depth) - int(layers.Get(b).Depth) }
	units.Sort(byDepth, ecs.First(2)) // 1 3 2
	units.Sort(byDepth)
	places.SortAs(units, 0)
	for _, p := range positions.All() {
		fmt.Print(p.X, " ")
	}
	// Output: 1 2 3
}
