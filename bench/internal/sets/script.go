// Package sets is about sets of components: entities that have all sorts of them,
// systems that go over entities with two or three, and entities that gain and lose
// some, or come and go, meanwhile.
//
//	scene ──→ script: the changes of each frame, at random, the same for all
//	             ↓ operations
//	          store: ashlar, tables (archetypes) or sparse sets
//	             ↓ frame
//	          12 systems; each adds one or two components to another
//
// A script knows entities by numbers of its own, which are used again.
package sets

import (
	"math/rand/v2"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
)

// count is how many components there are; a set has a bit for each.
const count = 12

type set uint16

// value is the content of every component.
type value [2]uint64

// valueOf is the value that an entity's component has at first.
func valueOf(entity uint32, component int) value {
	e, c := uint64(entity), uint64(component)
	return value{e*31 + c + 1, e ^ c<<20}
}

type kind uint8

const (
	create kind = iota
	destroy
	add
	remove
)

// operation is one change.
type operation struct {
	kind      kind
	component uint8
	set       set // of an entity that is created
	entity    uint32
}

// script makes the operations of a scene, and knows the result.
type script struct {
	random *rand.Rand
	sets   []set // by entity
	live   []uint32
	free   []uint32
	ops    []operation
}

func newScript() *script { return &script{random: rand.New(rand.NewPCG(7, 12))} }

func (s *script) create(of set) uint32 {
	var e uint32
	if last := len(s.free) - 1; last >= 0 {
		e, s.free = s.free[last], s.free[:last]
		s.sets[e] = of
	} else {
		e = uint32(len(s.sets))
		s.sets = append(s.sets, of)
	}
	s.live = append(s.live, e)
	s.ops = append(s.ops, operation{kind: create, set: of, entity: e})
	return e
}

// destroy takes a random entity.
func (s *script) destroy() {
	i, last := s.random.IntN(len(s.live)), len(s.live)-1
	e := s.live[i]
	s.live[i], s.live = s.live[last], s.live[:last]
	s.free = append(s.free, e)
	s.ops = append(s.ops, operation{kind: destroy, entity: e})
}

func (s *script) any() uint32 { return s.live[s.random.IntN(len(s.live))] }

// toggle adds a component to an entity that lacks it, or removes it.
func (s *script) toggle(e uint32, component int) {
	o := operation{kind: remove, component: uint8(component), entity: e}
	if s.sets[e] ^= 1 << component; s.sets[e]>>component&1 != 0 {
		o.kind = add
	}
	s.ops = append(s.ops, o)
}

// A store holds entities and runs the systems of a scene over them.
type store interface {
	apply([]operation)
	frame() (rows int) // that the systems have visited
	get(entity uint32, component int) (value, bool)
}

// open plays a scene on a store.
func (c scene) open(entities int, s store, prepare func([]operation), check, closing func() error) twin.Stage {
	p := newScript()
	c.first(p, entities)
	s.apply(p.ops)
	frame, rows := 0, uint64(0)
	return twin.Stage{
		Prepare: func() {
			p.ops = p.ops[:0]
			if c.each != nil {
				c.each(p, entities, frame)
			}
			if prepare != nil {
				prepare(p.ops)
			}
			frame++
		},
		Frame: func() {
			s.apply(p.ops)
			rows += uint64(s.frame())
		},
		Digest: func() uint64 { return p.digest(s) + rows },
		Check:  check,
		Close:  closing,
	}
}

// digest goes over all values, and panics where an entity has other components than it
// is to have.
func (s *script) digest(of store) (sum uint64) {
	for _, e := range s.live {
		for c := range count {
			v, has := of.get(e, c)
			if has != (s.sets[e]>>c&1 != 0) {
				panic("an entity has a component that was removed, or lacks one that was added")
			}
			if has {
				sum += twin.Mix(uint64(e)*count+uint64(c), twin.Mix(v[0], v[1]))
			}
		}
	}
	return sum
}
