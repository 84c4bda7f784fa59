package policy_test

import (
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/policy"
)

// many is a policy of n components, none of which systems visit.
func many(n int, asked *int) *policy.Policy {
	p := policy.New(policy.Options{}, func(int, bool) policy.Counts {
		*asked++
		return policy.Counts{Required: 100, Have: 100, Among: 10_000}
	})
	for range n {
		p.Add()
	}
	return p
}

var large = policy.Tables{Living: 1, Rows: 1 << 20}

// loosen removes all components until they are thin, and lets rates fade.
func loosen(p *policy.Policy, n int) {
	for range 8 {
		for c := range n {
			p.Removed(c, 50)
		}
		p.EndFrame(large)
	}
	for range 200 {
		p.EndFrame(policy.Tables{Living: 1, Rows: 1 << 20, Busy: true})
	}
}

func TestAsksForFew(t *testing.T) {
	asked := 0
	p := many(1000, &asked)
	for range 100 {
		p.EndFrame(large)
	}
	if asked != 0 {
		t.Errorf("asked %d times for components that are fixed and not removed", asked)
	}
	p.Removed(7, 1)
	for range 200 {
		p.EndFrame(large)
	}
	if asked < 64 || asked > 150 {
		t.Errorf("asked %d times after one remove", asked)
	}
	loosen(p, 1000)
	asked = 0
	for range 16 {
		p.EndFrame(policy.Tables{Living: 1, Rows: 1 << 20, Busy: true})
	}
	if asked != 1000 {
		t.Errorf("asked %d times in 16 frames for 1,000 thin components that are quiet", asked)
	}
}

func TestNoAllocation(t *testing.T) {
	asked := 0
	p := many(100, &asked)
	frame := 0
	got := testing.AllocsPerRun(2000, func() {
		frame++
		if frame/300%2 == 0 {
			for c := range 100 {
				p.Removed(c, 50)
			}
		}
		tables := large
		if frame%500 < 50 {
			tables = policy.Tables{Living: 1000, Rows: 1000}
		}
		p.EndFrame(tables)
	})
	if got != 0 {
		t.Errorf("%v allocations a frame", got)
	}
}

func BenchmarkEndFrame(b *testing.B) {
	for _, n := range []int{50, 2000} {
		for _, state := range []string{"fixed", "thin", "removed"} {
			b.Run(fmt.Sprintf("components=%d/state=%s", n, state), func(b *testing.B) {
				asked := 0
				p := many(n, &asked)
				tables := large
				if state != "fixed" {
					loosen(p, n)
					tables.Busy = true // keeps them so
				}
				for b.Loop() {
					if state == "removed" {
						for c := range n {
							p.Removed(c, 1)
						}
					}
					p.EndFrame(tables)
				}
			})
		}
	}
}
