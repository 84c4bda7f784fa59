package game

import "slices"

// thing is an entity of the plain program: what it has not is nil.
type thing struct {
	Life
	Transform
	body     *Body
	sprite   *Sprite
	skeleton *Skeleton
	sound    *Sound
	brain    *Brain // its Target unused
	target   *thing
	dead     bool
}

// reference is the same world in a plain slice of pointers.
type reference struct {
	o         Options
	things    []*thing
	landmarks []*thing
	met       int
	children  []seed
	frame     uint64
	serials   uint64
	eye       eye
	crowd     crowd
	story     uint64
}

func newReference(o Options) *reference { return &reference{o: o, eye: eyeAt(start, 0)} }

func (r *reference) birth(s seed) {
	p := s.placed()
	t := &thing{Life: p.Life, Transform: p.Transform}
	switch s.kind() {
	case actors:
		t.body, t.sprite, t.skeleton, t.brain = new(s.body()), new(s.sprite()), new(s.skeleton()), new(s.brain())
		if len(r.landmarks) < landmarks {
			r.landmarks = append(r.landmarks, t)
		} else {
			r.landmarks[r.met%landmarks] = t
		}
		r.met++
	case debris:
		t.body, t.sprite = new(s.body()), new(s.sprite())
	case props:
		t.sprite = new(s.sprite())
	case triggers:
		t.brain = new(s.brain())
	}
	if s.noisy() {
		t.sound = new(s.sound())
	}
	r.things = append(r.things, t)
}

func (r *reference) step() {
	due := want(r.o.Entities, r.frame) - len(r.things) - len(r.children)
	for _, s := range r.children {
		r.birth(s)
	}
	r.children = nil
	for range max(due, 0) {
		r.serials++
		r.birth(seed{serial: mix(r.o.Seed, r.serials), born: uint32(r.frame)})
	}

	for _, t := range r.things {
		t.dead = t.age()
	}
	r.bury()
	for _, t := range r.things {
		if t.brain != nil && t.body != nil {
			r.think(t)
		}
	}
	for _, t := range r.things {
		if b := t.body; b != nil {
			b.accelerate()
			b.carry(&t.Position)
			t.Rotation.face(b.Velocity)
			if t.Speed = b.speed(); b.rests(t.Speed) {
				t.body = nil
			}
		}
	}
	count, empty := crowd{}, r.crowd.emptiest()
	var victims []*thing
	for _, t := range r.things {
		z := zone(t.Position)
		count[z]++
		if unloads(r.frame) && kind(t.Life.Layer) == props && z == empty {
			victims = append(victims, t)
		}
	}
	var draws []Draw
	loudness := int64(0)
	for _, t := range r.things {
		if t.skeleton != nil {
			t.skeleton.stride(t.Speed, t.Rotation)
		}
		if p := t.sprite; p != nil {
			ahead, aside := r.eye.locate(t.Position)
			if p.Depth, p.Visible = ahead, sees(ahead, aside, t.Radius); p.Visible != 0 {
				p.Seen++
				draws = append(draws, draw(*p, &t.Transform))
			}
		}
		if t.sound != nil {
			v := Vec3{}
			if t.body != nil {
				v = t.body.Velocity
			}
			dx, dy, dz := t.Position.X-r.eye.at.X, t.Position.Y-r.eye.at.Y, t.Position.Z-r.eye.at.Z
			t.sound.fade(dx, dy, dz)
			t.sound.approach(dx, dz, v)
			loudness += t.sound.play()
		}
		if t.brain != nil && t.brain.judge(t.Position) {
			t.dead = true
			for n := range fragments {
				r.children = append(r.children, child(t.Serial, r.frame, n, t.Position))
			}
		}
	}
	for _, t := range victims {
		t.dead = true
	}
	r.bury()
	r.story = mix(r.story, r.frame, drawn(draws), uint64(len(draws)), uint64(loudness))
	r.crowd = count
	r.eye = r.eye.follow(count, r.frame)
	r.frame++
}

func (r *reference) think(t *thing) {
	if t.brain.look() {
		if t.target == nil || t.target.dead {
			if t.target = nil; len(r.landmarks) > 0 {
				t.target = r.landmarks[pick(t.brain.Salt, r.frame, len(r.landmarks))]
			}
		}
		if t.target != nil && !t.target.dead {
			t.brain.Goal = t.target.Position
		}
	}
	t.body.Push = t.brain.steer(t.Position)
}

func (r *reference) bury() {
	r.things = slices.DeleteFunc(r.things, func(t *thing) bool { return t.dead })
}

func (r *reference) digest() uint64 {
	sum := mix(r.frame, r.story)
	for _, t := range r.things {
		s := state{&t.Life, &t.Transform, t.body, t.sprite, t.skeleton, t.sound, t.brain, 0}
		if t.target != nil && !t.target.dead {
			s.target = t.target.Serial
		}
		sum += s.hash()
	}
	return sum
}
