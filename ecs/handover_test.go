package ecs_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
)

// Groups that swell by turns take each other's indexes. Pages of entries on which a group's
// members were before go back, and pages of living members keep theirs.
func TestEntriesOfTakenBlocksGoBack(t *testing.T) {
	type body struct{ V uint64 }
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	const groups, few, many = 6, 300, 5000
	w := world(t, ecs.Options{})
	system := w.Manager().Arena().Backend() == arena.OS && os.Getpagesize() == 4096
	var list []*ecs.Group[body]
	var pools []*ecs.Pool[uint64]
	alive := make([][]ecs.Entity, groups)
	for g := range groups {
		p := ecs.Register[uint64](w, fmt.Sprintf("v%d", g))
		group := ecs.Apart(ecs.GroupOf[body](w, fmt.Sprintf("g%d", g), p))
		pools, list = append(pools, p), append(list, group)
	}
	spawn := func(g, n int) {
		for range n {
			e, err := list[g].Spawn(body{})
			check(err)
			*pools[g].Mut(e) = uint64(e)
			alive[g] = append(alive[g], e)
		}
	}
	for g := range groups {
		spawn(g, few)
	}
	before := uint64(0)
	for turn := range 3 * groups {
		g := turn % groups
		spawn(g, many)
		for range 30 { // a few pages a frame
			check(w.Run(t.Context()))
		}
		for _, e := range alive[g][few:] {
			check(w.Destroy(e))
		}
		alive[g] = alive[g][:few]
		check(w.Run(t.Context()))
		tidied := ecs.Tidied(w)
		if blocks := uint64(many/512 - 1); system && turn > 1 && tidied-before < blocks*4096 {
			t.Errorf("turn %d: %d bytes went back, %d indexes were taken from another group", turn, tidied-before, blocks*512)
		}
		before = tidied
		for g, p := range pools {
			for _, e := range alive[g] {
				if v := p.Get(e); v == nil || *v != uint64(e) {
					t.Fatalf("turn %d: entity %v of group %d has %v", turn, e, g, v)
				}
			}
		}
	}
	check(w.Check())
}
