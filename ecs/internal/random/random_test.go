package random

import (
	"math"
	"math/bits"
	"slices"
	"testing"
)

// at is one number of all.
func at(seed uint64, name string, tick, who uint64, n int) (v uint64) {
	d := MakeName(seed, name).Key(tick).Of(who)
	for range n + 1 {
		v = d.Uint64()
	}
	return v
}

// handle is the handle of an entity, as package entities makes it: small indexes and versions.
func handle(i uint64) uint64 { return i%1000 + 1 | i/1000<<36 }

// streams are the ways in which neighbouring numbers of a program differ: in one input, by a little.
// Each gives the i-th number.
var streams = map[string]func(i uint64) uint64{
	"entities":  func(i uint64) uint64 { return at(1, "move", 1, i, 0) },
	"versions":  func(i uint64) uint64 { return at(1, "move", 1, handle(i), 0) },
	"high bits": func(i uint64) uint64 { return at(1, "move", 1, i<<36, 0) },
	"ticks":     func(i uint64) uint64 { return at(1, "move", i, 7, 0) },
	"seeds":     func(i uint64) uint64 { return at(i, "move", 1, 7, 0) },
	"names":     func(i uint64) uint64 { return at(1, string(rune('a'+i%26))+string(rune('a'+i/26%26)), i/676, 7, 0) },
	"grid":      func(i uint64) uint64 { return at(1, "move", i&1023, i>>10, 0) },
	"draws":     drawn(1),
	"four each": drawn(4),
}

// drawn is numbers of entities one after the other, so many of each.
func drawn(each uint64) func(i uint64) uint64 {
	k := MakeName(1, "move").Key(1)
	return func(i uint64) uint64 {
		d := k.Of(i / each)
		if each == 1 { // all of one
			d = k.Of(7)
			d.n += i
			return d.Uint64()
		}
		d.n += i % each
		return d.Uint64()
	}
}

const samples = 1 << 17

// limit is how many standard deviations a test allows: chance exceeds it once in 150,000.
const limit = 4.5

// Each bit is set in half of the numbers of each stream, and agrees with each bit of the number
// before in half of them.
func TestBits(t *testing.T) {
	for name, f := range streams {
		var set [64]int
		var same [64]int // with the same bit of the number before
		var next [64]int // with the bit beside it
		last := f(samples)
		for i := range uint64(samples) {
			v := f(i)
			for b := range 64 {
				set[b] += int(v >> b & 1)
				same[b] += int((v ^ last) >> b & 1)
				next[b] += int((v ^ bits.RotateLeft64(v, 1)) >> b & 1)
			}
			last = v
		}
		for b := range 64 {
			for what, n := range map[string]int{"is set": set[b], "differs from the number before": same[b], "differs from its neighbour": next[b]} {
				if z := (float64(n) - samples/2) / (math.Sqrt(samples) / 2); math.Abs(z) > limit {
					t.Errorf("%s: bit %d %s %d times of %d: %.1f deviations", name, b, what, n, samples, z)
				}
			}
		}
	}
}

// A change of one bit of any input changes each bit of the number in half of the cases.
func TestAvalanche(t *testing.T) {
	const n = 4096
	inputs := map[string]func(v [4]uint64) uint64{
		"seed": func(v [4]uint64) uint64 { return at(v[0], "move", 3, v[1], 0) },
		"tick": func(v [4]uint64) uint64 { return at(3, "move", v[0], v[1], 0) },
		"who":  func(v [4]uint64) uint64 { return at(3, "move", v[1], v[0], 0) },
	}
	for name, f := range inputs {
		for in := range 64 {
			var changed [64]int
			all := 0
			for i := range uint64(n) {
				v := f([4]uint64{i, i * 3}) ^ f([4]uint64{i ^ 1<<in, i * 3})
				all += bits.OnesCount64(v)
				for b := range 64 {
					changed[b] += int(v >> b & 1)
				}
			}
			for b, k := range changed {
				if z := (float64(k) - n/2) / (math.Sqrt(n) / 2); math.Abs(z) > limit+0.5 { // of 12,288 cases
					t.Errorf("bit %d of %s changes bit %d of the number %d times of %d", in, name, b, k, n)
				}
			}
			if z := (float64(all) - 32*n) / (4 * math.Sqrt(n)); math.Abs(z) > limit {
				t.Errorf("bit %d of %s changes %d bits of %d numbers", in, name, all, n)
			}
		}
	}
}

// chi is how many standard deviations counts are from being equal.
func chi(counts []int) float64 {
	n := 0
	for _, k := range counts {
		n += k
	}
	mean, sum := float64(n)/float64(len(counts)), 0.0
	for _, k := range counts {
		sum += (float64(k) - mean) * (float64(k) - mean) / mean
	}
	free := float64(len(counts) - 1)
	return (sum - free) / math.Sqrt(2*free)
}

