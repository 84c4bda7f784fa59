package spot

import (
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// A striped region belongs to one sequence, its home, for 32 chunks in order. Others' chunks may
// be moved there while positions are free. The region goes back when the last position is free,
// whoever was there.
//
//	order    0 … 31     32 … 63    64 …
//	region   number 0   number 1   number 2, once the first of its chunks is made

// HugeFrom is how many chunks a sequence has before a new region of it is advised to have huge
// pages, which are resident as a whole: at most a quarter too much. A region that is resident and
// idle serves from the second region on: nothing is too much then. Without huge pages, a system
// takes 4 % longer with 262,144 rows, and some 1.5 times as long with four times as many
// (BenchmarkSweep). Regions that Home.Expected fills have them from the first one on. Which regions get them is in
// TestHugeRegions.
const HugeFrom = 4 * chunk.RegionChunks

// FewMost is the most of Shape.Few. On the Go heap, where a region is resident as a whole, all have it:
// with sixteen, 16,384 rows took 3 % longer (BenchmarkSweep).
const FewMost = 8

// few is how many chunks a sequence of so many columns has before it is striped. From the next one on
// a column has two pages or more, so borders of stripes take less than slots that are not full.
// It is 1 for up to 23 columns: a system over 256 tables of 1,024 rows then takes three quarters
// (go -C bench run . -programs -rows 'combinations: 256 sets, 256k, 0 %').
func (b *Book) few(columns int) int {
	return min(max(columns*2*chunk.Page/chunk.Bytes-1, b.FewLeast), FewMost)
}

// hugeLeast is how many bytes limits must have left for a region that counts as a whole from its first chunk on.
// Others would be refused meanwhile (TestWorldFillsItsLimit).
const hugeLeast = 8 * arena.RegionBytes

// Region is a striped region. Its states:
//
//	Enter → open: a home, and a chunk at its position ─last position freed→ gone
//	open ─Home.Leave→ without a home: others' chunks, or quarantine ─last position freed→ gone
type Region struct {
	// shape is how its columns lie.
	shape *Shape
	// first is its first slot: position 0.
	first arena.Slot
	// used is how many positions are not free, including positions in quarantine.
	used int
	// home is the sequence that the region belongs to. It is nil if only chunks are left that were moved there.
	home *Home
	// number is where the home has it.
	number uint32
}

// Home is the striped regions of one sequence, by number: which 32 chunks they are for. The chunk
// of order 32·r + p belongs at position p of region r. The zero value has none.
type Home struct {
	// Small says that new regions are never advised to have huge pages.
	Small bool
	// Expected is how many chunks there will be, as a person stated; 0: nobody knows. Regions that they fill have huge
	// pages whatever their number: a table grows in less time then (go -C bench run . -layouts -rows grows).
	Expected uint32

	regions map[uint32]*Region
}

// Len is the number of regions.
func (h *Home) Len() int { return len(h.regions) }

// Regions is the number of striped regions.
func (b *Book) Regions() int { return len(b.striped) }

// of returns the region for the chunk of an order, and its position there; nil if there is none.
func (h *Home) of(order uint32) (r *Region, position arena.Slot) {
	return h.regions[order/chunk.RegionChunks], arena.Slot(order % chunk.RegionChunks)
}

// Has reports whether a spot is the position for an order.
func (h *Home) Has(order uint32, at At) bool {
	r, p := h.of(order)
	return r != nil && at == At{Slot: r.first + p, Form: Striped}
}

// Leave gives all regions up. Others' chunks, and positions in quarantine, stay there.
func (h *Home) Leave() {
	for _, r := range h.regions {
		r.home = nil
	}
	h.regions = nil
}

// Occupied reports whether the position for an order is taken.
func (b *Book) Occupied(h *Home, order uint32) bool {
	r, p := h.of(order)
	return r != nil && !b.arena.IsFree(r.first+p)
}

// A new region is the arena's choice: one without a slot in use, best one that was cut into the same
// runs before. Huge pages are asked for only here. A refusal of huge pages is no refusal: the normal range
// serves in their place.

// Enter takes the position for the chunk of an order of a sequence with so many chunks, and opens
// its region if need be. ok is false if there is no memory, or if another chunk is there.
func (b *Book) Enter(h *Home, s *Shape, kind arena.Range, order uint32, chunks int) (at At, ok bool) {
	r, p := h.of(order)
	if r != nil {
		return b.takePosition(r, p)
	}
	if kind == arena.Normal && !h.Small && (h.long(order, chunks) && b.arena.Left() >= hugeLeast || chunks >= chunk.RegionChunks && b.arena.HasIdle(arena.Huge)) {
		kind = arena.Huge
	}
	if chunks <= FewMost && b.FewLeast < FewMost && b.arena.Left() < hugeLeast {
		return At{}, false // slots fill a limit better
	}
	slot, err := b.arena.AllocStriped(kind, s.runs, uint32(p))
	if err != nil && kind != arena.Normal {
		slot, err = b.arena.AllocStriped(arena.Normal, s.runs, uint32(p))
	}
	if err != nil {
		return At{}, false
	}
	r = &Region{shape: s, first: slot, used: 1, home: h, number: order / chunk.RegionChunks}
	if h.regions == nil {
		h.regions = make(map[uint32]*Region)
	}
	b.striped[slot], h.regions[r.number] = r, r
	s.regions = append(s.regions, r)
	return At{Slot: slot + p, Form: Striped}, true
}

// long tells whether a new region for the chunk of an order, of a sequence with so many chunks, is to have huge pages.
func (h *Home) long(order uint32, chunks int) bool {
	behind := uint64(order/chunk.RegionChunks+1) * chunk.RegionChunks
	return chunks >= HugeFrom || behind <= uint64(h.Expected)
}

func (b *Book) takePosition(r *Region, position arena.Slot) (at At, ok bool) {
	slot := r.first + position
	if !b.arena.IsFree(slot) || b.arena.Take(slot) != nil {
		return At{}, false
	}
	r.used++
	return At{Slot: slot, Form: Striped}, true
}

// LastPosition takes the last free position of a region of a shape: of the first region that has
// one which counts against limits already, or else of the first one. If that is refused, so is any
// other. Positions that sequences grow into are the first ones.
func (b *Book) LastPosition(s *Shape) (at At, ok bool) {
	var of *Region
	var last arena.Slot
	for _, r := range s.regions {
		if r.used == chunk.RegionChunks {
			continue
		}
		slot, counted := b.arena.LastFree(r.first)
		if of == nil || counted {
			of, last = r, slot
		}
		if counted {
			break
		}
	}
	if of == nil {
		return At{}, false
	}
	return b.takePosition(of, last-of.first)
}

// exit frees a position, and forgets the region with the last one.
func (b *Book) exit(slot arena.Slot) {
	r := b.striped[first(slot)]
	b.arena.Free(slot)
	if r.used--; r.used > 0 {
		return
	}
	delete(b.striped, r.first)
	i := slices.Index(r.shape.regions, r)
	r.shape.regions = slices.Delete(r.shape.regions, i, i+1)
	if r.home != nil {
		delete(r.home.regions, r.number)
	}
}
