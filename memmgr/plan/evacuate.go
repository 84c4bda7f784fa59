package plan

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/ashlar-go/ashlar/arena"
)

// evacuate empties the sparsest region of a range, if memory goes back by whole
// regions and the others have room for what lies there.
func evacuate(st *state) (Action, bool) {
	for r := range arena.Range(RangeCount) {
		if m := st.mark(); st.evacuateOne(r) {
			id := RegionID{r, st.journal[0].move.From.Region()}
			gives, _ := st.since(m)
			return st.action(gives, Evacuate, id.String(),
				fmt.Sprintf("%d of its %d slots are used, and other regions have room", len(st.journal), arena.SlotsPerRegion)), true
		}
	}
	return Action{}, false
}

// evacuateOne empties the sparsest region of a range that it pays for, if any.
func (st *state) evacuateOne(r arena.Range) bool {
	if !st.in.Whole {
		return false
	}
	used, room := 0, 0
	for i := range st.regions[r] {
		if n := bits.OnesCount32(st.regions[r][i].used); n > 0 {
			used, room = used+n, room+arena.SlotsPerRegion-n
		}
	}
	if room*slackShare <= used {
		return false
	}
	v, n := -1, 0
	for range triesMax {
		if v, n = st.sparsest(r, v, n); v < 0 || n > room-(arena.SlotsPerRegion-n) {
			return false // if there is no room for this one, nor is there for a fuller one
		}
		m := st.mark()
		st.vacate(r, v)
		if pays(st.since(m)) {
			return true
		}
		st.rollback(m)
	}
	return false
}

// sparsest returns the region with the fewest used slots, and their number, that
// can be evacuated and comes behind region v, which has n; equals from the end. -1 if
// there is none.
func (st *state) sparsest(r arena.Range, v, n int) (best, least int) {
	best, least = -1, arena.SlotsPerRegion+1
	for i := len(st.regions[r]) - 1; i >= 0; i-- {
		g := &st.regions[r][i]
		k := bits.OnesCount32(g.used)
		behind := v < 0 || k > n || k == n && i < v
		if k > 0 && k < least && behind && st.evacuable(g) && !st.avoided(Evacuate, RegionID{r, uint32(i)}.String()) {
			best, least = i, k
		}
	}
	return best, least
}

// vacate moves all that lies in a region into the fullest ones that have room, or
// behind the chunk before it where that is at least half full and so will stay.
func (st *state) vacate(r arena.Range, v int) {
	g := st.regions[r][v]
	var who []int
	for left := g.used; left != 0; left &= left - 1 {
		who = append(who, int(g.owner[bits.TrailingZeros32(left)])-1)
	}
	slices.Sort(who) // by group, then by order
	home := -1
	for _, c := range who {
		if home < 0 || st.regions[r][home].used == ^uint32(0) {
			home = st.fullest(r, v)
		}
		p, ok := st.behind(c, r)
		if !ok || int(p.Region()) == v || int(p.Region()) != home && bits.OnesCount32(st.regionAt(p).used) < arena.SlotsPerRegion/2 {
			h := &st.regions[r][home]
			pick := ^h.used & h.dirty
			if pick == 0 {
				pick = ^h.used
			}
			p = Place{r, uint32(home*arena.SlotsPerRegion + bits.TrailingZeros32(pick))}
		}
		st.move(c, p)
	}
}

// evacuable tells whether all that lies in a region is known and may be moved.
func (st *state) evacuable(g *region) bool {
	for left := g.used; left != 0; left &= left - 1 {
		c := g.owner[bits.TrailingZeros32(left)]
		if c == 0 || !st.movable(int(c)-1) {
			return false
		}
	}
	return true
}

// behind is the place behind the chunk before this one in its group, if that is
// free and in a region in use.
func (st *state) behind(c int, r arena.Range) (p Place, ok bool) {
	ch := &st.chunks[c]
	if ch.Order == 0 {
		return p, false
	}
	p = st.chunks[st.chain[ch.Group][ch.Order-1]].At.next(1)
	return p, p.Range == r && int(p.Region()) < len(st.regions[r]) && st.regionAt(p).used != 0 && st.free(p)
}

// fullest is the region with the most used slots that has room, but for one.
func (st *state) fullest(r arena.Range, but int) int {
	best, most := -1, 0
	for i := range st.regions[r] {
		if n := bits.OnesCount32(st.regions[r][i].used); n > most && n < arena.SlotsPerRegion && i != but {
			best, most = i, n
		}
	}
	return best
}
