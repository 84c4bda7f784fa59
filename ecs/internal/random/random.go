// Package random makes random numbers that depend on who asks and when, and on nothing else.
//
// A generator with a state gives numbers by the order of calls. Here a number is a hash of its [Key],
// of who it is for, and of how many came before it for the same one. So another system, an output
// or an unrelated entity changes no number, and any worker may draw it.
//
//	seed ─┐
//	name ─┴─ Name ─┬─ Key ─┬─ Draws ─ number 0, number 1, number 2 …
//	         tick ─┘       │
//	         who ──────────┘
//
// A number is two multiplications of 64 × 64 bits, and uses both halves of each, in the manner of
// wyhash. One multiplication fails the tests of this package by hundreds of standard deviations.
//
// All values are the same on every machine: products are rounded before they are added, and
// logarithms are made here. Each value takes one number, so the n-th value is known without the others.
package random

import (
	"math"
	"math/bits"
)

const (
	mixA = 0xa0761d6478bd642f
	mixB = 0xe7037ed1a0b428db
)

// Key is common to all numbers of a system in one tick.
type Key uint64

// Name is common to all keys of a name in a world with a seed.
type Name uint64

// MakeName makes a name in a world with a seed.
func MakeName(seed uint64, name string) Name {
	h := split(seed)
	for i := range len(name) {
		h = split(h ^ uint64(name[i]))
	}
	return Name(split(h ^ uint64(len(name))))
}

// Key makes the key of the name in a tick.
func (n Name) Key(tick uint64) Key { return Key(split(uint64(n) + tick)) }

// split is the finaliser of SplitMix64.
func split(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Draws are the numbers for one entity, or for one number of a program.
type Draws struct {
	key, who, last uint64 // last is a hash of who alone
	n              uint64 // of the next number, mixed
}

// Of returns the numbers for who, from the first on.
func (k Key) Of(who uint64) Draws {
	return Draws{uint64(k), uint64(k) ^ who*mixA, mixA ^ who, mixB}
}

// Uint64 is the next number: 64 random bits.
func (d *Draws) Uint64() uint64 {
	h, l := bits.Mul64(d.who, d.n)
	d.n++
	h, l = bits.Mul64(h^l^d.key, d.last)
	return h ^ l
}

// Float64 is a number from 0 to below 1, each multiple of 2⁻⁵³ being as likely.
func (d *Draws) Float64() float64 { return float64(d.Uint64()>>11) / (1 << 53) }

// IntN is a number from 0 to below n. It panics if n is below 1. Some numbers are more likely than
// others by at most n/2⁶⁴.
func (d *Draws) IntN(n int) int {
	if n < 1 {
		panic("ecs: IntN with a number below 1: there is nothing to draw from")
	}
	h, _ := bits.Mul64(d.Uint64(), uint64(n))
	return int(h)
}

// open is a number between 0 and 1, without both.
func (d *Draws) open() float64 { return (float64(d.Uint64()>>12) + 0.5) / (1 << 52) }

// Exp is an exponentially distributed number of mean 1.
func (d *Draws) Exp() float64 { return -ln(d.open()) }

// Norm is a normally distributed number of mean 0 and deviation 1: the inverse of the distribution
// function, by Wichura's algorithm AS 241, which is exact to 16 digits.
func (d *Draws) Norm() float64 { return normOf(d.open()) }

// normOf is the number below which normally distributed ones are with a probability.
func normOf(p float64) float64 {
	q := p - 0.5
	if math.Abs(q) <= 0.425 {
		r := 0.180625 - float64(q*q)
		return q * ratio(r, &center)
	}
	r := p
	if q > 0 {
		r = 1 - p
	}
	r = math.Sqrt(-ln(r))
	if r <= 5 {
		r = ratio(r-1.6, &middle)
	} else {
		r = ratio(r-5, &tail)
	}
	if q < 0 {
		return -r
	}
	return r
}

// ratio is a quotient of two polynomials, given from the highest power down.
func ratio(r float64, k *[2][8]float64) float64 {
	a, b := k[0][0], k[1][0]
	for i := 1; i < 8; i++ {
		a, b = float64(a*r)+k[0][i], float64(b*r)+k[1][i] // rounded, so that no machine fuses them
	}
	return a / b
}

// The polynomials of AS 241: for the middle of the distribution, and for its sides.
var (
	center = [2][8]float64{
		{2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457, 13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608},
		{5226.495278852545925, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867, 5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1},
	}
	middle = [2][8]float64{
		{7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177, 1.27045825245236838258, 3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959, 1.42343711074968357734},
		{1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966, 0.14810397642748007459, 0.68976733498510000455, 1.6763848301838038494, 2.05319162663775882187, 1},
	}
	tail = [2][8]float64{
		{2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386, 0.026532189526576123093, 0.29656057182850489123, 1.7848265399172913358, 5.4637849111641143699, 6.6579046435011037772},
		{2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4, 0.0148753612908506148525, 0.13692988092273580531, 0.59983220655588793769, 1},
	}
)

// ln is the natural logarithm of a positive number. It is FreeBSD's algorithm, as in package math,
// whose own may differ between machines in the last bit.
func ln(x float64) float64 {
	f, e := math.Frexp(x)
	if f < math.Sqrt2/2 {
		f *= 2
		e--
	}
	f--
	k := float64(e)
	s := f / (2 + f)
	s2 := float64(s * s)
	s4 := float64(s2 * s2)
	even, odd := lnEven[0], lnOdd[0]
	for _, c := range lnEven[1:] {
		even = float64(even*s4) + c
	}
	for _, c := range lnOdd[1:] {
		odd = float64(odd*s4) + c
	}
	r := float64(s2*odd) + float64(s4*even)
	half := float64(0.5 * f * f)
	return float64(k*ln2High) - ((half - (float64(s*(half+r)) + float64(k*ln2Low))) - f)
}

const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// The coefficients of ln, from the highest power down.
var (
	lnOdd  = [4]float64{1.479819860511658591e-01, 1.818357216161805012e-01, 2.857142874366239149e-01, 6.666666666666735130e-01}
	lnEven = [3]float64{1.531383769920937332e-01, 2.222219843214978396e-01, 3.999999999940941908e-01}
)
