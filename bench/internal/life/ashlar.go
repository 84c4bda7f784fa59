package life

import (
	"context"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// world is the part that all games on Ashlar share.
type world struct {
	*ecs.World
	canvas
	cells    []ecs.Entity // by number
	position *ecs.Pool[Position]
	state    *ecs.Pool[State]
	count    *ecs.Pool[Count]
}

func newWorld(g Grid, draws bool, states ...ecs.Storage) *world {
	return newWorldOf(g, draws, 0, states...)
}

// newWorldOf has so many workers; 0: the usual number.
func newWorldOf(g Grid, draws bool, workers int, states ...ecs.Storage) *world {
	quiet := func(string) {}
	w := &world{World: ecs.New(ecs.Options{Workers: workers, Memory: memmgr.Options{Arena: arena.Options{Log: quiet}}}), canvas: newCanvas(g, draws), cells: make([]ecs.Entity, g.Cells())}
	w.position = ecs.Register[Position](w.World, "position")
	w.state = ecs.Register[State](w.World, "state", states...)
	w.count = ecs.Register[Count](w.World, "count")
	return w
}

// Step runs a frame.
func (w *world) Step() { twin.Check(w.Run(context.Background())) }

// Alive asks for a cell's state.
func (w *world) Alive(cell int) bool { return w.state.Get(w.cells[cell]).Alive == 1 }

// Close returns the memory.
func (w *world) Close() { twin.Check(w.World.Close()) }

type cell[N any] struct {
	Position
	State
	Count
	Near N
}

// spawn makes the cells. Their neighbours are known when all cells are there.
func spawn[N any](w *world, g Grid, near func(cell int) N) {
	cells := ecs.SpawnerOf[cell[N]](w.World)
	for i := range w.cells {
		w.cells[i] = twin.Must(cells.Spawn(cell[N]{Position: g.Position(i), State: g.First(i)}))
	}
	pool := w.Pool("near").(*ecs.Pool[N])
	for i, e := range w.cells {
		twin.Check(pool.Set(e, near(i)))
	}
}

func (w *world) ruleAndDraw(how ...ecs.SystemOption) {
	ecs.System(w.World, "rule", func(c *struct {
		State ecs.Write[State]
		Count []Count
	}) {
		rule(c.State, c.Count)
	}, how...)
	w.draws()
}

func (w *world) draws() {
	if w.picture != nil {
		ecs.System(w.World, "draw", func(c *struct {
			Position []Position
			State    []State
		}) {
			draw(w.picture, w.width, c.Position, c.State)
		})
	}
}

// openHandles has handles of neighbours in a component.
func openHandles(g Grid, draws bool) Game { return byHandle(newWorld(g, draws), g) }

func byHandle(w *world, g Grid, how ...ecs.SystemOption) Game {
	ecs.Register[Near[ecs.Entity]](w.World, "near")
	spawn(w, g, func(i int) Near[ecs.Entity] {
		return translate(g, i, func(n int) ecs.Entity { return w.cells[n] })
	})
	ecs.System(w.World, "count", func(c *struct {
		Near   []Near[ecs.Entity]
		Count  ecs.Write[Count]
		States ecs.Look[State]
	}) {
		near, count, states := c.Near, c.Count, c.States
		for i := range near {
			n := uint8(0)
			for _, e := range near[i].Of {
				n += states.Get(e).Alive
			}
			count[i].N = n
		}
	}, how...)
	w.ruleAndDraw(how...)
	return w
}

// openNumbers has numbers of neighbours in a component, and a slice of states by number as a resource: rows of
// a table may move, so a program keeps numbers of its own.
func openNumbers(g Grid, draws bool) Game {
	w := newWorld(g, draws)
	ecs.Register[Near[uint32]](w.World, "near")
	type board struct{ states []State }
	states := make([]State, g.Cells())
	ecs.Provide(w.World, board{states})
	spawn(w, g, func(i int) Near[uint32] {
		states[i] = g.First(i)
		return translate(g, i, func(n int) uint32 { return uint32(n) })
	})
	ecs.System(w.World, "count", func(c *struct {
		Near  []Near[uint32]
		Count ecs.Write[Count]
		Board ecs.Res[board]
	}) {
		countRows(c.Count, c.Near, c.Board.Get().states)
	})
	ecs.System(w.World, "rule", func(c *struct {
		State    ecs.Write[State]
		Count    []Count
		Position []Position
		Board    ecs.WriteRes[board]
	}) {
		n := len(c.Position)
		state, count, states, width := c.State[:n], c.Count[:n], c.Board.Mut().states, w.width
		for i, p := range c.Position {
			s := State{next(state[i].Alive, count[i].N)}
			state[i], states[int(p.Y)*width+int(p.X)] = s, s
		}
	})
	w.draws()
	return w
}

type neighbour struct{ State *State }

// near8 is the contracts with a cell's neighbours. They are written when they are used, because each remembers where its
// entity was.
type near8 = Near[ecs.Contract[neighbour]]

// openFields reads states by ecs.FieldOf, which wants a component that stays in its tables.
func openFields(g Grid, draws bool) Game {
	w := newWorld(g, draws, ecs.Stable)
	ecs.Register[near8](w.World, "near")
	schema := ecs.SchemaOf[neighbour](w.World)
	spawn(w, g, func(i int) near8 {
		return translate(g, i, func(n int) ecs.Contract[neighbour] { return twin.Must(schema.Bind(w.cells[n])) })
	})
	states := ecs.FieldOf[State](schema)
	ecs.System(w.World, "count", func(c *struct {
		Near  ecs.Write[near8]
		Count ecs.Write[Count]
		_     ecs.Look[State]
	}) {
		near, count := c.Near, c.Count
		for i := range near {
			n := uint8(0)
			for k := range near[i].Of {
				if of := &near[i].Of[k]; schema.Valid(of) {
					n += states.At(of).Alive
				}
			}
			count[i].N = n
		}
	})
	w.ruleAndDraw()
	return w
}
