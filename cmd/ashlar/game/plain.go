package game

// Plain is the same world in plain slices, as one would write it without a library: a
// slice for each kind of thing, gone over once a frame. Only actors are looked up, so
// only they have handles. The tests and bench compare with it. Step alone changes it, but for options.
type Plain struct {
	options  Options
	props    []prop
	actors   []actor
	debris   []fragment
	emitters []emitter
	triggers []trigger
	places   []place // of actors, by the index of a handle
	free     []uint32

	landmarks []handle
	met       int
	children  []seed
	frame     uint64
	serials   uint64
	eye       eye
	crowd     crowd
	counting  crowd
	draws     []Draw
	loudness  int64
	story     uint64
}

type handle struct{ index, version uint32 }

type place struct{ row, version uint32 }

// The kinds, with all that one of them may have. Their figures change by the rules of rules.go.
type (
	prop struct {
		placed
		sprite Sprite
	}
	actor struct {
		placed
		body     Body
		brain    Brain // its Target is unused
		target   handle
		self     uint32 // the index of its handle
		noisy    bool
		skeleton Skeleton
		sprite   Sprite
		sound    Sound
	}
	fragment struct {
		placed
		rests  bool // it has no body any more
		body   Body
		sprite Sprite
	}
	emitter struct {
		placed
		sound Sound
	}
	trigger struct {
		placed
		brain Brain
	}
)

// NewPlain makes a world without things. It ignores options of package ecs.
func NewPlain(o Options) *Plain {
	if o.Entities == 0 {
		o.Entities = EntitiesDefault
	}
	// The handle of nobody is an index that there is, with a version that never comes.
	return &Plain{options: o, eye: eyeAt(start, 0), places: []place{{version: 1}}}
}

// Len is how many things there are.
func (p *Plain) Len() int {
	return len(p.props) + len(p.actors) + len(p.debris) + len(p.emitters) + len(p.triggers)
}

// Step runs one frame.
func (p *Plain) Step() {
	p.births()
	p.counting, p.draws, p.loudness = crowd{}, p.draws[:0], 0
	p.think()
	p.goProps()
	p.goActors()
	p.goDebris()
	p.goEmitters()
	p.goTriggers()
	p.story = mix(p.story, p.frame, drawn(p.draws), uint64(len(p.draws)), uint64(p.loudness))
	p.crowd = p.counting
	p.eye = p.eye.follow(p.crowd, p.frame)
	p.frame++
}

func (p *Plain) births() {
	due := want(p.options.Entities, p.frame) - p.Len() - len(p.children)
	for _, s := range p.children {
		p.birth(s)
	}
	p.children = p.children[:0]
	for range due {
		p.serials++
		p.birth(seed{serial: mix(p.options.Seed, p.serials), born: uint32(p.frame)})
	}
}

func (p *Plain) birth(s seed) {
	switch at := s.placed(); s.kind() {
	case props:
		p.props = append(p.props, prop{at, s.sprite()})
	case actors:
		a := actor{placed: at, body: s.body(), brain: s.brain(), noisy: s.noisy(), skeleton: s.skeleton(), sprite: s.sprite()}
		if a.noisy {
			a.sound = s.sound()
		}
		a.self = p.place(len(p.actors))
		p.actors = append(p.actors, a)
		p.meet(handle{a.self, p.places[a.self].version})
	case debris:
		p.debris = append(p.debris, fragment{placed: at, body: s.body(), sprite: s.sprite()})
	case emitters:
		p.emitters = append(p.emitters, emitter{at, s.sound()})
	case triggers:
		p.triggers = append(p.triggers, trigger{at, s.brain()})
	}
}

// place makes the index of a handle for an actor's row.
func (p *Plain) place(row int) uint32 {
	if len(p.free) == 0 {
		p.free = append(p.free, uint32(len(p.places)))
		p.places = append(p.places, place{})
	}
	last := len(p.free) - 1
	self := p.free[last]
	p.free = p.free[:last]
	p.places[self].row = uint32(row)
	return self
}

func (p *Plain) meet(h handle) {
	if len(p.landmarks) < landmarks {
		p.landmarks = append(p.landmarks, h)
	} else {
		p.landmarks[p.met%landmarks] = h
	}
	p.met++
}

// find is where an actor lies, nil if it is dead.
func (p *Plain) find(h handle) *actor {
	if at := p.places[h.index]; at.version == h.version {
		return &p.actors[at.row]
	}
	return nil
}

// bury puts the last actor in a row's place.
func (p *Plain) bury(row int) {
	self, last := p.actors[row].self, len(p.actors)-1
	p.places[p.actors[last].self].row = uint32(row)
	p.places[self].version++
	p.free = append(p.free, self)
	p.actors = without(p.actors, row)
}

// without puts the last thing in a row's place.
func without[T any](s []T, row int) []T {
	last := len(s) - 1
	s[row] = s[last]
	return s[:last]
}

