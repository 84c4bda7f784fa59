package ecs_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

type (
	Position struct{ X, Y float64 }
	Velocity struct{ X, Y float64 }
)

type (
	Poison struct{ Damage float64 }
	Quest  struct{ Goal Position }
)

type body struct {
	Position
	Velocity
}

type motion struct {
	Pos ecs.Write[Position]
	Vel []Velocity
}

// A program whole: a world, two components, a system, a frame.
func Example() {
	w := ecs.New(ecs.Options{})
	defer w.Close() // its memory is not the garbage collector's

	position := ecs.Register[Position](w, "position")
	ecs.Register[Velocity](w, "velocity")
	bodies := ecs.SpawnerOf[body](w)
	e, err := bodies.Spawn(body{Position{1, 2}, Velocity{3, 4}})
	if err != nil {
		panic(err)
	}

	ecs.System(w, "move", func(c *motion) {
		pos, vel := c.Pos, c.Vel // hoisted: Go reloads slice headers through a pointer
		for i := range pos {
			pos[i].X += vel[i].X
			pos[i].Y += vel[i].Y
		}
	})
	if err := w.Run(context.Background()); err != nil { // one frame
		panic(err)
	}
	fmt.Println(e, *position.Get(e))
	// Output: 1v1 {4 6}
}

// A spawner writes all values of an entity at once. A system's Commands may spawn, too:
// the entity is alive at once and gets its components at the next safe point.
func ExampleSpawnerOf() {
	type spark struct{ Position }
	type burst struct {
		Pos []Position
		Vel []Velocity
		Do  *ecs.Commands
	}

	w := ecs.New(ecs.Options{})
	defer w.Close()
	position := ecs.Register[Position](w, "position")
	ecs.Register[Velocity](w, "velocity")
	bodies := ecs.SpawnerOf[body](w)
	sparks := ecs.SpawnerOf[spark](w)

	es := make([]ecs.Entity, 3)
	if err := bodies.SpawnN(es, []body{{Position: Position{X: 1}}, {Position: Position{X: 2}}, {Position: Position{X: 3}}}); err != nil {
		panic(err)
	}
	ecs.System(w, "burst", func(c *burst) {
		for i := range c.Vel {
			sparks.Later(c.Do).Spawn(spark{c.Pos[i]})
		}
	})
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	fmt.Println(w.Len(), "entities")
	for e, at := range position.All() {
		fmt.Println(e, at.X)
	}
	// Output:
	// 6 entities
	// 1v1 1
	// 2v1 2
	// 3v1 3
	// 64v1 1
	// 65v1 2
	// 66v1 3
}

// Poison comes and goes, so it is registered as volatile: neither adding nor removing it
// moves a row. Few entities have a quest, so it is thin.
func ExampleRegister() {
	type hurt struct {
		Pos    ecs.Write[Position]
		Poison []Poison
	}

	w := ecs.New(ecs.Options{})
	defer w.Close()
	position := ecs.Register[Position](w, "position")
	ecs.Register[Velocity](w, "velocity", ecs.Stable)
	poison := ecs.Register[Poison](w, "poison", ecs.Volatile)
	quest := ecs.Register[Quest](w, "quest", ecs.Thin)

	bodies := ecs.SpawnerOf[body](w)
	es := make([]ecs.Entity, 100)
	if err := bodies.SpawnN(es, []body{{}}); err != nil {
		panic(err)
	}
	poison.Add(es[3], Poison{1})
	poison.Add(es[4], Poison{2})
	quest.Add(es[4], Quest{Position{9, 9}})

	ecs.System(w, "hurt", func(c *hurt) { // the rows that have the bit, side by side
		for i := range c.Pos {
			c.Pos[i].X -= c.Poison[i].Damage
		}
	})
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	poison.Remove(es[3])
	fmt.Println(position.Get(es[3]).X, position.Get(es[4]).X, poison.Len(), quest.Get(es[4]).Goal)
	// Output: -1 -2 1 {9 9}
}

