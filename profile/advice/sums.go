package advice

import "math/bits"

const (
	rateMax = 1e6     // highest plausible number of runs in 1,000 frames
	sumMax  = 1 << 50 // limit of products, so that sums can't overflow
)

// times returns a product, at most sumMax, because a profile may have any figures.
func times(a, b uint64) uint64 {
	if hi, lo := bits.Mul64(a, b); hi == 0 {
		return min(lo, sumMax)
	}
	return sumMax
}

// sumOf returns the sum of a list, at most sumMax.
func sumOf(list []uint64) (sum uint64) {
	for _, n := range list {
		sum = min(sum+min(n, sumMax), sumMax)
	}
	return sum
}

// share returns n × part / whole, at most sumMax, and 0 if whole is 0.
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

// above returns a − b, at least 0.
func above(a, b uint64) uint64 { return a - min(a, b) }
