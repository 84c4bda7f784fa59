// Package histogram counts durations in buckets that grow with them, so that medians and
// percentiles are known at any time from a fixed amount of memory.
//
//	ns       0 1 … 15 │ 16 17 … 31 │ 32 34 … 62 │ 64 68 … 124 │ … │ 2³⁹ … 2⁴⁰, 18 minutes
//	bucket   0 1 … 15 │ 16 17 … 31 │ 32 33 … 47 │ 48 49 … 63  │ … │ 576 … 591
//
// Sixteen buckets divide each power of two, so a bucket is at most a sixteenth of its durations
// wide.
//
// All names are for engines, and may change.
package histogram

import (
	"math/bits"
	"time"
)

const (
	parts   = 16 // buckets of a power of two
	partLog = 4  // log2 of them
	topLog  = 40 // durations of 2^topLog ns and more are all in the last bucket
	buckets = (topLog - partLog + 1) * parts
)

// Histogram counts durations. The zero value has counted none. It takes 2.3 KiB, and never
// allocates.
type Histogram struct {
	counts   [buckets]uint32
	n        uint64
	min, max time.Duration
}

// Add counts a duration; a negative one, of a clock that went back, as 0.
func (h *Histogram) Add(d time.Duration) {
	d = max(d, 0)
	if h.n == 0 || d < h.min {
		h.min = d
	}
	h.max = max(h.max, d)
	h.n++
	h.counts[bucket(d)]++
}

// percentile returns the duration that p of 100 counted ones don't exceed; 0 if there
// are none. It is off by less than a sixteenth, and the least and the greatest are exact. It
// costs a pass over the buckets.
func (h *Histogram) percentile(p float64) time.Duration {
	rank := p / 100 * float64(h.n)
	below := 0.0
	for i, count := range h.counts {
		if c := float64(count); c > 0 && below+c >= rank {
			if i == buckets-1 {
				return h.max
			}
			low, width := bounds(i)
			d := low + time.Duration((rank-below)/c*float64(width))
			return min(max(d, h.min), h.max)
		} else {
			below += c
		}
	}
	return h.max
}

// bucket is the number of a duration's bucket.
func bucket(d time.Duration) int {
	n := uint64(d)
	if n < parts {
		return int(n)
	}
	shift := bits.Len64(n) - partLog - 1
	return min(shift*parts+int(n>>shift), buckets-1)
}

// bounds are the least duration of a bucket and how far the next bucket is.
func bounds(i int) (low, width time.Duration) {
	if i < 2*parts {
		return time.Duration(i), 1
	}
	shift := i/parts - 1
	return time.Duration(parts+i%parts) << shift, 1 << shift
}
