package public

import (
	"math/rand/v2"
	"strings"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
)

// warmFrames are run before the first that may be measured: a store may choose how it stores meanwhile.
const warmFrames = 120

// scene is a workload of frames: the systems, and the set that an entity has at first.
type scene struct {
	run []System
	of  func(i int) Set
}

// sceneOf draws sets from dice, the same for all stores.
func sceneOf(name string, dice *rand.Rand) scene {
	switch name {
	case "overlap":
		return scene{overlapping(), func(i int) Set { return Set(i%15 + 1) }}
	case "fragment_32":
		return scene{[]System{Move, Push, Both}, func(int) Set { return moving | Set(dice.IntN(32))<<C1 }}
	case "fragment_256":
		return scene{[]System{Move, Push, Both}, func(int) Set { return moving | Set(dice.IntN(256))<<C1 }}
	case "filter":
		return scene{[]System{Unless}, func(int) Set { return moving | Set(dice.IntN(10)/9)<<C1 }}
	}
	if strings.HasPrefix(name, "come_and_go") {
		return scene{[]System{Push, Move}, func(i int) Set { return 1<<Position | 1<<C1 | Set(i%2)<<Velocity }}
	}
	return scene{[]System{Move}, func(int) Set { return moving }}
}

// frames is systems over entities. Before the systems of a frame, some entities gain or lose a velocity, or die
// and are born. Which ones is drawn outside of the time.
func frames[H any](w workload, n int, s Store[H]) candidate.Body {
	dice := rand.New(rand.NewPCG(3, 4))
	sc := sceneOf(w.name, dice)
	list, placed := make([]H, n), []H(nil)
	has := make([]bool, n) // a velocity
	for i := range list {
		of := sc.of(i)
		s.Create(list[i:i+1], of)
		has[i] = of>>Velocity&1 != 0
		if of>>Position&1 != 0 {
			placed = append(placed, list[i])
		}
	}
	b := candidate.Body{
		Work:   func() int { return s.Frame(sc.run) },
		Digest: func() uint64 { return digest(s, placed) },
		Close:  s.Close,
	}
	some := newSample(n, max(1, n*w.share/100), dice)
	switch {
	case w.share > 0 && strings.HasPrefix(w.name, "births"):
		dead := make([]H, len(some.chosen))
		put := func() {
			for k, i := range some.chosen {
				list[i] = dead[k]
			}
		}
		copy(dead, list)
		b.Prepare = func() {
			put()
			some.draw()
			for k, i := range some.chosen {
				dead[k] = list[i]
			}
		}
		b.Work = func() int {
			s.Destroy(dead)
			s.Create(dead, moving)
			return s.Frame(sc.run)
		}
		b.Digest = func() uint64 { put(); return digest(s, list) }
	case w.share > 0:
		var come, leave []H
		b.Prepare = func() {
			some.draw()
			come, leave = come[:0], leave[:0]
			for _, i := range some.chosen {
				if has[i] = !has[i]; has[i] {
					come = append(come, list[i])
				} else {
					leave = append(leave, list[i])
				}
			}
		}
		b.Work = func() int {
			s.Add(come, Velocity)
			s.Remove(leave, Velocity)
			return s.Frame(sc.run)
		}
	}
	for range warmFrames {
		if b.Prepare != nil {
			b.Prepare()
		}
		b.Work()
	}
	return b
}

// sample draws some of n numbers, each at most once.
type sample struct {
	all    []int
	chosen []int // the first of all
	dice   *rand.Rand
}

func newSample(n, k int, dice *rand.Rand) sample {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return sample{all, all[:k], dice}
}

func (s *sample) draw() {
	for i := range s.chosen {
		j := i + s.dice.IntN(len(s.all)-i)
		s.all[i], s.all[j] = s.all[j], s.all[i]
	}
}
