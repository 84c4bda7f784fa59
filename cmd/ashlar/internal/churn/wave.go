package churn

// A wave of population, in frames. Groups rise one after the other, so each takes memory
// of its own. They fall together, so a tenth of each is left all over it. Before its first
// rise a group has no members:
//
//	group      0  1  2 …  n
//	100 %       ┌──┌──┌──┌───┐
//	           /  /  /  /     \
//	 10 %     /  /  /  /       \─────────────
//	      0         300     400 470       1200
const (
	period = 1200
	low    = 100 // per mille
	high   = 1000

	riseFirst = 0   // when the first group begins to rise
	riseLast  = 250 // when the last does, all but a step
	rise      = 50  // how long it takes
	fallFirst = 400
	fallLast  = 420
	fall      = 50
)

// tide is how many members a group should have, in per mille of its most.
func tide(frame uint64, group, groups int) int {
	f := int(frame % period)
	rises := riseFirst + (riseLast-riseFirst)*group/groups
	falls := fallFirst + (fallLast-fallFirst)*group/groups
	switch {
	case frame < uint64(rises):
		return 0
	case f < rises:
		return low
	case f < rises+rise:
		return low + (high-low)*(f-rises)/rise
	case f < falls:
		return high
	case f < falls+fall:
		return high - (high-low)*(f-falls)/fall
	}
	return low
}

// weight is the share of a group: there are large and small ones.
func weight(group int) int { return [4]int{8, 4, 2, 1}[group/int(kinds)%4] }

// want is how many members a group should have in a frame.
func want(entities, groups, group int, frame uint64) int {
	before, all := 0, 0
	for g := range groups {
		if g < group {
			before += weight(g)
		}
		all += weight(g)
	}
	share := entities*(before+weight(group))/all - entities*before/all
	return share * tide(frame, group, groups) / 1000
}

// rate is which part of a group has to go, in 2³²: it has as many members as it
// has, and should have so many.
func rate(have, want int) uint32 {
	if have <= want {
		return 0
	}
	return uint32(min(uint64(have-want)<<32/uint64(have), 1<<32-1))
}
