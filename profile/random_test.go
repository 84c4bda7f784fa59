package profile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// seeded is a source of chance that prints its seed if the test fails.
func seeded(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, 1))
}

// invent makes a profile of a program with few worlds and few names; component c has size
// shape(c). It depends on r.
func invent(r *rand.Rand, shape func(component int) int) (p Profile) {
	if r.IntN(4) > 0 {
		p = inventWorld(r, shape)
	}
	for _, i := range r.Perm(3)[:r.IntN(3)] {
		w := inventWorld(r, shape)
		w.World = fmt.Sprint("world ", i)
		p.Worlds = append(p.Worlds, w)
	}
	return p
}

// inventWorld makes a profile about every world.
func inventWorld(r *rand.Rand, shape func(component int) int) Profile {
	sum := func() uint64 {
		if r.IntN(20) == 0 {
			return math.MaxUint64 - r.Uint64N(5) // sums that overflow
		}
		return r.Uint64N(1e6)
	}
	some := func(prefix string) (names []string) {
		for _, i := range r.Perm(5) {
			if r.IntN(2) == 0 {
				names = append(names, fmt.Sprint(prefix, i))
			}
		}
		return names
	}
	sums := func() (list []uint64) {
		for range r.IntN(4) {
			list = append(list, r.Uint64N(2)*sum())
		}
		return list
	}
	var p Profile
	if r.IntN(8) > 0 {
		p.Frames = sum()
		p.Early = time.Duration(r.IntN(2) * r.IntN(1e9))
	}
	for _, n := range some("c") {
		p.Components = append(p.Components, Component{n, shape(int(n[1] - '0')), 8})
	}
	for _, n := range some("c") {
		p.Stored = append(p.Stored, Stored{n, []string{"fixed", "optional", "ordered", "thin"}[r.IntN(4)], []string{"by default", "x"}[r.IntN(2)], r.Uint64N(3), r.Uint64N(2), r.Uint64N(2), sums(), sums()})
	}
	for _, n := range some("g,") {
		p.Groups = append(p.Groups, Group{n, []string{"own " + n}, sum(), sum(), sum(), sum()})
	}
	for _, n := range some("g,") {
		for _, f := range r.Perm(3) {
			p.Growth = append(p.Growth, Growth{n, 1 << f, sum()})
		}
	}
	for _, n := range some("g,") {
		for _, c := range some("c") {
			p.Shared = append(p.Shared, Shared{n, c + ".Field", r.IntN(9), sum(), sum(), sum(), sum(), sum() * r.Uint64N(2)})
		}
	}
	for _, n := range some("c") {
		for _, by := range append(some("s"), "") {
			p.Lookups = append(p.Lookups, Lookup{n, by, sum(), sum(), sum() * r.Uint64N(2)})
		}
	}
	for _, n := range some("c") {
		p.Handles = append(p.Handles, Handle{n + ".To"})
	}
	p.Sampled = p.Frames / (1 + r.Uint64N(3)) * r.Uint64N(2)
	p.Layout = []string{"", "0123456789abcdef", "fedcba9876543210"}[r.IntN(3)]
	p.Laid = some("apart g")
	for _, n := range some("s") {
		s := System{Name: n, Frames: sum(), Matched: sum() * r.Uint64N(2), Tested: sum() * r.Uint64N(2)}
		if r.IntN(2) == 0 {
			s.Timed, s.Times = sum(), randomTimes(r)
		}
		for _, g := range some("g,") {
			for _, c := range some("c") {
				s.Access = append(s.Access, Access{g, c, r.IntN(2) == 0, r.IntN(2) == 0, sum(), sum(), sum(), sum(), r.Uint64N(3)})
			}
		}
		for _, g := range some("g,") {
			for _, c := range some("c") {
				use := []string{"direct", "gathered", "cached"}[r.IntN(3)]
				s.Choices = append(s.Choices, Choice{g, c, use, r.Uint64N(3), sum(), sum(), r.IntN(101)}) // few frames: many are equal
			}
		}
		for _, c := range some("c") {
			s.Fields = append(s.Fields, Field{c + ".X", r.IntN(2) == 0})
		}
		p.Systems = append(p.Systems, s)
	}
	return p
}

func steady(int) int { return 16 }

// randomTimes are percentiles in their order; few enough that many are equal.
func randomTimes(r *rand.Rand) (t Times) {
	low := time.Duration(0)
	for _, d := range []*time.Duration{&t.P10, &t.P50, &t.P90, &t.P99} {
		low += time.Duration(r.IntN(3)) << r.IntN(40)
		*d = low
	}
	return t
}
