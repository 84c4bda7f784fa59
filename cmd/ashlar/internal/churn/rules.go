package churn

import "github.com/ashlar-go/ashlar/ecs"

// Components of entities. All figures are whole numbers, so that they are the
// same on every machine.
type (
	// Place is where an entity is, on a torus of side cells.
	Place struct{ X, Y int32 }
	// Motion is how far it goes in a frame.
	Motion struct{ DX, DY int32 }
	// Life says who it is and how many frames it has left.
	Life struct {
		Serial      uint64 // who it is, whatever its handle: no rule looks at handles
		Group, Left uint32
	}
	// Trail is where a walker was when it last had a chance to signal. Like the wide
	// parts of Aim and Store it is there to weigh something and to be written rarely.
	Trail struct{ At [32]Place }
	// Aim is whom a seeker follows, and when it lost whom it followed.
	Aim struct {
		Target ecs.Entity
		Lost   [31]uint64
	}
	// Store is the harvest of a plant, now and in the seasons before.
	Store struct {
		Energy uint32
		Rings  [63]uint32
	}
	// Signal is where a walker was last heard of. No group owns it.
	Signal struct {
		Serial   uint64
		X, Y     int32
		Strength uint32
	}
	// Fever weakens the signal of its bearer for some frames. No group owns it.
	Fever struct{ Left uint32 }
)

const (
	side     = 1 << 20 // of the torus
	speedMax = 256

	emitEvery   = 8 // frames between two runs of a rare rule
	aimEvery    = 16
	breedEvery  = 16
	infectEvery = 32

	strength  = 100
	feverTime = 50
	ripe      = 400 // energy at which a plant breeds
)

// kind is a shape of group.
type kind int

const (
	walkers kind = iota // Place, Motion, Life, Trail; one in four has a Signal
	seekers             // Place, Motion, Life, Aim
	plants              // Place, Life, Store
	kinds
)

func (k kind) String() string { return [kinds]string{"walkers", "seekers", "plants"}[k] }

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

// born is the first state of an entity with a serial.
func born(serial uint64, group int) (Life, Place, Motion) {
	a, b := mix(serial, 1), mix(serial, 2)
	return Life{serial, uint32(group), 40 + uint32(a>>40%400)},
		Place{int32(a % side), int32(b % side)},
		Motion{int32(a>>20%(2*speedMax)) - speedMax, int32(b>>20%(2*speedMax)) - speedMax}
}

// signals tells whether a walker has a signal.
func signals(serial uint64) bool { return serial>>8%4 == 0 }

// move takes a step.
func (p *Place) move(m Motion) {
	p.X = (p.X + m.DX) & (side - 1)
	p.Y = (p.Y + m.DY) & (side - 1)
}

// steer turns towards a signal that can be heard; target is nil for none.
func (m *Motion) steer(at Place, target *Signal) {
	if target == nil || target.Strength == 0 {
		return
	}
	m.DX = steer(m.DX, at.X, target.X)
	m.DY = steer(m.DY, at.Y, target.Y)
}

// mark notes a place.
func (t *Trail) mark(at Place, frame uint64) { t.At[frame/emitEvery%uint64(len(t.At))] = at }

// lose notes that the target is gone.
func (a *Aim) lose(frame uint64) { a.Lost[frame/aimEvery%uint64(len(a.Lost))] = frame }

// steer goes the short way around the torus.
func steer(speed, from, to int32) int32 {
	if (to-from)&(side-1) < side/2 {
		return min(speed+4, speedMax)
	}
	return max(speed-4, -speedMax)
}

func (s *Signal) emit(at Place) { s.X, s.Y, s.Strength = at.X, at.Y, strength }

func (s *Signal) fade() {
	if s.Strength > 0 {
		s.Strength--
	}
}

// burn is a frame of fever; it tells whether that was the last one.
func (f *Fever) burn(s *Signal) bool {
	f.Left--
	s.Strength /= 2
	return f.Left == 0
}

// infected tells who gets a fever.
func infected(serial, frame uint64) bool { return mix(serial, frame, 3)%16 == 0 }

// grow gathers the harvest at a place.
func (s *Store) grow(at Place) { s.Energy += 1 + uint32(at.X^at.Y)&3 }

// breed tells whether a plant has a child, and gives it half of the store.
func (s *Store) breed(frame uint64) bool {
	s.Rings[frame/breedEvery%uint64(len(s.Rings))] = s.Energy
	if s.Energy < ripe {
		return false
	}
	s.Energy /= 2
	return true
}

func child(serial, frame uint64) uint64 { return mix(serial, frame, 4) }

// age is a frame of life; it tells whether that was the last one.
func (l *Life) age() bool {
	l.Left--
	return l.Left == 0
}

// culled tells who dies early, out of rate in 2³².
func culled(serial, frame uint64, rate uint32) bool { return uint32(mix(serial, frame, 5)) < rate }

// pick chooses one of n.
func pick(serial, frame uint64, n int) int { return int(mix(serial, frame, 6) % uint64(n)) }
