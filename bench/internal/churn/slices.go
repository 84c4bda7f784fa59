package churn

import "github.com/ashlar-go/ashlar/bench/internal/twin"

// flat is the program in slices by kind, with an index for handles. Its frame changes all of it.
type flat struct {
	rules
	kinds  []columns
	places []place // by the index of a handle
	free   []uint32
	live   int
	want   int
	frame  uint64
	serial uint64
	story  uint64
	watch  [watched]handle
}

type handle struct{ index, version uint32 }

type place struct{ version, kind, row uint32 }

// columns are all entities of a kind.
type columns struct {
	self     []uint32 // indexes of their handles
	position []Position
	velocity []Velocity
	life     []Life
	extra    [extras][]uint32 // empty for a component that the kind lacks
}

func openSlices(r rules, entities int) twin.Stage {
	f := &flat{rules: r, kinds: make([]columns, r.kinds), want: entities}
	for i := range f.watch {
		f.watch[i].version = 1<<32 - 1 // of none
	}
	for range entities {
		f.birth()
	}
	return twin.Stage{Frame: f.step, Digest: f.digest}
}

func (f *flat) birth() {
	f.serial++
	s := f.serial
	if len(f.free) == 0 {
		f.free = append(f.free, uint32(len(f.places)))
		f.places = append(f.places, place{})
	}
	last := len(f.free) - 1
	self := f.free[last]
	f.free = f.free[:last]

	kind := f.kind(s)
	k, p := &f.kinds[kind], &f.places[self]
	p.kind, p.row = uint32(kind), uint32(len(k.self))
	k.self, k.position = append(k.self, self), append(k.position, bornAt(s))
	k.velocity, k.life = append(k.velocity, speedOf(s)), append(k.life, Life{s})
	for x := range k.extra {
		if f.has(kind, x) {
			k.extra[x] = append(k.extra[x], extraOf(s, x))
		}
	}
	f.live++
	if slot, yes := watch(s); yes {
		f.watch[slot] = handle{self, p.version}
	}
}

func (f *flat) step() {
	for k := range f.kinds {
		f.kinds[k].move()
		f.kinds[k].age()
	}
	for k := range f.kinds {
		f.bury(&f.kinds[k])
	}
	for range f.want - f.live {
		f.birth()
	}
	for slot, h := range f.watch {
		if p := f.places[h.index]; p.version == h.version {
			f.story += sight(slot, f.kinds[p.kind].position[p.row])
		}
	}
	f.frame++
}

func (k *columns) move() {
	pos, vel := k.position, k.velocity[:len(k.position)]
	for i := range pos {
		pos[i].X += vel[i].X
		pos[i].Y += vel[i].Y
	}
}

// age runs the further components: armor is mended with mana, sleep brings dreams.
func (k *columns) age() {
	if armor, mana := k.extra[0], k.extra[1]; len(mana) == len(armor) {
		for i := range armor {
			armor[i] += mana[i]
		}
	}
	for i := range k.extra[3] {
		k.extra[3][i] += uint32(k.life[i].Serial)
	}
}

// bury puts the last of a kind in the place of each that dies.
func (f *flat) bury(k *columns) {
	for row := 0; row < len(k.self); {
		if !f.dies(k.life[row].Serial, f.frame) {
			row++
			continue
		}
		self, last := k.self[row], len(k.self)-1
		f.places[k.self[last]].row = uint32(row)
		k.self[row], k.position[row], k.velocity[row], k.life[row] = k.self[last], k.position[last], k.velocity[last], k.life[last]
		k.self, k.position, k.velocity, k.life = k.self[:last], k.position[:last], k.velocity[:last], k.life[:last]
		for x, column := range k.extra {
			if len(column) > 0 {
				column[row] = column[last]
				k.extra[x] = column[:last]
			}
		}
		f.places[self].version++
		f.free = append(f.free, self)
		f.live--
	}
}

func (f *flat) digest() uint64 {
	sum := f.story
	for i := range f.kinds {
		k := &f.kinds[i]
		for row, life := range k.life {
			var extra [extras]uint32
			for x, column := range k.extra {
				if len(column) > 0 {
					extra[x] = column[row]
				}
			}
			sum += hash(life, k.position[row], k.velocity[row], extra)
		}
	}
	return sum
}
