package spot

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// tenants are chunks of a few shapes in a book.
type tenants struct {
	t     testing.TB
	a     *arena.Arena
	b     *Book
	shape []*Shape
	homes []*Home
	all   map[chunk.ID]tenant
	last  chunk.ID
}

type tenant struct {
	shape int
	at    At
	order uint32 // among the positions of its shape's home
}

func newTenants(t testing.TB) *tenants {
	a, err := arena.New(arena.Options{SmallPages: true, Reserve: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	x := &tenants{t: t, a: a, b: New(a), all: make(map[chunk.ID]tenant)}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, size := range []uint32{8, 24, 200} {
		s, err := x.b.ShapeOf([]chunk.Spec{{Size: size, Align: 8}, {Size: 8, Align: 8}})
		if err != nil {
			t.Fatal(err)
		}
		x.shape, x.homes = append(x.shape, s), append(x.homes, new(Home))
	}
	return x
}

// settle adds a chunk at a spot that was taken.
func (x *tenants) settle(shape int, at At, order uint32) chunk.ID {
	x.last++
	x.all[x.last] = tenant{shape, at, order}
	x.b.Settle(x.shape[shape], at, x.last)
	return x.last
}

func (x *tenants) take(shape int, f Form) chunk.ID {
	x.t.Helper()
	at, err := x.b.Take(x.shape[shape], f, arena.Normal)
	if err != nil {
		x.t.Fatal(err)
	}
	return x.settle(shape, at, 0)
}

// leave removes a chunk, and has its spot wait if it may be looked at.
func (x *tenants) leave(id chunk.ID, looked bool) {
	c := x.all[id]
	delete(x.all, id)
	x.b.Unsettle(x.shape[c.shape], c.at)
	if looked {
		x.b.Retire(x.shape[c.shape], c.at)
	} else {
		x.b.Discard(x.shape[c.shape], c.at)
	}
}

// check compares all chunks with the book.
func (x *tenants) check() error {
	c, err := x.b.Checker()
	if err != nil {
		return err
	}
	for id, of := range x.all {
		if err := c.Settled(id, x.shape[of.shape], of.at); err != nil {
			return err
		}
	}
	for i, h := range x.homes {
		if err := c.CheckHome(fmt.Sprint("home ", i), h); err != nil {
			return err
		}
	}
	if st := x.a.Stats(); st.Live+st.Quarantined != c.Bytes() || st.Quarantined != c.Quarantined {
		return fmt.Errorf("%d bytes live, %d in quarantine; %d and %d in the book", st.Live, st.Quarantined, c.Bytes(), c.Quarantined)
	}
	return c.Check()
}

func (x *tenants) any(r *rand.Rand) (id chunk.ID, ok bool) {
	ids := make([]chunk.ID, 0, len(x.all))
	for id := range x.all {
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return 0, false
	}
	slices.Sort(ids)
	return ids[r.IntN(len(ids))], true
}

// Random chunks of all forms come, go, widen and wait: the book knows each, and nothing is left.
func TestBookAgainstModel(t *testing.T) {
	for seed := range uint64(4) {
		x, r := newTenants(t), rand.New(rand.NewPCG(seed, 1))
		for step := range 1500 {
			shape := r.IntN(len(x.shape))
			switch k := r.IntN(20); {
			case k < 8:
				x.take(shape, Form(r.IntN(len(x.shape[shape].Blocks)+1)))
			case k < 10:
				if at, ok := x.b.TakeNear(x.shape[shape], Form(r.IntN(2)), arena.Normal); ok {
					x.settle(shape, at, 0)
				}
			case k < 12:
				order := uint32(r.IntN(100))
				occupied := x.b.Occupied(x.homes[shape], order)
				at, ok := x.b.Enter(x.homes[shape], x.shape[shape], arena.Normal, order, 1)
				if ok == occupied || ok && !x.homes[shape].Has(order, at) {
					t.Fatalf("order %d: entered %v, occupied %v", order, ok, occupied)
				}
				if ok {
					x.settle(shape, at, order)
				}
			case k < 13:
				if at, ok := x.b.LastPosition(x.shape[shape]); ok {
					x.settle(shape, at, ^uint32(0))
				}
			case k < 14:
				if id, ok := x.any(r); ok && x.all[id].at.Form.InBlock() {
					c := x.all[id]
					if to := Form(r.IntN(len(x.shape[c.shape].Blocks) + 1)); x.b.Widen(x.shape[c.shape], c.at, to) {
						c.at.Form = to
						x.all[id] = c
						x.b.Settle(x.shape[c.shape], c.at, id)
					}
				}
			case k < 19:
				if id, ok := x.any(r); ok {
					x.leave(id, r.IntN(2) == 0)
				}
			default:
				x.b.NextEpoch()
				x.b.Release(false)
			}
			if err := x.check(); err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, step, err)
			}
		}
		for id := range x.all {
			x.leave(id, false)
		}
		x.b.Release(true)
		if err := x.check(); err != nil || x.a.Stats().Live != 0 || x.b.Regions() != 0 {
			t.Errorf("%v; %d bytes and %d striped regions are left", err, x.a.Stats().Live, x.b.Regions())
		}
	}
}

