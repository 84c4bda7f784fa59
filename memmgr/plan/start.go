package plan

import (
	"cmp"
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/profile"
)

// Run is a stretch of places for the first chunks of a group: its chunk of order i
// belongs at the place First.N + i, if i < Len. The one behind it belongs in normal
// pages if Tail is set: few rows are expected in it.
type Run struct {
	Group int // index into the groups that Start was given
	First Place
	Len   int
	Tail  bool
}

// Start returns the runs that groups are to grow into in an empty manager, by what
// facts say they will hold for good: hot and walked ones side by side in the order
// of the walk, cold ones apart. What grows beyond its run is laid elsewhere in the
// run's range; a run without a place only names that range. huge tells whether there
// is a range with huge pages, next is the first place of each range that is not taken
// by runs given out before; it is moved on. With Intent.Off there are none.
func Start(p profile.Profile, groups []Group, huge bool, next *[RangeCount]uint32) (runs []Run) {
	if p.Intent.Off {
		return nil
	}
	ks, _ := know(&p, groups)
	byWalk := make([]int, len(groups))
	for i := range byWalk {
		byWalk[i] = i
	}
	slices.SortStableFunc(byWalk, func(a, b int) int { return cmp.Compare(ks[a].walk, ks[b].walk) })
	for _, g := range byWalk {
		k, group := &ks[g], &groups[g]
		fits := !k.known || k.durable <= uint64(group.Small) // in a chunk laid out small, which needs no neighbours
		if group.Capacity == 0 || fits && !k.cold {
			continue
		}
		r := arena.Huge
		switch {
		case k.cold:
			r = arena.Cold
		case group.Cache || !huge:
			r = arena.Normal
		}
		room := int(runPlacesMax - min(next[r], runPlacesMax))
		full, rest := int(min(k.durable/uint64(group.Capacity), runPlacesMax)), uint32(k.durable%uint64(group.Capacity))
		tail := r == arena.Huge && rest > 0 && rest <= group.Capacity/tailShare && !k.hot
		if rest > 0 && !tail {
			full++
		}
		if fits {
			full, tail = 0, false
		}
		full = min(full, room)
		runs = append(runs, Run{g, Place{r, next[r]}, full, tail})
		next[r] += uint32(full)
	}
	return runs
}
