package plan

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/memmgr/topology"
	"github.com/ashlar-go/ashlar/profile"
)

const (
	orderedGainPs = 1700    // of a row that is gathered, in its readers' order against random (a Zen 3 guest)
	orderedRows   = 75      // of 100 in order: another order is not worth a word
	rateMax       = 1e6     // runs in 1,000 frames that are believed
	sumMax        = 1 << 50 // what products are cut to, so that sums can't overflow
)

// Advice says in words what only code can do: rows in another order. A group
// that a system reaches through the index, and that does not fit into the caches, is
// better sorted as the group that the system walks, unless its rows lie so already. What
// a system would gain is said where the profile knows the order.
func Advice(p profile.Profile, t topology.Topology) (lines []string) {
	cached := uint64(max(t.L2().Bytes, t.L1d().Bytes))
	for _, s := range p.Systems {
		rate := rateOf(&p, &s)
		walked := ""
		for _, a := range s.Access {
			if !a.Scattered && walked == "" {
				walked = a.Group
			}
		}
		if rate == 0 || s.Frames == 0 || walked == "" {
			continue
		}
		for _, a := range s.Access {
			bytes := a.Bytes / s.Frames
			order, known := orderOf(&s, walked, a.Component)
			if !a.Scattered || a.Group == walked || bytes <= cached || order >= orderedRows {
				continue
			}
			line := fmt.Sprintf("%s: system %s reaches %s of %s by entity, %s a run, walking %s: SortAs would put the rows in that order",
				a.Group, s.Name, a.Component, a.Group, size(bytes), walked)
			if known {
				gain := times(a.Rows/s.Frames, uint64(100-order)) * orderedGainPs / 100 / 1000
				line += fmt.Sprintf(", in which %d %% lie; about %v a run less", order, time.Duration(gain).Round(100*time.Nanosecond))
				if s.Timed > 0 {
					line += fmt.Sprintf(" of %v", (s.Time / time.Duration(min(s.Timed, sumMax))).Round(100*time.Nanosecond))
				}
			}
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// orderOf is how many of 100 rows of a component lie in the order of the group that a
// system walks, and whether its choices tell.
func orderOf(s *profile.System, walked, component string) (order int, known bool) {
	for _, c := range s.Choices {
		if c.Group == walked && (c.Component == component || strings.HasPrefix(c.Component, component+".")) {
			return c.Order, true
		}
	}
	return 0, false
}

// rateOf is how often a system runs in 1,000 frames: as intent says, else as seen.
func rateOf(p *profile.Profile, s *profile.System) uint64 {
	for _, e := range p.Intent.Every {
		if e.System == s.Name && e.Frames > 0 {
			return max(1, 1000/uint64(e.Frames))
		}
	}
	if p.Frames == 0 {
		return 0
	}
	return min(share(1000, s.Frames, p.Frames), rateMax)
}

// times is a product, at most sumMax: a profile may say anything.
func times(a, b uint64) uint64 {
	if hi, lo := bits.Mul64(a, b); hi == 0 {
		return min(lo, sumMax)
	}
	return sumMax
}

// share is n × part / whole, at most sumMax; 0 of nothing.
func share(n, part, whole uint64) uint64 {
	hi, lo := bits.Mul64(n, part)
	switch {
	case whole == 0:
		return 0
	case hi >= whole:
		return sumMax
	}
	q, _ := bits.Div64(hi, lo, whole)
	return min(q, sumMax)
}