// The need of a region's chunks elsewhere is counted exactly: with one slot less than Chunks asks for
// they do not fit, and with as many they do.
func TestChunksCountsRoom(t *testing.T) {
	for seed := range uint64(20) {
		x, r := newTenants(t), rand.New(rand.NewPCG(seed, 2))
		for range 40 + r.IntN(900) {
			shape := r.IntN(len(x.shape))
			x.take(shape, Form(r.IntN(len(x.shape[shape].Blocks)+1)))
		}
		for id := range x.all {
			if r.IntN(3) > 0 {
				x.leave(id, false)
			}
		}
		x.b.Release(true)
		var regions []arena.RegionInfo
		for g := range x.a.Regions() {
			if g.Free != ^uint32(0) && g.Range == arena.Normal {
				regions = append(regions, g)
			}
		}
		victim := regions[r.IntN(len(regions))]
		need := -1
		for n := range 100 {
			if _, ok := x.b.Chunks(victim, n); ok {
				need = n
				break
			}
		}
		ids, _ := x.b.Chunks(victim, need)
		x.a.Hold(victim.Range, victim.Number, true)
		before, taken := x.a.Stats().Live, 0
		for _, id := range ids {
			c := x.all[id]
			at, err := x.b.Take(x.shape[c.shape], c.at.Form, arena.Normal)
			if err != nil {
				t.Fatal(err)
			}
			x.leave(id, true)
			x.settle(c.shape, at, 0)
		}
		taken = int(x.a.Stats().Live+x.a.Stats().Quarantined-before) / arena.SlotBytes
		x.b.Release(true)
		if x.a.InUse(victim.Range, victim.Number) != 0 || taken != need {
			t.Errorf("seed %d: %d chunks took %d slots elsewhere, and Chunks asked for %d; %d are still in use", seed, len(ids), taken, need, x.a.InUse(victim.Range, victim.Number))
		}
		if err := x.check(); err != nil {
			t.Error(err)
		}
	}
}

// A spot that does not move keeps its region: one taken and not settled, and one in quarantine.
func TestChunksRefuses(t *testing.T) {
	for what, change := range map[string]func(x *tenants, id chunk.ID){
		"a slot that is taken":  func(x *tenants, id chunk.ID) { x.a.Alloc(arena.Normal) },
		"a block that is taken": func(x *tenants, id chunk.ID) { x.b.Take(x.shape[0], 1, arena.Normal) },
		"quarantine":            func(x *tenants, id chunk.ID) { x.leave(id, true) },
	} {
		x := newTenants(t)
		x.take(0, 1)
		id := x.take(1, Whole)
		region := func() arena.RegionInfo {
			for g := range x.a.Regions() {
				return g
			}
			panic("no region")
		}
		if ids, ok := x.b.Chunks(region(), 2); !ok || len(ids) != 2 {
			t.Fatalf("%v, %v", ids, ok)
		}
		if change(x, id); true {
			if _, ok := x.b.Chunks(region(), 32); ok {
				t.Errorf("%s moves", what)
			}
		}
	}
}

