// Package twin describes whole programs that are written several times over: on
// Ashlar as the README suggests, with plain slices, or as an archetype store and as
// sparse sets. All variants of a program make the same decisions, so that their
// digests are equal after the same number of frames.
//
// The fate of an entity depends on its serial number and on the components it can reach,
// never on its handle, its row or the order in which rows are visited. Sums over
// entities are sums of whole numbers, which come out the same in any order.
package twin

import "github.com/ashlar-go/ashlar/ecs"

// A Program is one program and its variants. The first variant is the one that bars
// are about.
type Program struct {
	Name     string
	Entities int // at full scale
	Frames   int // how many are run after the warm-up
	Warm     int // frames before the first that is timed
	Variants []Variant
	Bars     []Bar
	Layout   string // statements by whoever knows it best, for -layouts; "": none
}

// A Variant is one way to write a program. Open makes it ready to run with about so
// many entities.
type Variant struct {
	Name string
	Open func(entities int) Stage
	With func(entities int, o ecs.Options) Stage // Open of a world with other options; nil: it has no world
}

// OnAshlar is the variant that open makes. It runs on one core, as the others do.
func OnAshlar(open func(entities int, o ecs.Options) Stage) Variant {
	return Variant{Name: Ashlar, Open: func(n int) Stage { return open(n, ecs.Options{Workers: 1}) }, With: open}
}

// The names of variants.
const (
	Ashlar = "ashlar"
	Slices = "slices"
	Tables = "tables" // an archetype store in plain Go
	Sparse = "sparse" // sparse sets in plain Go
)

// A Stage is a variant that has been made. Functions may be nil, but for Frame and
// Digest.
type Stage struct {
	Prepare func()        // is called before each Frame, outside its time
	Frame   func()        // runs one frame
	Digest  func() uint64 // of all that the program knows, equal in all variants
	Check   func() error  // proves the invariants of the store under the program
	Close   func() error
	World   *ecs.World // that it runs in; nil: in none
}

// A Figure is a measure of a variant.
type Figure uint8

const (
	P50       Figure = iota // of a frame
	P99                     // of a frame
	Mean                    // of frames: the time of all of them
	Resident                // memory after the last frame
	PerEntity               // the same, in bytes an entity
)

func (f Figure) String() string {
	return [...]string{"p50", "p99", "mean", "resident", "bytes an entity"}[f]
}

// A Bar is the limit of a figure of the first variant: Most times the figure of the
// best of the variants named in Of, or Most itself where there are none.
type Bar struct {
	Figure Figure
	Of     []string
	Most   float64
}

// Mix returns a number as good as random, which depends on both.
func Mix(a, b uint64) uint64 {
	x := a*0x9E3779B97F4A7C15 + b*0xD1B54A32D192ED03 + 0x2545F4914F6CDD1D
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// Must returns v, or panics with err. Programs of a benchmark have nothing to recover.
func Must[T any](v T, err error) T {
	Check(err)
	return v
}

// Check panics with err, if there is one.
func Check(err error) {
	if err != nil {
		panic(err)
	}
}

// Add gives an entity a component that it lacks.
func Add[T any](p *ecs.Pool[T], e ecs.Entity, v T) { Check(p.Add(e, v)) }

// Value is an entity's value of a component, or zero.
func Value[T any](p *ecs.Pool[T], e ecs.Entity) (v T) {
	if at := p.Get(e); at != nil {
		v = *at
	}
	return v
}
