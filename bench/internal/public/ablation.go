package public

import (
	"slices"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
	"github.com/ashlar-go/ashlar/bench/internal/reference"
	"github.com/ashlar-go/ashlar/ecs"
)

// An ablation takes one thing away from a store, or adds it: a group of position and velocity, the graph of a
// store, or memory that is there before the first entity (a pool). The workload stays as it is.

var ablationSizes = []int{1024, 16_000, 256_000}

// Ablations are the contests about one thing each.
func Ablations(quick bool) (list []candidate.Contest) {
	sizes := ablationSizes
	if quick {
		sizes = sizes[:1]
	}
	ashlar, sparse, archetype := candidate.Ashlar, candidate.Sparse, candidate.Archetype
	plain := func(storage string) Candidate {
		all := Candidates()
		return all[slices.IndexFunc(all, func(c Candidate) bool { return c.storage == storage })]
	}
	add := func(what string, w workload, of ...Candidate) {
		for _, n := range sizes {
			c := candidate.Contest{Part: "ablation", Name: what + ": " + w.name, Entities: n, Ops: n}
			for _, p := range of {
				c.Entries = append(c.Entries, candidate.Entry{Storage: p.storage, Guide: p.guide, Open: func() candidate.Body { return p.body(w, n) }})
			}
			list = append(list, c)
		}
	}
	for _, name := range []string{"query2comp", "add_remove"} {
		add("grouping", workload{name: name}, plain(ashlar), Of(ashlar+"+group", "groups.md", openAshlarGrouped), plain(sparse), Of(sparse+"+group", "", openGrouped), plain(archetype))
	}
	for _, name := range []string{"add_remove", "add_remove_large"} {
		add("graph", workload{name: name}, plain(ashlar), plain(sparse), plain(archetype), Of(archetype+"-graph", "", openUngraphed))
	}
	for _, w := range []workload{{name: "query2comp"}, {name: "come_and_go_1%", share: 1}, {name: "come_and_go_20%", share: 20}} {
		add("query graph", w, plain(ashlar), plain(sparse), plain(candidate.Probing), plain(archetype))
	}
	add("pooling", workload{name: "create2comp_alloc"}, plain(ashlar), plain(sparse), pooled(sparse+"+pool", openSparse), plain(archetype), pooled(archetype+"+pool", openArchetype))
	return list
}

// openAshlarGrouped has a declared group of position and velocity.
func openAshlarGrouped() Store[ecs.Entity] {
	w := openAshlar().(*world)
	ecs.GroupOf[body](w.World, "bodies")
	return w
}

func openUngraphed() Store[reference.Entity] {
	s := openArchetype().(*tables)
	s.Ungraphed = true
	return s
}

// openProbing is sparse sets with queries that keep nothing.
func openProbing() Store[reference.Entity] {
	s := openSparse().(*sparse)
	s.probes = true
	return s
}

// reserver can have memory before entities.
type reserver interface{ reserve(n int) }

func (s *sparse) reserve(n int) {
	s.sets[Position].Reserve(n)
	s.sets[Velocity].Reserve(n)
}

func (s *tables) reserve(n int) { s.Table(uint32(moving)).Reserve(n) }

func pooled(storage string, open func() Store[reference.Entity]) Candidate {
	return Candidate{storage: storage, body: func(w workload, n int) candidate.Body {
		return bodyOf(w, n, func() Store[reference.Entity] {
			s := open()
			s.(reserver).reserve(n)
			return s
		})
	}}
}

// grouped is sparse sets with a group of position and velocity.
type grouped struct {
	sparse
	group *reference.Group[Value, Value]
}

func openGrouped() Store[reference.Entity] {
	s := &grouped{}
	for i := range s.sets {
		s.sets[i] = reference.SetOf[Value](&s.Sparse)
	}
	s.group = reference.GroupOf(s.sets[Position], s.sets[Velocity])
	return s
}

// Create has each enter the group.
func (s *grouped) Create(dst []reference.Entity, of Set) {
	for i := range dst {
		s.sparse.Create(dst[i:i+1], of)
		s.group.Enter(dst[i])
	}
}

// Destroy has each leave the group.
func (s *grouped) Destroy(list []reference.Entity) {
	for _, e := range list {
		s.group.Leave(e)
		s.Sparse.Destroy(e)
	}
}

// Add has each enter the group.
func (s *grouped) Add(list []reference.Entity, c Component) {
	set, v := s.sets[c], initial(c)
	for _, e := range list {
		set.Add(e, v)
		s.group.Enter(e)
	}
}

// Remove has each leave the group.
func (s *grouped) Remove(list []reference.Entity, c Component) {
	set := s.sets[c]
	for _, e := range list {
		s.group.Leave(e)
		set.Remove(e)
	}
}

// Run loops over the group, without a look-up.
func (s *grouped) Run(of System) int {
	if of != Move {
		return s.sparse.Run(of)
	}
	p, v := s.group.Values()
	addTwo(p, v)
	return len(p)
}