// Check names what is broken on purpose, one thing at a time.
func TestCheckNames(t *testing.T) {
	for what, c := range map[string]struct {
		words string
		f     func(x *tenants, block, slot, piece chunk.ID)
	}{
		"a block's bit": {"is listed", func(x *tenants, block, _, _ chunk.ID) { x.b.cutAt(x.all[block].at.Slot).free |= 1 }},
		"a block's other bit": {"are in use", func(x *tenants, block, _, _ chunk.ID) {
			x.b.cutAt(x.all[block].at.Slot).free &^= 1 << 7
		}},
		"a slot that is not listed": {"are free, and", func(x *tenants, _, _, _ chunk.ID) { x.b.blocks[0].open = nil }},
		"a slot listed twice":       {"is listed", func(x *tenants, _, _, _ chunk.ID) { l := &x.b.blocks[0].open; *l = append(*l, (*l)[0]) }},
		"how many are free":         {"are free, and", func(x *tenants, _, _, _ chunk.ID) { x.b.blocks[0].free++ }},
		"a class":                   {"are in use", func(x *tenants, block, _, _ chunk.ID) { x.b.cutAt(x.all[block].at.Slot).class = 3 }},
		"a block's tenant": {"where chunk 9 is noted", func(x *tenants, block, _, _ chunk.ID) {
			x.b.cutAt(x.all[block].at.Slot).ids[x.all[block].at.Block] = 9
		}},
		"a block behind the last": {"or none", func(x *tenants, block, _, _ chunk.ID) {
			c := x.all[block]
			c.at.Block = uint8(chunk.Blocks(x.shape[0].Blocks[c.at.Form-1].Class))
			x.all[block] = c
		}},
		"a slot's tenant":  {"where chunk 0 is noted", func(x *tenants, _, slot, _ chunk.ID) { x.b.plains[0].ids[x.all[slot].at.Slot] = 0 }},
		"a region's bytes": {"bytes of the region", func(x *tenants, _, _, _ chunk.ID) { x.b.plains[0].bytes++ }},
		"a chunk twice": {"share slot", func(x *tenants, _, slot, _ chunk.ID) {
			x.b.Retire(x.shape[0], x.all[slot].at)
		}},
		"a region's count":           {"says that 2 positions are used; 1 are", func(x *tenants, _, _, _ chunk.ID) { x.homes[2].regions[0].used++ }},
		"a region's first slot":      {"is another one's", func(x *tenants, _, _, _ chunk.ID) { x.homes[2].regions[0].first++ }},
		"a region's shape":           {"striped region from slot", func(x *tenants, _, _, _ chunk.ID) { x.shape[2].regions = nil }},
		"a region's home":            {"is another one's", func(x *tenants, _, _, _ chunk.ID) { x.homes[2].regions[0].home = x.homes[1] }},
		"a region's number":          {"is another one's", func(x *tenants, _, _, _ chunk.ID) { x.homes[2].regions[0].number++ }},
		"a region that is nobody's":  {"is none of its home", func(x *tenants, _, _, _ chunk.ID) { delete(x.homes[2].regions, 0) }},
		"a region that is forgotten": {"is another one's", func(x *tenants, _, _, _ chunk.ID) { clear(x.b.striped) }},
		"a region without a home": {"0 regions are striped", func(x *tenants, _, _, _ chunk.ID) {
			clear(x.b.striped)
			x.homes[2].Leave()
		}},
	} {
		t.Run(what, func(t *testing.T) {
			x := newTenants(t)
			block, slot := x.take(0, 1), x.take(1, Whole)
			at, ok := x.b.Enter(x.homes[2], x.shape[2], arena.Normal, 3, 10)
			if !ok || x.homes[2].Len() != 1 {
				t.Fatal("no region")
			}
			piece := x.settle(2, at, 3)
			if err := x.check(); err != nil {
				t.Fatal(err)
			}
			c.f(x, block, slot, piece)
			if err := x.check(); err == nil || !strings.Contains(err.Error(), c.words) {
				t.Errorf("%v, want %q", err, c.words)
			}
		})
	}
}

// A refusal leaves the book as it was.
func TestTakeRefused(t *testing.T) {
	x := newTenants(t)
	x.take(0, Whole)
	x.a.SetLimit(arena.RegionBytes)
	for {
		at, err := x.b.Take(x.shape[0], Whole, arena.Normal)
		if err != nil {
			break
		}
		x.settle(0, at, 0)
	}
	if _, err := x.b.Take(x.shape[0], 1, arena.Normal); err == nil {
		t.Error("a block where there is no memory")
	}
	if _, ok := x.b.TakeNear(x.shape[0], 1, arena.Normal); ok {
		t.Error("a block near, where there is no slot")
	}
	if _, ok := x.b.Enter(x.homes[0], x.shape[0], arena.Normal, 0, 10); ok {
		t.Error("a position where there is no memory")
	}
	if err := x.check(); err != nil {
		t.Error(err)
	}
}

// Chunks that grow one after the other, each alone in its slot to begin with, end in one slot.
func TestWidenSharesSlots(t *testing.T) {
	x := newTenants(t)
	for i := range 10 {
		at, err := x.b.Take(x.shape[0], 1, arena.Normal)
		if err != nil {
			t.Fatal(err)
		}
		id := x.settle(0, at, 0)
		if wide := x.b.Widen(x.shape[0], at, 2); wide != (i == 0) {
			t.Fatalf("chunk %d: widened %v", i, wide)
		} else if wide {
			x.all[id] = tenant{0, At{Slot: at.Slot, Form: 2}, 0}
			x.b.Settle(x.shape[0], x.all[id].at, id)
			continue
		}
		to, err := x.b.Take(x.shape[0], 2, arena.Normal)
		if err != nil {
			t.Fatal(err)
		}
		x.b.Unsettle(x.shape[0], at)
		x.b.Free(x.shape[0], at)
		x.all[id] = tenant{0, to, 0}
		x.b.Settle(x.shape[0], to, id)
		if to.Slot != x.all[1].at.Slot {
			t.Errorf("chunk %d is in slot %d, the first in %d", i, to.Slot, x.all[1].at.Slot)
		}
	}
}
