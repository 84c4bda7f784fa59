// Package lists is a program with many short systems that read a little of a wide component, over
// rows in an order of their own: lists that are sorted for drawing, over bodies in the order of their
// birth. It is written on Ashlar with groups, where a view brings the values read into the lists' order;
// in plain slices, where each row of a list has the index of its body; and as one table in which
// bodies lie in the lists' order.
package lists

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// Body is wide, and lists read one field of it.
type Body struct {
	At   [4]int32
	Rest [28]int32
}

// Item is a row of the list. Its order is that of keys.
type Item struct{ Key, Serial uint32 }

const (
	systems   = 12
	moveEvery = 10 // frames
)

// Programs are the lists.
func Programs() []twin.Program {
	return []twin.Program{{
		Name: "lists: 200,000 bodies, 12 systems read 16 of 128 B", Entities: 200_000, Frames: 300, Warm: 20,
		Variants: []twin.Variant{twin.OnAshlar(openAshlar), {Name: twin.Slices, Open: openSlices}, {Name: twin.Tables, Open: openTable}},
	}}
}

// body and item are the first values of an entity.
func body(serial int) (b Body) {
	b.Rest[0] = int32(serial)
	b.move(0)
	return b
}

func item(serial int) Item { return Item{uint32(twin.Mix(uint64(serial), 7)), uint32(serial)} }

func (a Item) compare(b Item) int {
	return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Serial, b.Serial))
}

// move moves a body.
func (b *Body) move(frame int) {
	x := twin.Mix(uint64(b.Rest[0]), uint64(frame))
	for i := range b.At {
		b.At[i] = int32(x >> (8 * i))
	}
}

// passes count, for each system, how often a value was less than the value of the row before.
type passes [systems]struct {
	last     int32
	descents uint64
}

func (p *passes) digest() (sum uint64) {
	for s := range p {
		sum = twin.Mix(sum, p[s].descents)
	}
	return sum
}

func openAshlar(n int, o ecs.Options) twin.Stage {
	w := ecs.New(o)
	bodies := ecs.Register[Body](w, "body")
	items := ecs.Register[Item](w, "item")
	own := ecs.GroupOf[struct{ B Body }](w, "bodies", bodies)
	own.SortAs(nil, 0)
	list := ecs.GroupOf[struct{ I Item }](w, "items", items)
	for serial := range n {
		e := twin.Must(own.Spawn(struct{ B Body }{body(serial)}))
		twin.Check(items.Add(e, item(serial)))
	}
	list.Sort(func(a, b ecs.Entity) int { return items.Get(a).compare(*items.Get(b)) })
	var p passes
	for s := range systems {
		ecs.System(w, fmt.Sprint("pass.", s), func(c *struct {
			I  []Item
			At [][4]int32 `ashlar:"body.At"`
		}) {
			last, descents := p[s].last, p[s].descents
			for _, at := range c.At {
				v := at[s%4]
				if v < last {
					descents++
				}
				last = v
			}
			p[s].last, p[s].descents = last, descents
		})
	}
	mover := ecs.QueryOf[struct {
		B ecs.Write[Body]
	}](w)
	ctx, frame := context.Background(), 0
	return twin.Stage{
		Frame: func() {
			if frame++; frame%moveEvery == 0 {
				for c := range mover.All() {
					for i := range c.B {
						c.B[i].move(frame)
					}
				}
			}
			twin.Check(w.Run(ctx))
		},
		Digest: p.digest, Check: w.Check, Close: w.Close, World: w,
	}
}

// sorted are the items of n entities in their order.
func sorted(n int) []Item {
	items := make([]Item, n)
	for serial := range items {
		items[serial] = item(serial)
	}
	slices.SortFunc(items, Item.compare)
	return items
}

func openSlices(n int) twin.Stage {
	items, bodies, frame := sorted(n), make([]Body, n), 0
	for serial := range bodies {
		bodies[serial] = body(serial)
	}
	var p passes
	return twin.Stage{Digest: p.digest, Frame: func() {
		if frame++; frame%moveEvery == 0 {
			for i := range bodies {
				bodies[i].move(frame)
			}
		}
		for s := range p {
			last, descents := p[s].last, p[s].descents
			for i := range items {
				v := bodies[items[i].Serial].At[s%4]
				if v < last {
					descents++
				}
				last = v
			}
			p[s].last, p[s].descents = last, descents
		}
	}}
}

func openTable(n int) twin.Stage {
	items, bodies, frame := sorted(n), make([]Body, n), 0
	for i := range items {
		bodies[i] = body(int(items[i].Serial))
	}
	var p passes
	return twin.Stage{Digest: p.digest, Frame: func() {
		if frame++; frame%moveEvery == 0 {
			for i := range bodies {
				bodies[i].move(frame)
			}
		}
		for s := range p {
			last, descents := p[s].last, p[s].descents
			for i := range bodies {
				v := bodies[i].At[s%4]
				if v < last {
					descents++
				}
				last = v
			}
			p[s].last, p[s].descents = last, descents
		}
	}}
}
