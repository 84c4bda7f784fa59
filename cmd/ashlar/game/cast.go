package game

import (
	"errors"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// The cast watches the game: a player, and members that patrol by scripts. They
// are reached by contracts, hold each other by locks, sleep while they are far away, and are
// counted by a slice. They look at things and change none, so the digest of things is the
// same with a cast and without, and equals the plain program's, which has none. The acts of the cast go
// into a digest of its own.
//
//	recruit ─→ patrol ─→ player ─→ scripts ─→ far and near ─→ retire ─→ muster ─→ witnesses
//	spawns     system    object    objects    enabled         destroy   slice     contracts with things
//
// newCast sets the queries and schemas, which stay; Cast's frame (end) changes players, scripts,
// witnesses and counts.
type cast struct {
	g       *Game
	walkers *ecs.Pool[Walker]
	spawner func(Walker, Wits) (ecs.Entity, error)
	members *ecs.Schema[part]
	muster  *ecs.Query[muster]
	things  *ecs.Schema[thing]

	idle    *acts
	player  player
	scripts []script
	seen    []ecs.Contract[thing] // which only look
	born    uint64                // members that were recruited
	story   uint64                // digest of the cast's acts
	counts  CastCounts
}

// CastCounts are counts of the cast's acts.
type CastCounts struct {
	Members, Asleep int    // now
	Held            int    // of them by a lock
	Swaps           uint64 // of a script's table of functions
	Kept            uint64 // members that were to retire, and were held
	Ages            [3]Accesses
}

// Accesses is how often contracts with things were used, how often one looked at its thing again because rows of
// that table had moved or gone, and how often its own had.
type Accesses struct{ Uses, Rechecks, Refreshes uint64 }

// ages are the frames from which on a thing counts as older, in CastCounts.Ages.
var ages = [3]uint64{0, 60, 600}

// PerThousand is rechecks and refreshes in 1,000 accesses.
func (a Accesses) PerThousand() (rechecks, refreshes float64) {
	of := 1000 / float64(max(a.Uses, 1))
	return float64(a.Rechecks) * of, float64(a.Refreshes) * of
}

type (
	// Walker is a member of the cast as it patrols.
	Walker struct {
		At    Vec3
		Salt  uint32
		Steps uint32
	}
	// Wits is the state of its script.
	Wits struct{ Crowd, Alarms uint32 }

	part struct {
		Walker ecs.WriteOne[Walker]
		Wits   ecs.WriteOne[Wits]
	}
	thing struct {
		Life *Life
		At   *Transform
	}
	muster struct {
		Walker []Walker
	}
	recruit struct {
		Walker Walker
		Wits   Wits
	}
)

const (
	castSize     = 256
	witnessEvery = 64 // one thing in so many
	farAway      = side / 3
)

// player is an object with methods; its data are components.
type player struct {
	cast *cast
	self ecs.Contract[part]
}

// walk goes towards where most things are, faster than any script.
func (p *player) walk() {
	v, ok := p.cast.members.Mut(&p.self)
	if !ok {
		panic("game: the player is held, and gone")
	}
	to := middle(p.cast.g.crowd.densest())
	v.Walker.At.X += (to.X - v.Walker.At.X) >> 4
	v.Walker.At.Z += (to.Z - v.Walker.At.Z) >> 4
	v.Wits.Crowd = p.cast.g.crowd[zone(v.Walker.At)]
}

// middle is that of a zone.
func middle(z int) Vec3 {
	const half = 1 << (zoneShift - 1)
	return Vec3{int32(z)%zoneSide<<zoneShift + half, 0, int32(z)/zoneSide<<zoneShift + half}
}

// script is an object with a table of functions, which is swapped while it runs.
type script struct {
	self ecs.Contract[part]
	does *acts
}

// acts are the functions of a script: for each frame, and to choose the next table.
type acts struct {
	step func(c *cast, v part)
	next func(c *cast, v part) *acts
	held bool // the script holds its entity meanwhile
}

// crowded tells whether there are many things around a member, or hardly any.
func (c *cast) crowded(v part) (many, few bool) {
	mean := uint32(c.g.counted()/zones + 1)
	return v.Wits.Crowd > mean+mean/8, v.Wits.Crowd < mean
}

// A member is idle until there is a crowd around it, and alarmed until that is gone.
func scriptTables() (idle *acts) {
	idle, alarm := &acts{}, &acts{held: true}
	idle.step = func(c *cast, v part) { v.Wits.Crowd = c.g.crowd[zone(v.Walker.At)] }
	idle.next = func(c *cast, v part) *acts {
		if many, _ := c.crowded(v); many {
			return alarm
		}
		return idle
	}
	alarm.step = func(c *cast, v part) {
		idle.step(c, v)
		v.Wits.Alarms++
	}
	alarm.next = func(c *cast, v part) *acts {
		if _, few := c.crowded(v); few {
			return idle
		}
		return alarm
	}
	return idle
}

// counted is how many things there were at the end of the last frame.
func (g *Game) counted() (n int) {
	for _, k := range g.crowd {
		n += int(k)
	}
	return n
}

// newCast declares the components and groups of a cast.
func newCast(g *Game) *cast {
	c := &cast{g: g, idle: scriptTables()}
	var wits *ecs.Pool[Wits]
	register(g, &c.walkers, "walker")
	register(g, &wits, "wits")
	group := ecs.GroupOf[recruit](g.World, "cast")
	c.spawner = func(w Walker, k Wits) (ecs.Entity, error) { return group.Spawn(recruit{w, k}) }
	c.members = ecs.SchemaOf[part](g.World)
	c.things = ecs.SchemaOf[thing](g.World)
	c.muster = ecs.SliceOf[muster](g.World)
	c.patrol()
	return c
}

// patrol is a system: members that are enabled walk.
func (c *cast) patrol() {
	type patrol struct {
		Walker ecs.Write[Walker]
	}
	system(c.g, "patrol", func(s *patrol) {
		walker := s.Walker
		for i := range walker {
			w := &walker[i]
			w.Steps++
			turn := w.Salt + w.Steps<<22
			w.At.X = (w.At.X + wave(turn)>>3) & (side - 1)
			w.At.Z = (w.At.Z + wave(turn+quarter)>>3) & (side - 1)
		}
	})
}

// recruit spawns members until there are all. After an error it goes on where it was.
func (c *cast) recruit() error {
	for len(c.scripts) < castSize {
		h := mix(c.g.options.Seed, c.born, 77)
		e, err := c.spawner(Walker{At: Vec3{int32(h % side), 0, int32(h >> 32 % side)}, Salt: uint32(h)}, Wits{})
		if err != nil {
			return fmt.Errorf("the cast: %w", err)
		}
		self, err := c.members.Bind(e)
		if err != nil {
			return err
		}
		if c.born++; c.player.cast == nil {
			c.player = player{c, self}
			if err := c.members.Hold(&self, "player"); err != nil { // for as long as there is a world
				return err
			}
		}
		c.scripts = append(c.scripts, script{self, c.idle})
	}
	return nil
}

// meet binds some of the things that are born.
func (c *cast) meet(e ecs.Entity, s seed) {
	if s.serial%witnessEvery != 0 {
		return
	}
	if of, err := c.things.Bind(e); err == nil {
		c.seen = append(c.seen, of)
	}
}

// end lets the cast act after a frame of the game.
func (c *cast) end() {
	c.player.walk()
	c.act()
	c.sleep()
	c.retire()
	c.story = mix(c.story, c.g.frame, c.total(), c.counts.Swaps, c.counts.Kept, uint64(c.counts.Asleep))
	c.look()
}

// act runs the scripts of members that are awake.
func (c *cast) act() {
	for i := range c.scripts {
		s := &c.scripts[i]
		if !c.g.World.Enabled(s.self.Entity()) {
			continue
		}
		v, ok := c.members.Mut(&s.self)
		if !ok {
			panic("game: a member of the cast is gone")
		}
		s.does.step(c, v)
		if next := s.does.next(c, v); next != s.does {
			c.swap(s, next)
		}
	}
}

// swap gives a script another table. While it is alarmed nobody takes its entity away.
func (c *cast) swap(s *script, next *acts) {
	change := c.members.Release
	if next.held {
		change = c.members.Hold
	}
	if err := change(&s.self, "alarm"); err != nil {
		panic(err) // it is alive
	}
	s.does = next
	c.counts.Swaps++
}

// sleep disables members that are far from the eye as a whole, and enables the others.
func (c *cast) sleep() {
	c.counts.Asleep = 0
	eye := c.g.eye.at
	for i := range c.scripts {
		s := &c.scripts[i]
		v, _ := c.members.Get(&s.self)
		away := abs(v.Walker.At.X-eye.X) > farAway || abs(v.Walker.At.Z-eye.Z) > farAway
		if away {
			c.counts.Asleep++
		}
		if err := c.g.World.SetEnabled(s.self.Entity(), !away); err != nil {
			panic(err)
		}
	}
}

// retire destroys a member, unless somebody holds it.
func (c *cast) retire() {
	i := pick(uint32(c.story), c.g.frame, len(c.scripts))
	if err := c.g.World.Destroy(c.scripts[i].self.Entity()); errors.Is(err, ecs.ErrLocked) {
		c.counts.Kept++
	} else if err != nil {
		panic(err)
	} else {
		c.scripts[i] = c.scripts[len(c.scripts)-1]
		c.scripts = c.scripts[:len(c.scripts)-1]
	}
}

// total goes over the slice of members that are awake: a sum, so that it depends on no order.
func (c *cast) total() (sum uint64) {
	for s := range c.muster.All() {
		for _, w := range s.Walker {
			sum += mix(w.At.hash(), pair(w.Salt, w.Steps))
		}
	}
	for i := range c.scripts {
		v, _ := c.members.Get(&c.scripts[i].self)
		sum += mix(pair(v.Walker.Salt, v.Walker.Steps), pair(v.Wits.Crowd, v.Wits.Alarms), 1)
	}
	return sum
}

// look uses the contracts with things, by their age, and drops the contracts of things that are gone.
func (c *cast) look() {
	kept, gone := c.seen[:0], 0
	looks, before := c.things.Stats()
	for i, v := range c.things.All(c.seen) {
		k, age := 0, c.g.frame-uint64(v.At.Born)
		for k+1 < len(ages) && age >= ages[k+1] {
			k++
		}
		a := &c.counts.Ages[k]
		a.Uses++
		looked, after := c.things.Stats()
		more := i - len(kept) - gone // that are gone: each is a recheck and a refresh, too
		a.Rechecks += looked - looks - uint64(more)
		a.Refreshes += after - before - uint64(more)
		gone, looks, before = gone+more, looked, after
		c.story += mix(v.Life.Serial, v.At.Position.hash())
		kept = append(kept, c.seen[i])
	}
	c.seen = kept
}

// Cast returns counts of the cast's acts: zero without one.
func (g *Game) Cast() CastCounts {
	if g.cast == nil {
		return CastCounts{}
	}
	n := g.cast.counts
	n.Members = len(g.cast.scripts)
	for i := range g.cast.scripts {
		if g.cast.scripts[i].does.held {
			n.Held++
		}
	}
	return n
}

// CastDigest is the digest of the cast's acts, which no memory, view or profile changes.
func (g *Game) CastDigest() uint64 {
	if g.cast == nil {
		return 0
	}
	return g.cast.story
}
