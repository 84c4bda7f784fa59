package plan

import (
	"math/bits"
	"time"

	"github.com/ashlar-go/ashlar/memmgr/topology"
)

// What things are worth and cost, as measured on one machine (a Zen 3 guest). They
// need not be exact elsewhere: an action must pay with a margin, and whoever carries
// it out measures what came of it.
const (
	// Horizon is the number of frames over which an action for time has to pay.
	Horizon = 600

	copyBytesPerNs   = 13                    // 64 KiB in 5 µs
	streamBytesPerNs = 10                    // a sweep that nobody timed
	touchHuge        = 10 * time.Microsecond // first touch of a slot in a huge page
	touchNormal      = 68 * time.Microsecond // of a slot in 4 KiB pages
	walkNs           = 30                    // a page walk: what the first touch of another region costs
	timeMargin       = 2                     // gain over cost, for time
	worthBeyondL2    = 4                     // ‰ of a sweep's time, all links broken
	worthBeyondLast  = 7                     // the same, where it leaves the last level
	orderedGainPs    = 1700                  // of a row that is gathered, in its readers' order against random
	orderedRows      = 75                    // of 100 in order: another order is not worth a word
	slackShare       = 16                    // free slots up to this part of those in use are no waste
	tailShare        = 4                     // a tail filled up to this part is nearly empty
	nearChunksMax    = 8                     // groups with more chunks have no use for neighbours
	coldFrames       = 1000                  // recorded frames without a use that make a group cold
	triesMax         = 8                     // per kind and round
	roundsMax        = 64
	rateMax          = 1e6     // runs in 1,000 frames that are believed
	runPlacesMax     = 1 << 18 // places kept for one range from the start: 16 GiB
	sumMax           = 1 << 50 // what products are cut to, so that sums can't overflow
)

// linksWorth is how many ‰ of a sweep's time broken links can cost a group of so
// many bytes, on a machine with such caches.
func linksWorth(t topology.Topology, bytes uint64) uint64 {
	last := t.L1d()
	for _, c := range t.Caches {
		if c.Kind != topology.Instruction && c.Level >= last.Level {
			last = c
		}
	}
	switch {
	case bytes <= uint64(max(t.L2().Bytes, t.L1d().Bytes)):
		return 0
	case bytes <= uint64(last.Bytes):
		return worthBeyondL2
	}
	return worthBeyondLast
}

// hugePages tells whether the machine gives memory that asks for it huge pages.
func hugePages(t topology.Topology) bool {
	return t.HugePage.N != 0 && t.HugeMode.Text != "never" && t.HugeMode.Text != "none"
}

// paysInBytes and paysInTime are the rules of the package comment.
func paysInBytes(g Gain, c Cost) bool { return g.Bytes > 0 && g.Bytes >= c.Bytes }
func paysInTime(g Gain, c Cost) bool  { return g.Time > 0 && g.Time >= timeMargin*c.Time }

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

func duration(ns uint64) time.Duration { return time.Duration(min(ns, sumMax)) }
