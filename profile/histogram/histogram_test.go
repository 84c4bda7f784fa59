package histogram

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// Buckets follow each other without gaps, and a duration lies in its own.
func TestBuckets(t *testing.T) {
	next := time.Duration(0)
	for i := range buckets {
		low, width := bounds(i)
		if low != next || bucket(low) != i || bucket(low+width-1) != i || float64(width) > max(1, float64(low)/parts) {
			t.Fatalf("bucket %d is from %d, %d wide, and the one before ends at %d; these are in %d to %d", i, low, width, next, bucket(low), bucket(low+width-1))
		}
		next = low + width
	}
	for _, d := range []time.Duration{next, math.MaxInt64} {
		if got := bucket(d); got != buckets-1 {
			t.Errorf("%d is in bucket %d", d, got)
		}
	}
}

// Percentiles are within a sixteenth of the sorted durations' percentiles.
func TestPercentiles(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 10, 94, 1000, 100_000} {
		var h Histogram
		var all []time.Duration
		for range n {
			d := time.Duration(1000 * math.Exp(r.NormFloat64()*2))
			h.Add(d)
			all = append(all, d)
		}
		slices.Sort(all)
		if h.n != uint64(n) || h.percentile(0) != all[0] || h.percentile(100) != all[n-1] {
			t.Errorf("of %d: %d counted, from %v to %v, want %v to %v", n, h.n, h.percentile(0), h.percentile(100), all[0], all[n-1])
		}
		for _, p := range []float64{10, 50, 90, 99} {
			// Between two durations, either is as good.
			at := p / 100 * float64(n)
			low, high := all[max(int(math.Ceil(at))-2, 0)], all[min(int(at)+1, n-1)]
			if got := h.percentile(p); float64(got) < float64(low)*15/16 || float64(got) > float64(high)*17/16 {
				t.Errorf("of %d: p%v is %v, and it lies between %v and %v", n, p, got, low, high)
			}
		}
	}
}

func TestNothingAndTheClock(t *testing.T) {
	var h Histogram
	if got := h.percentile(50); got != 0 || h.n != 0 {
		t.Errorf("of nothing: %v", got)
	}
	h.Add(-time.Second)
	h.Add(time.Hour)
	if h.percentile(0) != 0 || h.percentile(100) != time.Hour || h.percentile(50) > time.Hour {
		t.Errorf("p0 %v, p50 %v, p100 %v", h.percentile(0), h.percentile(50), h.percentile(100))
	}
}

// One duration of 94 that is a thousand times as long moves neither the median nor the spread.
func TestOneOutlier(t *testing.T) {
	var calm, preempted Histogram
	for i := range 94 {
		d := 270*time.Microsecond + time.Duration(i%20)*time.Microsecond
		calm.Add(d)
		if i == 50 {
			d += 58 * time.Millisecond
		}
		preempted.Add(d)
	}
	for _, p := range []float64{10, 50, 90} {
		was, is := calm.percentile(p), preempted.percentile(p)
		if math.Abs(float64(is-was)) > 0.03*float64(was) {
			t.Errorf("p%v is %v with the outlier, and %v without", p, is, was)
		}
	}
}

func TestAddAllocatesNothing(t *testing.T) {
	var h Histogram
	if n := testing.AllocsPerRun(100, func() { h.Add(time.Millisecond) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
