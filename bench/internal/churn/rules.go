// Package churn is births and deaths: in each frame a share of all entities die, and as
// many are born. It shows how a store fills holes.
//
// Entities are of many kinds. All have a position, a velocity and a life. A kind is a set of further components.
//
// This file has the components and the pure rules.
package churn

import "github.com/ashlar-go/ashlar/bench/internal/twin"

// The components: 40 bytes, and 4 for each further one.
type (
	Position struct{ X, Y int64 }
	Velocity struct{ X, Y int64 }
	Life     struct{ Serial uint64 }

	Armor  struct{ Points uint32 }
	Mana   struct{ Points uint32 }
	Hunger struct{ Points uint32 }
	Sleep  struct{ Points uint32 }
	Gold   struct{ Points uint32 }
	Fame   struct{ Points uint32 }
)

// extras is how many further components there are: an entity has the ones with their bits
// on in the number of its kind.
const extras = 6

// watched is how many entities are looked up by handle in each frame.
const watched = 1024

// rules are the figures of one program.
type rules struct {
	kinds int
	oneIn uint64 // so many dies in a frame
}

func (r rules) kind(serial uint64) int { return int(twin.Mix(serial, 1) % uint64(r.kinds)) }

// has tells whether a kind has a further component.
func (r rules) has(kind, extra int) bool { return kind>>extra&1 != 0 }

func (r rules) dies(serial, frame uint64) bool { return twin.Mix(serial, 2<<40|frame)%r.oneIn == 0 }

func bornAt(serial uint64) Position {
	h := twin.Mix(serial, 3)
	return Position{int64(h & 0xffff), int64(h >> 48)}
}

func speedOf(serial uint64) Velocity {
	h := twin.Mix(serial, 4)
	return Velocity{int64(h&0xff) - 128, int64(h>>56) - 128}
}

func extraOf(serial uint64, extra int) uint32 { return uint32(twin.Mix(serial, 5+uint64(extra))) }

// watch is where the handle of an entity is kept, for entities that are looked up.
func watch(serial uint64) (slot uint64, yes bool) { return serial / 16 % watched, serial%16 == 0 }

func sight(slot int, at Position) uint64 {
	return twin.Mix(uint64(slot), uint64(at.X)^uint64(at.Y)<<32)
}

// hash is of an entity; extra has 0 for a missing component.
func hash(life Life, at Position, v Velocity, extra [extras]uint32) uint64 {
	h := twin.Mix(life.Serial, uint64(at.X)<<32^uint64(at.Y))
	h = twin.Mix(h, uint64(v.X)<<32^uint64(v.Y))
	for _, x := range extra {
		h = twin.Mix(h, uint64(x))
	}
	return h
}
