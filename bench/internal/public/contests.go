package public

import (
	"fmt"
	"math"
	"slices"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
)

// workload is a contest's work at any size.
type workload struct {
	name  string
	share int // of entities that change in a frame, in percent
	sizes []int
	quick []int
	call  bool // times are for one call, and not for an entity
}

var (
	suiteSizes  = []int{1, 16, 1024, 16_000, 256_000, 1_000_000}
	beyondSizes = []int{1024, 16_000, 256_000, 1_000_000}
	quickSizes  = []int{16, 1024}
)

// suite is the workloads of the community's suite.
func suite() (list []workload) {
	for _, name := range []string{"query2comp", "query32arch", "query256arch", "random", "create2comp", "create2comp_alloc", "create10comp",
		"add_remove", "add_remove_large", "delete2comp", "delete10comp"} {
		list = append(list, workload{name: name, sizes: suiteSizes, quick: quickSizes})
	}
	return append(list, workload{name: "new_world", sizes: []int{1}, quick: []int{1}})
}

// beyond is workloads that the suite lacks. All but the last two are frames.
func beyond() (list []workload) {
	add := func(name string, share int) {
		list = append(list, workload{name: name, share: share, sizes: beyondSizes, quick: []int{1024}})
	}
	add("overlap", 0)     // every combination of four components, a system for each
	add("fragment_32", 0) // position, velocity and any of five others; fragment_256: of eight
	add("fragment_256", 0)
	add("filter", 0) // one in ten has C1, and a system leaves these out
	for _, share := range []int{0, 1, 5, 20} {
		add(fmt.Sprintf("come_and_go_%d%%", share), share)
	}
	for _, share := range []int{1, 10} {
		add(fmt.Sprintf("births_%d%%", share), share)
	}
	add("pointers", 0)     // query2comp, row by row
	add("worst_create", 0) // the longest call of N that create an entity each, in a new store
	list[len(list)-1].call = true
	return list
}

// Candidate is a store that takes part.
type Candidate struct {
	storage, guide string
	only           []string // the workloads that it takes part in; empty: all
	body           func(w workload, n int) candidate.Body
	collected      func(n int, forget *func()) candidate.Body
	start          func(n int) (rows int, digest uint64)
}

// Of makes a candidate of an adapter. guide is the page of docs/guide that its code follows, or "".
func Of[H any](storage, guide string, open func() Store[H], only ...string) Candidate {
	return Candidate{storage, guide, only,
		func(w workload, n int) candidate.Body { return bodyOf(w, n, open) },
		func(n int, forget *func()) candidate.Body { return collected(n, open, forget) },
		func(n int) (int, uint64) { return firstFrame(n, open()) }}
}

// changing is the workloads in which velocities come and go. There a program may say so, and a hybrid has them apart.
var changing = []string{"add_remove", "add_remove_large", "come_and_go_0%", "come_and_go_1%", "come_and_go_5%", "come_and_go_20%"}

// Candidates are all that take part.
func Candidates() []Candidate {
	return []Candidate{
		Of(candidate.Ashlar, "first-program.md", openAshlar),
		Of(candidate.Sparse, "", openSparse),
		Of(candidate.Probing, "", openProbing, "come_and_go_0%", "come_and_go_1%", "come_and_go_5%", "come_and_go_20%", "births_1%", "births_10%"),
		Of(candidate.Archetype, "", openArchetype),
		Of(candidate.Hybrid, "", openHybrid, changing...),
		Of(candidate.Ashlar+"+volatile", "storage.md", openVolatile, changing...),
		Of(candidate.Objects, "", openObjects),
		Of(candidate.Arrays, "", openArrays, "query2comp", "query32arch", "query256arch", "random", "create2comp", "create2comp_alloc", "create10comp",
			"add_remove", "add_remove_large", "delete2comp", "delete10comp", "pointers", "worst_create"),
	}
}

// Contests are the suite's workloads at its sizes, or small.
func Contests(quick bool) []candidate.Contest { return contests("public", suite(), quick) }

// Beyond are the workloads that the suite lacks.
func Beyond(quick bool) []candidate.Contest {
	return append(contests("beyond", beyond(), quick), startUp())
}

func contests(part string, of []workload, quick bool) (list []candidate.Contest) {
	for _, w := range of {
		sizes := w.sizes
		if quick {
			sizes = w.quick
		}
		for _, n := range sizes {
			c := candidate.Contest{Part: part, Name: w.name, Entities: n, Ops: n}
			if w.call {
				c.Ops = 1
			}
			for _, p := range Candidates() {
				if len(p.only) == 0 || slices.Contains(p.only, w.name) {
					c.Entries = append(c.Entries, candidate.Entry{Storage: p.storage, Guide: p.guide, Open: func() candidate.Body { return p.body(w, n) }})
				}
			}
			list = append(list, c)
		}
	}
	return list
}

// collectorSizes are how many entities live while the collector runs.
var collectorSizes = []int{100_000, 1_000_000, 10_000_000}

// Collector is the contests about a run of Go's collector while N entities with position and velocity live in one store,
// and nothing else. Each sample makes a store anew, outside of the time. A row is for the whole run, not for an entity.
func Collector(quick bool) (list []candidate.Contest) {
	sizes := collectorSizes
	if quick {
		sizes = []int{1024}
	}
	for _, n := range sizes {
		forget := func() {} // closes the store that lives
		c := candidate.Contest{Part: "collector", Name: "collector", Entities: n, Ops: 1}
		if n >= 10_000_000 {
			c.Samples = samplesLarge
		}
		for _, p := range Candidates() {
			if len(p.only) == 0 || slices.Contains(p.only, "query2comp") {
				c.Entries = append(c.Entries, candidate.Entry{Storage: p.storage, Guide: p.guide, Open: func() candidate.Body { return p.collected(n, &forget) }})
			}
		}
		list = append(list, c)
	}
	return list
}

// samplesLarge is how many samples the largest size has: each of its stores takes seconds to fill.
const samplesLarge = 5

// digest is the sum of positions, and the numbers of entities and components.
func digest[H any](s Store[H], list []H) uint64 {
	entities, parts := s.Count()
	return math.Float64bits(s.Read(list)) ^ uint64(entities)<<32 ^ uint64(parts)
}
