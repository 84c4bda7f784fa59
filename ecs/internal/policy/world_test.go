package policy_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/policy"
)

// kinds is the number of components of a world; comes is the tag of some scenarios.
const (
	kinds = 12
	comes = 11
)

type mask = uint16

type system struct{ required, excluded mask }

// world is entities with masks, systems that visit them, and a policy that is told
// what a store would tell it. It has no values and no tables, only their numbers.
type world struct {
	p       *policy.Policy
	rng     *rand.Rand
	masks   []mask
	of      [1 << kinds]int // entities by mask
	systems []system
	fixed   mask

	frame  int
	moving int // rows that still move
	// cost in rows moved: by adds and removes, by change-overs, and what bits cost
	moves, changes, bits int
	overs                [kinds]int
	log                  []string
	digest               uint64
}

func newWorld(o policy.Options, seed uint64) *world {
	w := &world{rng: rand.New(rand.NewPCG(seed, 1)), fixed: 1<<kinds - 1, digest: 14695981039346656037}
	w.p = policy.New(o, w.count)
	for range kinds {
		w.p.Add()
	}
	return w
}

func (w *world) spawn(m mask) {
	w.masks = append(w.masks, m)
	w.of[m]++
}

func (w *world) toggle(e, c int) {
	m := w.masks[e]
	w.of[m]--
	w.masks[e] = m ^ 1<<c
	w.of[w.masks[e]]++
	if m>>c&1 != 0 {
		w.p.Removed(c, 1)
	}
	if w.fixed>>c&1 != 0 {
		w.moves++
	}
}

func (w *world) matched(s system) (n int) {
	for m, k := range w.of {
		if k > 0 && mask(m)&(s.required|s.excluded) == s.required {
			n += k
		}
	}
	return n
}

func (w *world) have(c int) (n int) {
	for m, k := range w.of {
		if m>>c&1 != 0 {
			n += k
		}
	}
	return n
}

// tables returns the number of rows by the mask of a table that has the given columns.
func (w *world) tables(columns mask) (rows [1 << kinds]int, living int) {
	for m, k := range w.of {
		t := &rows[mask(m)&columns]
		if k > 0 && *t == 0 {
			living++
		}
		*t += k
	}
	return rows, living
}

func (w *world) count(c int, merges bool) (n policy.Counts) {
	n.Required, n.Excluded = w.visits(c)
	n.Have = w.have(c)
	rows, living := w.tables(w.fixed &^ (1 << c))
	var lies [1 << kinds]bool
	for m, k := range w.of {
		if t := mask(m) & w.fixed &^ (1 << c); m>>c&1 != 0 && k > 0 && !lies[t] {
			lies[t] = true
			n.Among += rows[t]
		}
	}
	if merges {
		_, now := w.tables(w.fixed)
		n.Merges = now - living
	}
	return n
}

func (w *world) visits(c int) (required, excluded int) {
	for _, s := range w.systems {
		if s.required>>c&1 != 0 {
			required += w.matched(s)
		}
		if s.excluded>>c&1 != 0 {
			excluded += w.matched(s)
		}
	}
	return required, excluded
}

// end ends a frame: the policy decides and the costs are added up.
func (w *world) end() {
	w.frame++
	_, living := w.tables(w.fixed)
	for _, d := range w.p.EndFrame(policy.Tables{Living: living, Rows: len(w.masks), Busy: w.moving > 0}) {
		for _, x := range []uint64{uint64(w.frame), uint64(d.Component), uint64(d.From), uint64(d.To), uint64(d.Reason)} {
			w.digest = (w.digest ^ x) * 1099511628211
		}
		w.log = append(w.log, fmt.Sprintf("%d: %d %v→%v, %v", w.frame, d.Component, d.From, d.To, d.Reason))
		w.overs[d.Component]++
		w.moving += w.have(d.Component)
		w.changes += w.have(d.Component)
		if d.To == policy.Fixed {
			w.fixed |= 1 << d.Component
		} else {
			w.fixed &^= 1 << d.Component
		}
	}
	w.moving = max(0, w.moving-w.p.Options().MoveRows)
	for c := range kinds {
		if w.fixed>>c&1 == 0 {
			r, x := w.visits(c)
			w.bits += (r + 4*x) / 500
		}
	}
}

func (w *world) cost() int { return w.moves + w.changes + w.bits }

// ways names the components that are not fixed: "optional 3 7, thin 11".
func (w *world) ways() string {
	var out []string
	for _, way := range []policy.Way{policy.Optional, policy.Thin} {
		s := way.String()
		for c := range kinds {
			if w.p.Way(c) == way {
				s += fmt.Sprint(" ", c)
			}
		}
		if s != way.String() {
			out = append(out, s)
		}
	}
	return strings.Join(out, ", ")
}

func (w *world) total() (n int) {
	for _, k := range w.overs {
		n += k
	}
	return n
}

// anySets spawns n entities of 256 random sets and makes 12 random systems of two or
// three components.
func (w *world) anySets(n int) {
	var sets [256]mask
	for i := range sets {
		sets[i] = mask(1 + w.rng.IntN(1<<kinds-1))
	}
	for range n {
		w.spawn(sets[w.rng.IntN(len(sets))])
	}
	for i := range 12 {
		var s system
		for bits.OnesCount16(s.required) < 2+i%2 {
			s.required |= 1 << w.rng.IntN(kinds)
		}
		w.systems = append(w.systems, s)
	}
}

// game spawns n entities of six kinds and makes five systems that exclude the tag.
func (w *world) game(n int) {
	sets := [...]mask{0b00111, 0b01111, 0b11111, 0b10111, 0b00101, 0b01101}
	for range n {
		w.spawn(sets[w.rng.IntN(len(sets))])
	}
	for _, m := range []mask{0b11, 0b101, 0b10011, 0b1001, 0b1100} {
		w.systems = append(w.systems, system{m, 1 << comes})
	}
}

// few spawns n entities of 32 sets and makes four systems, one of which requires the tag.
func (w *world) few(n int) {
	for range n {
		w.spawn(mask(1 | w.rng.IntN(32)<<1))
	}
	for _, m := range []mask{0b11, 0b101, 0b111, 1<<3 | 1<<comes} {
		w.systems = append(w.systems, system{required: m})
	}
}

// toggleAny toggles one of the components on perMille of the entities.
func (w *world) toggleAny(perMille int, components ...int) {
	for range len(w.masks) * perMille / 1000 {
		e := w.rng.IntN(len(w.masks))
		w.toggle(e, components[w.rng.IntN(len(components))])
	}
}
