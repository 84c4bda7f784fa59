// Package epidemic is an agent model: agents walk about, infect agents nearby,
// recover, are immune for a while and can then be infected again.
//
//	susceptible ──catch──→ infected ──recover──→ immune ──wane──→ susceptible
//
// On Ashlar the health of an agent is a component, which comes and goes, or a field
// of one that stays. In plain slices it is a byte. This file has the components and the
// pure rules.
package epidemic

import "github.com/ashlar-go/ashlar/bench/internal/twin"

// The components.
type (
	Person   struct{ Serial uint32 }
	Place    struct{ X, Y int32 }
	Infected struct{ Left uint8 } // days
	Immune   struct{ Left uint8 } // days

	// Health is both in one, for the model with agents that always have the same components.
	Health struct {
		State health
		Left  uint8
	}
)

// health is the state of an agent.
type health uint8

const (
	susceptible health = iota
	infected
	immune
)

const (
	cell     = 32 // side of a cell: who is in one can infect all in it
	perCell  = 12 // agents, about
	stride   = 8  // the most that an agent walks in a day, by axis
	risk     = 16 // in 1,024, by infected agent in the cell
	sick     = 10 // days at least
	sickMore = 8
	safe     = 60 // days
	first    = 200
)

// land is how many cells a side has so that there are about perCell agents in each.
func land(agents int) int32 {
	side := int32(1)
	for int(side)*int(side)*perCell < agents {
		side++
	}
	return side
}

func bornAt(serial uint32, side int32) Place {
	h := twin.Mix(uint64(serial), 1)
	return Place{int32(h % uint64(side*cell)), int32(h >> 32 % uint64(side*cell))}
}

// firstCase tells who is ill on the first day: one in first.
func firstCase(serial uint32) bool { return serial%first == 0 }

// walk is a day's way. The land has no edges.
func walk(p Place, serial, day uint32, side int32) Place {
	h := twin.Mix(uint64(serial), 2<<32|uint64(day))
	p.X = around(p.X+int32(h%(2*stride+1))-stride, side*cell)
	p.Y = around(p.Y+int32(h>>32%(2*stride+1))-stride, side*cell)
	return p
}

func around(x, n int32) int32 {
	if x < 0 {
		return x + n
	} else if x >= n {
		return x - n
	}
	return x
}

func cellOf(p Place, side int32) int32 { return p.Y/cell*side + p.X/cell }

// catches tells whether an agent with so many infected ones around is infected today.
func catches(serial, day, around uint32) bool {
	return around > 0 && uint32(twin.Mix(uint64(serial), 3<<32|uint64(day))%1024) < around*risk
}

func sickness(serial, day uint32) uint8 {
	return sick + uint8(twin.Mix(uint64(serial), 4<<32|uint64(day))%sickMore)
}

// progress is a day of an agent's health; ill is how many infected agents are
// in the same cell.
func (h *Health) progress(serial, day, ill uint32, r *report) {
	if h.State == susceptible {
		if !catches(serial, day, ill) {
			return
		}
		*h = Health{infected, sickness(serial, day)}
		r.caught++
	}
	h.Left--
	if h.Left > 0 {
		return
	}
	if h.State == immune {
		h.State = susceptible
		return
	}
	// Immunity counts the day on which it begins.
	*h = Health{immune, safe - 1}
	r.recovered++
}

// lefts are the days that an agent is infected and immune for.
func (h Health) lefts() (ill, safe uint8) {
	var left [3]uint8
	left[h.State] = h.Left
	return left[infected], left[immune]
}

func hash(serial uint32, p Place, infected, immune uint8) uint64 {
	return twin.Mix(twin.Mix(uint64(serial), uint64(uint32(p.X))<<32|uint64(uint32(p.Y))), uint64(infected)<<32|uint64(immune))
}

// report has the sums of a day: who fell ill and who recovered.
type report struct{ caught, recovered uint64 }

func (r report) into(story uint64) uint64 { return twin.Mix(story, r.caught<<32|r.recovered) }
