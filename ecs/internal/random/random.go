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
// All values are the same on every machine. Each value takes one number, so the n-th value is known without the others.
package random

import "math/bits"

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
