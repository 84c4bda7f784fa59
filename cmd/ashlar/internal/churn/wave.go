package churn

// A wave of population, in frames:
//
//	100 %       ┌────────┐
//	           /          \
//	 10 % ────/            \────────
//	      0  100  260  340  400   500
const (
	period = 500
	low    = 100 // per mille
	high   = 1000
)

// tide is how many entities there should be, in per mille of the most.
func tide(frame uint64) int {
	switch f := int(frame % period); {
	case f < 100:
		return low
	case f < 260:
		return low + (high-low)*(f-100)/160
	case f < 340:
		return high
	case f < 400:
		return high - (high-low)*(f-340)/60
	}
	return low
}

// weight is the share of a group: there are large and small ones.
func weight(group int) int { return [4]int{8, 4, 2, 1}[group/int(kinds)%4] }

// want is how many members a group should have in a frame. Groups follow each other
// by a few frames, so that the large steps of all are not in the same one.
func want(entities, groups, group int, frame uint64) int {
	before, all := 0, 0
	for g := range groups {
		if g < group {
			before += weight(g)
		}
		all += weight(g)
	}
	share := entities*(before+weight(group))/all - entities*before/all
	return share * tide(frame+uint64(group*40/groups)) / 1000
}

// rate is which part of a group has to go, in 2³²: it has as many members as it
// has, and should have so many.
func rate(have, want int) uint32 {
	if have <= want {
		return 0
	}
	return uint32(min(uint64(have-want)<<32/uint64(have), 1<<32-1))
}
