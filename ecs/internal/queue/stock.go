package queue

import (
	"math"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/burst"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Stock is entities for the pieces of a system to spawn. An entity's handle has to be known when it is asked
// for, and must not depend on which piece is faster. So each piece has a block of its own, which is taken
// before the first piece runs: as many as it has spawned the last time, and some more. A piece that
// needs others waits for its turn. The rest is returned behind the last piece, in order.
//
// Nothing is taken before if it would be more than an eighth of the entities that there may be beside. A piece that finds none
// left first returns all that pieces up to it have not spawned: these have ended. So it is refused where it
// would be if nothing was taken ahead.
//
//	uses      bundle A               bundle B
//	grants    [0: ██░░][1: █░░░]     [0: ░░░░][1: ████]  then, in turn  [1: ██░░]
//	          spawned ↑   ↑ returned
//
// Pieces only write their own grants and counts, unless they are alone. The zero value is ready for Begin.
type Stock struct {
	store  *store.Store
	pieces int
	uses   []*use
	grants []*grant // in the order in which they were taken
	spare  []*grant
	lately burst.Buffer // of handles
}

// use is the spawns of pieces of a bundle.
type use struct {
	bundle *store.Bundle // nil: entities without components
	counts []int         // by piece, how many it has spawned
	grants []*grant      // by piece, the one that it takes from
}

// grant is entities for a piece.
type grant struct {
	piece   int
	handles []store.Entity
	used    int
}

// blockLen is how many entities are taken for a piece at least: a part of a page of records.
const blockLen = 64

// blockFor is how many entities are taken for a piece that has spawned so many the last time.
func blockFor(last int) int { return (last + last/2 + blockLen) / blockLen * blockLen }

// Begin takes entities for pieces, as many as were spawned the last time and some more.
func (k *Stock) Begin(s *store.Store, pieces int) {
	k.store, k.pieces = s, pieces
	wanted := 0
	for _, u := range k.uses {
		for len(u.grants) < pieces {
			u.counts, u.grants = append(u.counts, 0), append(u.grants, nil)
		}
		wanted += u.wanted(pieces)
	}
	ahead := wanted <= s.Spare()/8 // so Options.MaxEntities says
	for _, u := range k.uses {
		wants := slices.Max(u.counts) > 0
		clear(u.grants)
		for i := 0; ahead && wants && i < pieces; i++ {
			if g, err := k.grant(u.bundle, i, blockFor(u.counts[i])); err == nil {
				u.grants[i] = g
			}
		}
		clear(u.counts)
	}
}

// wanted is how many entities pieces take before the first one; 0 if none has spawned the last time.
func (u *use) wanted(pieces int) (n int) {
	if slices.Max(u.counts) == 0 {
		return 0
	}
	for _, last := range u.counts[:pieces] {
		n += blockFor(last)
	}
	return n
}

// grant takes n entities for a piece.
func (k *Stock) grant(b *store.Bundle, piece, n int) (*grant, error) {
	if len(k.spare) == 0 {
		k.spare = append(k.spare, &grant{})
	}
	g := k.spare[len(k.spare)-1]
	g.piece, g.handles, g.used = piece, slices.Grow(g.handles[:0], n)[:n], 0
	if err := k.store.Reserve(b, g.handles); err != nil {
		return nil, err
	}
	k.spare = k.spare[:len(k.spare)-1]
	k.grants = append(k.grants, g)
	return g, nil
}

// Take has entities of a piece's own, of a bundle or bare ones, in all of dst. It returns false, and has nothing written, if there
// are not as many: Refill comes next.
func (k *Stock) Take(piece int, b *store.Bundle, dst []store.Entity) bool {
	u := k.of(b)
	return len(dst) == 0 || u != nil && u.take(piece, dst)
}

// Refill is Take, while pieces before it have ended and no other runs. An error leaves dst as it was.
func (k *Stock) Refill(piece int, b *store.Bundle, dst []store.Entity) error {
	u := k.of(b)
	if u == nil {
		u = &use{b, make([]int, k.pieces), make([]*grant, k.pieces)}
		k.uses = append(k.uses, u)
	}
	g, err := k.more(piece, b, max(blockLen, u.counts[piece], len(dst)), len(dst))
	if err == nil {
		u.grants[piece] = g
		u.take(piece, dst)
	}
	return err
}

// more is a grant of n entities for a piece, or of fewer, but of no fewer than least.
func (k *Stock) more(piece int, b *store.Bundle, n, least int) (g *grant, err error) {
	if g, err = k.grant(b, piece, n); err != nil {
		k.giveBack(piece)
		g, err = k.grant(b, piece, max(least, min(n, k.store.Spare())))
	}
	if err != nil { // memory is refused
		g, err = k.grant(b, piece, least)
	}
	return g, err
}

// of finds the spawns of a bundle; nil if there was none yet.
func (k *Stock) of(b *store.Bundle) *use {
	for _, u := range k.uses {
		if u.bundle == b {
			return u
		}
	}
	return nil
}

// take takes entities of the piece's grant, if it has enough.
func (u *use) take(piece int, dst []store.Entity) bool {
	g := u.grants[piece]
	if g == nil || len(g.handles)-g.used < len(dst) {
		return false
	}
	copy(dst, g.handles[g.used:])
	g.used += len(dst)
	u.counts[piece] += len(dst)
	return true
}

// End returns entities that were not spawned.
func (k *Stock) End() {
	handles := 0
	for _, g := range k.grants {
		handles += len(g.handles)
	}
	k.lately.Met(handles)
	k.giveBack(math.MaxInt)
	k.spare = append(k.spare, k.grants...)
	clear(k.grants)
	k.grants = k.grants[:0]
}

// Settle ends a frame, and gives back lists of handles that were not needed of late.
func (k *Stock) Settle() {
	k.lately.EndFrame()
	room := 0
	for _, g := range k.spare {
		room += cap(g.handles)
	}
	if !k.lately.Excess(room, raw.Size[store.Entity]()) {
		return
	}
	k.spare = nil
	for _, u := range k.uses {
		clear(u.grants)
	}
}

// giveBack returns entities that pieces up to one have not spawned, the last first.
func (k *Stock) giveBack(most int) {
	for i := len(k.grants) - 1; i >= 0; i-- {
		if g := k.grants[i]; g.piece <= most && g.used < len(g.handles) {
			k.store.Return(g.handles[g.used:])
			g.handles = g.handles[:g.used]
		}
	}
}
