package roster

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A list has the members that were added and not removed, in order, whenever it is read.
func TestListKeepsOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	var l List[*int]
	want := map[int]*int{}
	made := 0
	for step := range 20_000 {
		switch n := r.IntN(10); {
		case n < 4 || step < 100:
			x := new(made)
			l.Add(made, x)
			want[made] = x
			made++
		case n < 9:
			k := r.IntN(made)
			if _, has := want[k]; l.Remove(k) != has {
				t.Fatalf("step %d: Remove says %v of %d", step, !has, k)
			}
			delete(want, k)
		default:
			var got []int
			for _, x := range l.All() {
				got = append(got, *x)
				if want[*x] != x {
					t.Fatalf("step %d: %d is not the member of its number", step, *x)
				}
			}
			if len(got) != len(want) || !slices.IsSorted(got) {
				t.Fatalf("step %d: %v, want %d members", step, got, len(want))
			}
		}
		k := r.IntN(made)
		if l.Find(k) != want[k] || l.Len() != len(want) || l.Find(made) != nil || l.Remove(made) {
			t.Fatalf("step %d: %d members, %v; want %d, %v", step, l.Len(), l.Find(k), len(want), want[k])
		}
		if len(l.members) != len(l.numbers) || l.holes > 2+len(l.members)/2 {
			t.Fatalf("step %d: %d holes of %d", step, l.holes, len(l.members))
		}
	}
}

// BenchmarkRemove takes 20,000 members out, from the middle on: the time for each must not depend on
// how many there are.
func BenchmarkRemove(b *testing.B) {
	const n = 20_000
	x := new(int)
	for b.Loop() {
		var l List[*int]
		for i := range n {
			l.Add(i, x)
		}
		for i := range n {
			l.Remove((n/2 + i) % n)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/member")
}

// Members that go one by one, from the middle on, have the list closed a few times in all.
func TestRemoveMovesLittle(t *testing.T) {
	const n = 20_000
	var l List[*int]
	for i := range n {
		l.Add(i, &i)
	}
	closed := 0
	for i := range n {
		size := len(l.members)
		if !l.Remove((n/2 + i) % n) {
			t.Fatalf("%d is not there", i)
		}
		if len(l.members) < size {
			closed++
		}
	}
	if closed > 20 || l.Len() != 0 || len(l.members) > 2 {
		t.Errorf("closed %d times, %d of %d members are left", closed, l.Len(), len(l.members))
	}
}
