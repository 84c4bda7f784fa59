package ecs_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Members that lose either component and get it back keep their other values, in
// whatever memory and over chunks that come and go; so does who is moved into their rows.
func TestMembersLeaveAndEnter(t *testing.T) {
	type value struct{ V [3]uint32 }
	type both struct {
		A value `ashlar:"a"`
		B b16
	}
	for _, name := range slices.Sorted(mapsKeys(fewer(variants()))) {
		t.Run(name, func(t *testing.T) {
			w, r := world(t, variants()[name]), rand.New(rand.NewPCG(3, 5))
			a, b := ecs.Register[value](w, "a"), ecs.Register[b16](w, "b")
			g := ecs.Apart(ecs.GroupOf[both](w, "both"))
			want := map[ecs.Entity]both{}
			var es []ecs.Entity
			for i := range uint32(3000) {
				v := both{value{[3]uint32{i, i + 1, i + 2}}, b16{byte(i), byte(i >> 8), 15: 1}}
				e := ok(g.Spawn(v))
				es, want[e] = append(es, e), v
			}
			for _, away := range []int{1, 700, len(es)} { // how many are out of the group at a time
				r.Shuffle(len(es), func(i, j int) { es[i], es[j] = es[j], es[i] })
				for _, part := range slices.Collect(slices.Chunk(es[:min(len(es), 300*away)], away)) {
					for _, e := range part {
						if e.Index()%2 == 0 {
							ok(0, a.Remove(e))
						} else {
							ok(0, b.Remove(e))
						}
					}
					if got := g.Len(); got != len(es)-len(part) {
						t.Fatalf("%d members, want %d", got, len(es)-len(part))
					}
					r.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
					for _, e := range part {
						if e.Index()%2 == 0 {
							ok(0, a.Add(e, want[e].A))
						} else {
							ok(0, b.Add(e, want[e].B))
						}
					}
				}
				for e, v := range want {
					if got := (both{*a.Get(e), *b.Get(e)}); got != v {
						t.Fatalf("%d away: %v is %v, want %v", away, e, got, v)
					}
				}
				ok(0, w.Check())
			}
		})
	}
}

// An entity that leaves a group or enters it while a chunk is refused stays as it was. A
// region holds 32 chunks: by how many there are before, another step is the first to ask
// for a new one.
func TestMembersWithoutRoom(t *testing.T) {
	type value [8000]byte // too wide for blocks
	type three struct {
		A value `ashlar:"p0"`
		B value `ashlar:"p1"`
		C value `ashlar:"p2"`
	}
	const columns, mid = 3, 1
	refused := map[string]int{}
	for before := range 40 {
		refuse := false
		w := ecs.New(ecs.Options{MaxEntities: 1 << 16, Memory: memmgr.Options{Arena: arena.Options{SmallPages: true, Reserve: 1 << 30}.WithFault(func(op arena.Op, nth int, _ uint64) error {
			if refuse && op == arena.OpCommit {
				return errors.New("refused")
			}
			return nil
		})}})
		var pools []*ecs.Pool[value]
		for i := range columns + before + 1 {
			pools = append(pools, ecs.Register[value](w, fmt.Sprint("p", i), ecs.Thin))
			if i < columns {
				continue
			}
			ok(0, pools[i].Add(ok(w.Spawn()), value{})) // a chunk of its own
		}
		g := ecs.Apart(ecs.GroupOf[three](w, "three"))
		e := ok(g.Spawn(three{value{0}, value{1}, value{2}}))
		for _, step := range []struct {
			what string
			has  bool
			do   func() error
		}{
			{"leaving", false, func() error { return pools[mid].Remove(e) }},
			{"entering", true, func() error { return pools[mid].Add(e, value{mid}) }},
		} {
			for _, refuse = range []bool{true, false} {
				err := step.do()
				if err != nil {
					refused[step.what]++
				}
				for i, p := range pools[:columns] {
					v := p.Get(e)
					if got, want := v != nil, i != mid || step.has == (err == nil); got != want || got && *v != (value{byte(i)}) {
						t.Fatalf("%d chunks before, %s with error %v: component %d is there: %v", before, step.what, err, i, got)
					}
				}
				if err := w.Check(); err != nil {
					t.Fatalf("%d chunks before, %s: %v", before, step.what, err)
				}
				if err == nil {
					break
				}
				if !refuse {
					t.Fatalf("%d chunks before, %s with nothing refused: %v", before, step.what, err)
				}
			}
			refuse = false
			ok(w.Manager().Reclaim(^uint64(0)))               // the group's chunk goes
			ok(0, pools[columns].Add(ok(w.Spawn()), value{})) // others come
			for _, p := range pools[columns : columns+min(before, 9)] {
				ok(0, p.Add(ok(w.Spawn()), value{}))
			}
		}
		backend := w.Manager().Arena().Backend()
		ok(0, w.Close())
		if backend != arena.OS {
			t.Skip("nothing is asked of the operating system here: it refuses nothing")
		}
	}
	if refused["leaving"] == 0 {
		t.Errorf("too little was refused: %v", refused)
	}
}

// A list may have entities of a page that were spawned into several groups: for some no
// set notes their row, for others the group's sets do. An array of sets may end within the page.
func TestListOfTwoGroups(t *testing.T) {
	for _, n := range []int{1, 600, 9000} {
		w := world(t, ecs.Options{Memory: memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}})
		ecs.Register[b4](w, "a")
		b := ecs.Register[hp](w, "b")
		as, bs := ecs.Apart(ecs.GroupOf[struct{ A b4 }](w, "as")), ecs.Apart(ecs.GroupOf[struct{ B hp }](w, "bs"))
		es := make([]ecs.Entity, n)
		ok(0, as.SpawnN(es, make([]struct{ A b4 }, 1)))
		own := ok(bs.Spawn(struct{ B hp }{}))
		ok(0, b.Remove(own))
		es = append(es, own)
		if got := ok(b.AddAll(ecs.Handles(es), hp{7})); got != len(es) || b.Get(es[0]).V != 7 || b.Get(own).V != 7 || bs.Len() != len(es) {
			t.Errorf("%d: %d have it, %d members", n, got, bs.Len())
		}
	}
}