// Values fall into equal parts of their range equally often: bytes of the number, pairs of
// successive ones, and ranks of three.
func TestParts(t *testing.T) {
	for name, f := range streams {
		for shift := 0; shift < 64; shift += 8 {
			one, pair := make([]int, 256), make([]int, 64*64)
			last := f(samples) >> shift
			for i := range uint64(samples) {
				v := f(i) >> shift
				one[v&255]++
				pair[v&63<<6|last&63]++
				last = v
			}
			if z := chi(one); math.Abs(z) > limit {
				t.Errorf("%s: byte at %d: %.1f deviations", name, shift, z)
			}
			if z := chi(pair); math.Abs(z) > limit {
				t.Errorf("%s: pairs at %d: %.1f deviations", name, shift, z)
			}
		}
		order := make([]int, 6)
		for i := uint64(0); i+2 < samples; i += 3 {
			a, b, c := f(i), f(i+1), f(i+2)
			k := 0
			for j, less := range []bool{a < b, b < c, a < c} {
				if less {
					k |= 1 << j
				}
			}
			order[map[int]int{0: 0, 1: 1, 2: 2, 5: 3, 6: 4, 7: 5}[k]]++
		}
		if z := chi(order); math.Abs(z) > limit {
			t.Errorf("%s: orders of three: %.1f deviations", name, z)
		}
	}
}

// Equal values are as many as chance makes: of 2¹⁷ values of 34 bits, one in two of such tests.
func TestBirthdays(t *testing.T) {
	for name, f := range streams {
		for _, shift := range []int{0, 15, 30} {
			list := make([]uint64, samples)
			for i := range list {
				list[i] = f(uint64(i)) >> shift & (1<<28 - 1)
			}
			slices.Sort(list)
			same := 0
			for i := 1; i < samples; i++ {
				if list[i] == list[i-1] {
					same++
				}
			}
			mean := float64(samples) * samples / 2 / (1 << 28) // 32
			if z := (float64(same) - mean) / math.Sqrt(mean); math.Abs(z) > limit {
				t.Errorf("%s: %d equal values at %d, want about %.0f", name, same, shift, mean)
			}
		}
	}
}

// One multiplication fails: so the tests above see its fault.
func TestTestsSeeOneMultiplication(t *testing.T) {
	one := make([]int, 256)
	for i := range uint64(samples) {
		h, l := bits.Mul64(uint64(MakeName(1, "move").Key(1))^i, mixB)
		one[(h^l)>>56]++
	}
	if z := chi(one); math.Abs(z) < 2*limit {
		t.Errorf("%.1f deviations of one multiplication: the test sees too little", z)
	}
}

// distributed compares values with a distribution function by Kolmogorov and Smirnov's test.
func distributed(t *testing.T, what string, value func(d *Draws) float64, less func(x float64) float64) {
	t.Helper()
	k := MakeName(3, "spread").Key(9)
	list := make([]float64, samples)
	for i := range list {
		d := k.Of(uint64(i))
		list[i] = value(&d)
	}
	slices.Sort(list)
	most := 0.0
	for i, x := range list {
		p := less(x)
		most = max(most, math.Abs(p-float64(i)/samples), math.Abs(p-float64(i+1)/samples))
	}
	if most *= math.Sqrt(samples); most > 2.2 { // chance exceeds that once in 8,000
		t.Errorf("%s: %.2f from the distribution", what, most)
	}
}

func TestDistributions(t *testing.T) {
	distributed(t, "Float64", (*Draws).Float64, func(x float64) float64 { return x })
	for _, n := range []int{1, 2, 3, 7, 100, 1000} {
		counts := make([]int, n)
		for i := range samples {
			d := MakeName(5, "dice").Key(1).Of(uint64(i))
			counts[d.IntN(n)]++
		}
		if z := chi(append(counts, samples/n)); n > 2 && math.Abs(z) > limit {
			t.Errorf("IntN(%d): %.1f deviations", n, z)
		}
	}
}

// Values stay as they are: a change of any changes replays of programs, and stands in the changelog.
func TestValuesStay(t *testing.T) {
	d := MakeName(1, "move").Key(2).Of(3)
	got := []any{d.Uint64(), d.Uint64(), d.Float64(), d.IntN(1000)}
	want := []any{uint64(0xee459a04d7223ff7), uint64(0x39b2f196108468a), 0.12669822426952126, 667}
	if !slices.Equal(got, want) {
		t.Errorf("%#v", got)
	}
}

// BenchmarkDraw is the bar of 2 ns a number.
func BenchmarkDraw(b *testing.B) {
	k := MakeName(1, "move").Key(2)
	for name, f := range map[string]func(d Draws) float64{
		"Float64": func(d Draws) float64 { return d.Float64() },
	} {
		b.Run(name, func(b *testing.B) {
			sum := 0.0
			for i := range uint64(b.N) {
				sum += f(k.Of(i))
			}
			sink += uint64(sum)
		})
	}
	for _, each := range []int{1, 4} {
		b.Run("Uint64/each="+string(rune('0'+each)), func(b *testing.B) {
			sum, i := uint64(0), uint64(0)
			for range b.N / each {
				d := k.Of(i)
				for range each {
					sum += d.Uint64()
				}
				i++
			}
			sink += sum
		})
	}
}

var sink uint64