// A group keeps the components that it owns in rows of their own, apart from the rest of
// the entity. An optional one does not decide who is a member.
func ExampleGroupOf() {
	type physics struct {
		Position
		Velocity
		_ ecs.Maybe[Poison]
	}

	w := ecs.New(ecs.Options{})
	defer w.Close()
	ecs.Register[Position](w, "position")
	velocity := ecs.Register[Velocity](w, "velocity")
	poison := ecs.Register[Poison](w, "poison")
	quest := ecs.Register[Quest](w, "quest")
	bodies := ecs.GroupOf[physics](w, "bodies")

	e, _ := bodies.Spawn(physics{})
	poison.Add(e, Poison{1})
	quest.Add(e, Quest{}) // lies in a table, apart from the group's row
	poison.Remove(e)
	fmt.Println(bodies.Len())
	velocity.Remove(e)
	fmt.Println(bodies.Len())
	// Output:
	// 1
	// 0
}

// Every piece of Go in the pages of docs/design is in an example, where
// it is compiled and run.
func TestPages(t *testing.T) {
	files, err := filepath.Glob("*example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	have := ""
	for _, name := range files {
		code, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		have += unindented(string(code))
	}
	pages, err := filepath.Glob("../docs/design/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pieces := 0
	for _, name := range pages {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, piece := range strings.Split(strings.ReplaceAll(string(page), "\r\n", "\n"), "```go\n")[1:] {
			pieces++
			text, _, closed := strings.Cut(piece, "```")
			if text = strings.Trim(unindented(text), "\n"); !closed || text == "" || !strings.Contains(have, "\n"+text+"\n") {
				t.Errorf("%s: no example has:\n%s", name, text)
			}
		}
	}
	if pieces < 12 {
		t.Errorf("only %d pieces of Go found", pieces)
	}
}

// unindented is text with the tabs before each line taken away.
func unindented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		b.WriteString(strings.TrimLeft(line, "\t"))
	}
	return b.String()
}

// A field of a component is passed where it lies, without a copy.
func ExampleStrided() {
	type body struct{ At, Speed [2]float32 }
	w := ecs.New(ecs.Options{})
	defer w.Close()
	bodies := ecs.Register[body](w, "body")
	e, _ := w.Spawn()
	bodies.Add(e, body{Speed: [2]float32{3, 4}})
	ecs.System(w, "move", func(c *struct {
		At    ecs.WriteStrided[[2]float32] `ashlar:"body.At"`
		Speed ecs.Strided[[2]float32]      `ashlar:"body.Speed"`
	}) {
		at, speed := c.At, c.Speed
		for i := range at.Len() {
			v := speed.At(i)
			at.At(i)[0] += v[0]
			at.At(i)[1] += v[1]
		}
	})
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	fmt.Println(bodies.Get(e).At)
	// Output: [3 4]
}

// Each field has a column of its own. A spawner takes the whole.
func ExampleRegisterSplit() {
	type body struct{ At, Speed [2]float32 }
	w := ecs.New(ecs.Options{})
	defer w.Close()
	bodies := ecs.RegisterSplit[body](w, "body")
	speeds := ecs.SplitField[[2]float32](bodies, "Speed")
	e, _ := ecs.SpawnerOf[struct{ Body body }](w).Spawn(struct{ Body body }{body{Speed: [2]float32{3, 4}}})
	ecs.System(w, "move", func(c *struct {
		At    ecs.Write[[2]float32] `ashlar:"body.At"`
		Speed [][2]float32          `ashlar:"body.Speed"`
	}) {
		for i := range c.At {
			c.At[i][0] += c.Speed[i][0]
			c.At[i][1] += c.Speed[i][1]
		}
	})
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	speeds.Mut(e)[0] = 9
	fmt.Println(bodies.Load(e))
	// Output: {[3 4] [9 4]} true
}
