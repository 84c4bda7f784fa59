// Package adverse is programs in which adapting has little to gain, or may do harm: memory that it
// gives back is wanted again soon, or there is a lot to look at and nothing to move. Each of
// them runs twice, with adapting on and off. Nothing else differs.
//
// # Words
//
// A herd is groups of movers. A script says how many of them each group wants in each frame.
// Movers are born, and die, until there are so many. A frame stands for a sixtieth of a second,
// however long it takes, so that ages of memory go by as they do in a program that waits for
// the next frame.
//
// This file has the herd, script.go the programs.
package adverse

import (
	"context"
	"fmt"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// The components: 40 bytes with the entity.
type (
	Position struct{ X, Y int64 }
	Life     struct{ Serial, Age uint64 }

	mover struct {
		Position Position
		Life     Life
	}
)

// Structs of systems, for the first group: the others' components stand in.
type (
	moving struct {
		Pos  ecs.Write[Position] `ashlar:"position0"`
		Life []Life              `ashlar:"life0"`
	}
	dying struct {
		Ents []ecs.Entity
		Life []Life `ashlar:"life0"`
		Do   *ecs.Commands
	}
)

// known is how many movers are looked up by their handles.
const known = 1 << 14

// herd is a world that a script is carried out in. Serial numbers of a group begin with its
// number and go up by the number of groups. Its frame changes it.
type herd struct {
	*ecs.World
	script
	scale  int // the entities that there may be
	groups []*ecs.Group[mover]
	pos    []*ecs.Pool[Position]
	life   []*ecs.Pool[Life]
	born   []int // of each group, so far
	live   []int
	frame  int
	began  time.Time
	sum    uint64
	known  [known]seen

	entities [1024]ecs.Entity
	values   [1024]mover
}

// seen is a mover of a group.
type seen struct {
	entity ecs.Entity
	group  int
}

// epoch is when the first frame begins.
var epoch = time.Unix(1_000_000_000, 0)

// now is a sixtieth of a second for each frame, and the time gone by within the last one.
func (h *herd) now() time.Time {
	in := time.Duration(0)
	if !h.began.IsZero() {
		in = min(time.Since(h.began), time.Second/60)
	}
	return epoch.Add(time.Duration(h.frame)*(time.Second/60) + in)
}

// paced opens a script with a clock that goes by with its frames.
func paced(s script, entities int, o ecs.Options) twin.Stage {
	h := &herd{script: s, scale: entities}
	o.Adapt.Clock = h.now
	return h.open(o)
}

// open makes the world. Its movers come with the first frame.
func (h *herd) open(o ecs.Options) twin.Stage {
	s := h.script
	h.born, h.live = make([]int, s.groups), make([]int, s.groups)
	h.World = ecs.New(o)
	var all []ecs.AnyGroup
	for i := range s.groups {
		p := ecs.Register[Position](h.World, fmt.Sprintf("position%d", i))
		l := ecs.Register[Life](h.World, fmt.Sprintf("life%d", i))
		g := ecs.GroupOf[mover](h.World, fmt.Sprintf("group%d", i), p, l)
		h.pos, h.life, h.groups, all = append(h.pos, p), append(h.life, l), append(h.groups, g), append(all, g)
	}
	ecs.System(h.World, "move", h.move, ecs.OnlyIn(all...))
	ecs.System(h.World, "die", h.die, ecs.OnlyIn(all...))
	return twin.Stage{
		Prepare: func() { h.frame, h.began = h.frame+1, time.Now() },
		Frame:   h.step, Digest: h.digest, Check: h.Check, Close: h.Close, World: h.World,
	}
}

// step is a frame: births, the systems, and movers that are reached by their handles.
func (h *herd) step() {
	for g := range h.groups {
		h.birth(g, h.wanted(g)-h.live[g])
	}
	twin.Check(h.Run(context.Background()))
	for i := range h.looks {
		s := h.known[twin.Mix(uint64(h.frame), uint64(i))%known]
		if s.entity != 0 && h.Alive(s.entity) {
			h.sum += uint64(h.pos[s.group].Get(s.entity).X)
		}
	}
}

// wanted is how many movers a group is to have in this frame.
func (h *herd) wanted(g int) int { return h.want(h.scale, g, h.frame) }

// birth gives a group n movers more.
func (h *herd) birth(g, n int) {
	for n > 0 {
		k := min(n, len(h.values))
		for i := range k {
			serial := uint64(h.born[g]*len(h.groups) + g)
			h.values[i] = mover{Position{int64(serial), 1}, Life{Serial: serial}}
			h.born[g]++
		}
		twin.Check(h.groups[g].SpawnN(h.entities[:k], h.values[:k]))
		if h.looks > 0 {
			for i, e := range h.entities[:k] {
				h.known[twin.Mix(h.values[i].Life.Serial, 7)%known] = seen{e, g}
			}
		}
		h.live[g] += k
		n -= k
	}
}

func (h *herd) move(m *moving) {
	pos, life := m.Pos, m.Life[:len(m.Pos)]
	if len(life) == 0 || h.rests != nil && h.rests(int(life[0].Serial)%len(h.groups), h.frame) {
		return
	}
	for i := range pos {
		pos[i].X = pos[i].X*31 + pos[i].Y
		pos[i].Y += int64(life[i].Serial)
	}
}

func (h *herd) die(d *dying) {
	if len(d.Life) == 0 {
		return
	}
	g := int(d.Life[0].Serial) % len(h.groups)
	want := h.wanted(g)
	for i, l := range d.Life {
		if h.live[g] <= want && h.turnover == 0 {
			return
		}
		if h.dies(g, want, l.Serial) {
			d.Do.Destroy(d.Ents[i])
			h.live[g]--
		}
	}
}

// dies tells whether a mover of a group does: one in so many that are replaced, and if there
// are too many a sixteenth of them a frame at random, or the oldest at once.
func (h *herd) dies(g, want int, serial uint64) bool {
	random := twin.Mix(serial, uint64(h.frame))
	switch {
	case h.turnover != 0 && random%h.turnover == 0:
		return true
	case h.live[g] <= want:
		return false
	case h.oldest:
		return int(serial)/len(h.groups) < h.born[g]-want
	}
	return want == 0 || random%16 == 0
}

// digest is of all movers in the order in which they are, with their handles, and of all that was
// looked up.
func (h *herd) digest() uint64 {
	sum := h.sum
	for g, p := range h.pos {
		for e, v := range p.All() {
			sum = twin.Mix(sum, uint64(e)) + twin.Mix(uint64(v.X), uint64(v.Y)) + h.life[g].Get(e).Serial
		}
	}
	return sum
}
