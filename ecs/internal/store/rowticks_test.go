package store

import (
	"math"
	"math/rand/v2"
	"testing"
)

// C2: Ticks of rows are equal to a map's, over the end of 32 bits and long pauses: a change is never
// lost, and a change seen beyond that is older than 2³¹ ticks.
func TestRowTicks(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 1))
	x, want := &rowTicks{base: 6}, map[uint32]uint64{}
	tick := uint64(7)
	for step := range 4000 {
		tick += []uint64{0, 1, 1, 1 << 20, 1 << 30, 3 << 30, 5 << 32}[r.IntN(7)]
		for range r.IntN(4) {
			e := Entity(r.IntN(5 * ticksPage))
			x.mark(tick, e)
			want[e.Index()] = tick
		}
		if x.base > tick || tick-x.base > math.MaxUint32+uint64(step)<<33 {
			t.Fatalf("the base is %d in tick %d", x.base, tick)
		}
		for range 20 {
			i := uint32(r.IntN(6 * ticksPage))
			was, marked := want[i]
			got := x.at(i)
			switch {
			case marked && got < was:
				t.Fatalf("index %d was marked in tick %d, and says %d in tick %d", i, was, got, tick)
			case got != was && got != x.base:
				t.Fatalf("index %d says %d, was marked in %d, and the base is %d", i, got, was, x.base)
			case narrowed(x, i, tick-1) != (got > tick-1) || narrowed(x, i, x.base) != (got > x.base) || !narrowed(x, i, x.base-1):
				t.Fatalf("index %d says %d in tick %d, and is narrowed otherwise", i, got, tick)
			case got == x.base && marked && was > x.base:
				t.Fatalf("index %d says %d, and was marked in %d", i, got, was)
			}
		}
	}
	if x.base < 1<<40 {
		t.Errorf("the base is %d: ticks never came to the end of 32 bits", x.base)
	}
	// Just before the end, and just beyond it, ticks of the last 2³¹ keep apart.
	x = &rowTicks{base: 100}
	x.mark(101, 1)
	x.mark(100+math.MaxUint32-1, 2)
	x.mark(100+math.MaxUint32, 3)
	if x.base != 100 || x.at(1) != 101 || x.at(3) != 100+math.MaxUint32 {
		t.Errorf("base %d, %d and %d before the end of 32 bits", x.base, x.at(1), x.at(3))
	}
	x.mark(101+math.MaxUint32, 4)
	if x.base != 101+math.MaxUint32-1<<31 || x.at(1) != x.base || x.at(2) != 99+math.MaxUint32 || x.at(3) != 100+math.MaxUint32 || x.at(4) != 101+math.MaxUint32 {
		t.Errorf("base %d, %d, %d, %d and %d beyond it", x.base, x.at(1), x.at(2), x.at(3), x.at(4))
	}
	// Pages go where nothing on them is kept.
	x.mark(101+math.MaxUint32, ticksPage+5)
	x.drop(func(i uint32) bool { return i == ticksPage+5 })
	if x.pages[0] != nil || x.pages[1] == nil || x.at(4) != x.base || x.at(ticksPage+5) == x.base {
		t.Error("another page was dropped than the one on which nothing is kept")
	}
}

// narrowed tells whether the bit of an index stays, among others.
func narrowed(x *rowTicks, i uint32, since uint64) bool {
	es, words := make([]Entity, 70), []uint64{0, 1<<1 | 1<<3}
	es[65], es[67] = Entity(i), Entity(7*ticksPage)
	x.narrow(words, es, since)
	if since >= x.base && words[1]&^2 != 0 {
		panic("an index that was never marked stays")
	}
	return words[1]&2 != 0
}
