package game

import "github.com/ashlar-go/ashlar/ecs"

// Components of things. All figures are whole numbers, so that they are the same on
// every machine; an angle is a part of 2³², so that it wraps by itself.
type (
	Vec3 struct{ X, Y, Z int32 }
	Turn struct{ Yaw, Pitch, Roll int32 }

	// Transform is where a thing is and how large it looks: 64 B, and most
	// systems want a part.
	Transform struct {
		Position Vec3  // on a plane of side × side with opposite edges that touch; Y is the height
		Radius   int32 // of the sphere that holds it
		Rotation Turn
		Speed    int32 // with which it moved last
		Scale    Vec3
		Layer    uint32 // its kind
		Home     Vec3   // where it was born
		Born     uint32 // when
	}
	// Life says who it is and how many frames it has left.
	Life struct {
		Serial      uint64 // who it is, whatever its handle: no rule looks at handles
		Left, Layer uint32
	}
	// Body is the component of moving things.
	Body struct {
		Velocity Vec3
		Mass     int32
		Push     Vec3
		Rest     uint32 // frames for which it has hardly moved
	}
	// Sprite is the component of visible things.
	Sprite struct {
		Mesh, Seen     uint32 // Seen: in how many frames
		Depth, Visible int32
	}
	// Skeleton is the component of walking things.
	Skeleton struct {
		Phase uint32
		Blend int32 // how hard
		Bones [6]int32
	}
	// Sound is the component of audible things.
	Sound struct {
		Base, Phase   uint32
		Volume, Pitch int32
	}
	// Brain hunts another thing.
	Brain struct {
		Target ecs.Entity
		Goal   Vec3   // where the target was when the brain last looked
		Next   uint32 // frames until it looks again
		Caught uint32 // frames for which it was near its goal
		Salt   uint32
	}
)

const (
	side      = 1 << 20
	zoneShift = 18 // a zone is a square of 1 << zoneShift
	zoneSide  = side >> zoneShift
	zones     = zoneSide * zoneSide

	gravity    = 24
	dragShift  = 5
	restSpeed  = 300
	restFrames = 60
	light      = 1 // the mass of debris, which stays where it comes to rest

	pushMost  = 64
	lookEvery = 16
	near      = side / 48
	caught    = 6 // frames near the goal after which an actor bursts
	fragments = 3 // that it leaves

	unloadEvery = 128
	tidePeriod  = 512
	tideLow     = 80 // percent
)

// mix is a number as good as random, the same for the same words (splitmix64).
func mix(words ...uint64) uint64 {
	h := uint64(0)
	for _, w := range words {
		h += w + 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return h
}

// wave is a parabola for a sine, from -1 to 1 in 2¹⁴.
func wave(angle uint32) int32 {
	x := int32(angle) >> 16
	return x * (1<<15 - abs(x)) >> 14
}

const quarter = 1 << 30 // of a turn

func abs(x int32) int32 { return max(x, -x) }

// want is how many things there should be in a frame: a tide between tideLow and all.
func want(entities int, frame uint64) int {
	f := int(frame % tidePeriod)
	ebb := min(f, tidePeriod-f) * (100 - tideLow) / (tidePeriod / 2)
	return max(entities*(100-ebb)/100, 1)
}

// unloads tells whether in this frame the props of the emptiest zone go.
func unloads(frame uint64) bool { return frame%unloadEvery == unloadEvery-1 }

// age is a frame of life; it tells whether that was the last one.
func (l *Life) age() bool {
	l.Left--
	return l.Left == 0
}

// accelerate takes a frame's push, drag and weight.
func (b *Body) accelerate() {
	v := &b.Velocity
	v.X += b.Push.X - v.X>>dragShift
	v.Y += b.Push.Y - v.Y>>dragShift - gravity
	v.Z += b.Push.Z - v.Z>>dragShift
}

// carry moves a place, which bounces off the ground.
func (b *Body) carry(at *Vec3) {
	at.X = (at.X + b.Velocity.X) & (side - 1)
	at.Z = (at.Z + b.Velocity.Z) & (side - 1)
	if at.Y += b.Velocity.Y; at.Y < 0 {
		at.Y, b.Velocity.Y = -at.Y, -b.Velocity.Y>>1
	}
}

func (b *Body) speed() int32 { return abs(b.Velocity.X) + abs(b.Velocity.Y) + abs(b.Velocity.Z) }

// rests tells whether a light body has been slow for long enough to stay where it is.
func (b *Body) rests(speed int32) bool {
	if speed > restSpeed {
		b.Rest = 0
		return false
	}
	b.Rest++
	return b.Rest >= restFrames && b.Mass == light
}

// face turns towards where a velocity leads, the less the heavier.
func (t *Turn) face(v Vec3) {
	t.Yaw += (v.X - v.Z) << 8
	t.Roll = v.X << 12
	t.Pitch = v.Y << 12
}

// stride walks as fast as a thing moved.
func (s *Skeleton) stride(speed int32, turn Turn) {
	s.Phase += uint32(speed) << 14
	s.Blend += (speed - s.Blend) >> 3
	lean := turn.Roll >> 18
	for k := range s.Bones {
		s.Bones[k] = wave(s.Phase+uint32(k)<<29)*(s.Blend>>2)>>12 + lean
	}
}

// fade makes a sound the quieter the further away it is.
func (s *Sound) fade(dx, dy, dz int32) { s.Volume = max(1<<12-(abs(dx)+abs(dy)+abs(dz))>>7, 0) }

// approach makes the sound of an approaching thing higher.
func (s *Sound) approach(dx, dz int32, velocity Vec3) {
	s.Pitch = -(velocity.X*(dx>>31|1) + velocity.Z*(dz>>31|1))
}

// play is a frame of it.
func (s *Sound) play() int64 {
	s.Phase += s.Base + uint32(s.Pitch)<<8
	return int64(wave(s.Phase)) * int64(s.Volume)
}

// look tells whether it is time to look where the target is.
func (b *Brain) look() bool {
	b.Next--
	if b.Next > 0 {
		return false
	}
	b.Next = lookEvery
	return true
}

// steer is the push towards the goal.
func (b *Brain) steer(at Vec3) Vec3 {
	return Vec3{max(min((b.Goal.X-at.X)>>8, pushMost), -pushMost), 0, max(min((b.Goal.Z-at.Z)>>8, pushMost), -pushMost)}
}

// judge tells whether a brain was near its goal for long enough.
func (b *Brain) judge(at Vec3) bool {
	if abs(b.Goal.X-at.X)+abs(b.Goal.Z-at.Z) > near {
		return false
	}
	b.Caught++
	return b.Caught == caught
}

// pick chooses one of n.
func pick(salt uint32, frame uint64, n int) int {
	return int(mix(uint64(salt), frame, 6) % uint64(n))
}

// zone is which part of the plane a place is in.
func zone(at Vec3) int {
	return int(at.X>>zoneShift&(zoneSide-1) | at.Z>>zoneShift&(zoneSide-1)*zoneSide)
}

// crowd is how many things there are, by zone.
type crowd [zones]uint32

// densest is the first zone that has most.
func (c *crowd) densest() (zone int) {
	for z, n := range c {
		if n > c[zone] {
			zone = z
		}
	}
	return zone
}

// emptiest is the first zone that has least, but not nothing.
func (c *crowd) emptiest() (zone int) {
	for z, n := range c {
		if n > 0 && (n < c[zone] || c[zone] == 0) {
			zone = z
		}
	}
	return zone
}