// think ages actors and pushes them towards their prey, before any has moved.
func (p *Plain) think() {
	for i := 0; i < len(p.actors); {
		if p.actors[i].Life.age() {
			p.bury(i)
		} else {
			i++
		}
	}
	for i := range p.actors {
		a := &p.actors[i]
		if a.brain.look() {
			target := p.find(a.target)
			if target == nil && len(p.landmarks) > 0 {
				a.target = p.landmarks[pick(a.brain.Salt, p.frame, len(p.landmarks))]
				target = p.find(a.target)
			}
			if target != nil {
				a.brain.Goal = target.Transform.Position
			}
		}
		a.body.Push = a.brain.steer(a.Transform.Position)
	}
}

func (p *Plain) goProps() {
	unloading, empty := unloads(p.frame), p.crowd.emptiest()
	for i := 0; i < len(p.props); {
		o := &p.props[i]
		if o.Life.age() {
			p.props = without(p.props, i)
			continue
		}
		z := p.count(&o.Transform)
		p.show(&o.sprite, &o.Transform)
		if unloading && z == empty {
			p.props = without(p.props, i)
			continue
		}
		i++
	}
}

func (p *Plain) goActors() {
	for i := 0; i < len(p.actors); {
		a := &p.actors[i]
		t := &a.Transform
		a.body.move(t)
		p.count(t)
		a.skeleton.stride(t.Speed, t.Rotation)
		p.show(&a.sprite, t)
		if a.noisy {
			p.hear(&a.sound, t.Position, a.body.Velocity)
		}
		if a.brain.judge(t.Position) {
			p.burst(&a.placed)
			p.bury(i)
			continue
		}
		i++
	}
}

func (p *Plain) goDebris() {
	for i := 0; i < len(p.debris); {
		d := &p.debris[i]
		if d.Life.age() {
			p.debris = without(p.debris, i)
			continue
		}
		if !d.rests {
			d.rests = d.body.move(&d.Transform)
		}
		p.count(&d.Transform)
		p.show(&d.sprite, &d.Transform)
		i++
	}
}

func (p *Plain) goEmitters() {
	for i := 0; i < len(p.emitters); {
		e := &p.emitters[i]
		if e.Life.age() {
			p.emitters = without(p.emitters, i)
			continue
		}
		p.count(&e.Transform)
		p.hear(&e.sound, e.Transform.Position, Vec3{})
		i++
	}
}

func (p *Plain) goTriggers() {
	for i := 0; i < len(p.triggers); {
		t := &p.triggers[i]
		if t.Life.age() {
			p.triggers = without(p.triggers, i)
			continue
		}
		p.count(&t.Transform)
		if t.brain.judge(t.Transform.Position) {
			p.burst(&t.placed)
			p.triggers = without(p.triggers, i)
			continue
		}
		i++
	}
}

// move is a frame of physics; it tells whether the body has come to rest.
func (b *Body) move(t *Transform) bool {
	b.accelerate()
	b.carry(&t.Position)
	t.Rotation.face(b.Velocity)
	t.Speed = b.speed()
	return b.rests(t.Speed)
}

func (p *Plain) count(t *Transform) (z int) {
	z = zone(t.Position)
	p.counting[z]++
	return z
}

func (p *Plain) show(s *Sprite, t *Transform) {
	ahead, aside := p.eye.locate(t.Position)
	s.Depth, s.Visible = ahead, sees(ahead, aside, t.Radius)
	if s.Visible != 0 {
		s.Seen++
		p.draws = append(p.draws, draw(*s, t))
	}
}

func (p *Plain) hear(s *Sound, at, velocity Vec3) {
	dx, dz := at.X-p.eye.at.X, at.Z-p.eye.at.Z
	s.fade(dx, at.Y-p.eye.at.Y, dz)
	s.approach(dx, dz, velocity)
	p.loudness += s.play()
}

func (p *Plain) burst(o *placed) {
	for n := range fragments {
		p.children = append(p.children, child(o.Life.Serial, p.frame, n, o.Transform.Position))
	}
}

// Digest is that of Game.
func (p *Plain) Digest() uint64 {
	sum := mix(p.frame, p.story)
	for i := range p.props {
		o := &p.props[i]
		sum += state{life: &o.Life, at: &o.Transform, sprite: &o.sprite}.hash()
	}
	for i := range p.actors {
		a := &p.actors[i]
		s := state{life: &a.Life, at: &a.Transform, body: &a.body, sprite: &a.sprite, skeleton: &a.skeleton, brain: &a.brain}
		if a.noisy {
			s.sound = &a.sound
		}
		if t := p.find(a.target); t != nil {
			s.target = t.Life.Serial
		}
		sum += s.hash()
	}
	for i := range p.debris {
		d := &p.debris[i]
		s := state{life: &d.Life, at: &d.Transform, body: &d.body, sprite: &d.sprite}
		if d.rests {
			s.body = nil
		}
		sum += s.hash()
	}
	for i := range p.emitters {
		e := &p.emitters[i]
		sum += state{life: &e.Life, at: &e.Transform, sound: &e.sound}.hash()
	}
	for i := range p.triggers {
		t := &p.triggers[i]
		sum += state{life: &t.Life, at: &t.Transform, brain: &t.brain}.hash()
	}
	return sum
}
