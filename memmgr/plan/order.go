package plan

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/arena"
)

// broken counts the links of a group that are broken. The link to a tail that was
// put into another range is none.
func (st *state) broken(g int) (broken, links int) {
	chain := st.chain[g]
	for i := 1; i < len(chain); i++ {
		a, b := st.chunks[chain[i-1]].At, st.chunks[chain[i]].At
		if i == len(chain)-1 && a.Range != b.Range {
			break
		}
		links++
		if b != a.next(1) {
			broken++
		}
	}
	return broken, links
}

// groupBytes is what a sweep over all columns of a group reads.
func (st *state) groupBytes(g int) (n uint64) {
	for _, c := range st.chain[g] {
		n += uint64(st.chunks[c].Rows) * uint64(st.in.Groups[g].RowBytes)
	}
	return n
}

// lost is the time that a group's broken links cost over the horizon.
func (st *state) lost(g int) time.Duration {
	broken, links := st.broken(g)
	if broken == 0 {
		return 0
	}
	perMille := linksWorth(st.machine, st.groupBytes(g))
	return duration(share(times(st.know[g].ns, Horizon)/1000, perMille*uint64(broken), 1000*uint64(links)))
}

func (st *state) lostInAll() (d time.Duration) {
	for g := range st.chain {
		d += st.lost(g)
	}
	return d
}

// order brings the group that loses most by broken links into a run of places,
// and evacuates what that leaves sparse: it may take no more memory in the end.
func order(st *state) (Action, bool) {
	type candidate struct {
		g    int
		lost time.Duration
	}
	var all []candidate
	for g := range st.chain {
		if d := st.lost(g); d > 0 && !st.know[g].pinned && !st.avoided(Order, st.in.Groups[g].Name) {
			all = append(all, candidate{g, d})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.lost, a.lost) })
	lost := st.lostInAll()
	for _, c := range all[:min(len(all), triesMax)] {
		m := st.mark()
		broken, links := st.broken(c.g)
		ok := st.straighten(c.g)
		st.evacuateAll()
		gain := st.gain(m)
		gain.Time = lost - st.lostInAll()
		if ok && st.bytes <= m.bytes && paysInTime(gain, st.cost) {
			return st.action(gain, Order, st.in.Groups[c.g].Name,
				fmt.Sprintf("%d of the %d links between its chunks are broken, and sweeps leave the cache", broken, links)), true
		}
		st.rollback(m)
	}
	return Action{}, false
}

// straighten puts a group's chunks into one run: continuing the longest stretch
// that is in order if there is room behind and before it, else at the first places
// that are free. It is false if a chunk that would have to move may not.
func (st *state) straighten(g int) bool {
	chain := st.chain[g]
	if a, b := st.chunks[chain[0]].At.Range, st.chunks[chain[len(chain)-1]].At.Range; a != b && len(chain) > 1 {
		chain = chain[:len(chain)-1] // the tail stays in its range
	}
	r := st.chunks[chain[0]].At.Range
	best, length := 0, 0
	for i := 0; i < len(chain); {
		j := i + 1
		for j < len(chain) && st.chunks[chain[j]].At == st.chunks[chain[i]].At.next(j-i) {
			j++
		}
		if j-i > length && st.chunks[chain[i]].At.Range == r && int(st.chunks[chain[i]].At.N) >= i {
			best, length = i, j-i
		}
		i = j
	}
	start := Place{r, st.chunks[chain[best]].At.N - uint32(best)}
	fits := length > 0
	for i, c := range chain {
		if at := start.next(i); fits && st.chunks[c].At != at && !st.free(at) {
			fits = false
		}
	}
	if !fits {
		start = st.freeRun(r, len(chain))
	}
	for i, c := range chain {
		if to := start.next(i); st.chunks[c].At != to {
			if !st.movable(c) {
				return false
			}
			st.move(c, to, st.chunks[c].Small)
		}
	}
	return true
}

// switches is how often a walk goes from one region to another between small
// groups, per 1,000 frames.
func (st *state) switches() (n uint64) {
	for _, p := range st.pairs {
		if st.nearby(p.a) && st.nearby(p.b) {
			a, b := st.chain[p.a], st.chain[p.b]
			if x, y := st.chunks[a[len(a)-1]].At, st.chunks[b[0]].At; x.Region() != y.Region() || x.Range != y.Range {
				n += p.rate
			}
		}
	}
	return n
}

// nearby tells whether neighbours matter to a group: it is small, and in huge pages.
func (st *state) nearby(g int) bool {
	chain := st.chain[g]
	return len(chain) > 0 && len(chain) <= nearChunksMax && st.chunks[chain[0]].At.Range == arena.Huge
}

// near moves a small group into the region of the one that is used before it,
// if there is room in one run.
func near(st *state) (Action, bool) {
	if !st.whole {
		return Action{}, false
	}
	walks, lost := st.switches(), st.lostInAll()
	tries := 0
	for _, p := range st.pairs {
		if !st.nearby(p.a) || !st.nearby(p.b) || !st.allMovable(p.b) || st.avoided(Near, st.in.Groups[p.b].Name) {
			continue
		}
		a, b := st.chain[p.a], st.chain[p.b]
		home := st.chunks[a[len(a)-1]].At
		first, ok := st.runIn(home, len(b))
		if st.chunks[b[0]].At.Region() == home.Region() || !ok {
			continue
		}
		if tries++; tries > triesMax {
			break
		}
		m := st.mark()
		for i, c := range b {
			st.move(c, first.next(i), st.chunks[c].Small)
		}
		gain := st.gain(m)
		if is := st.switches(); is < walks && st.bytes <= m.bytes && st.lostInAll() <= lost {
			gain.Time = duration((walks - is) * walkNs * Horizon / 1000)
		}
		if paysInTime(gain, st.cost) {
			return st.action(gain, Near, st.in.Groups[p.b].Name,
				fmt.Sprintf("it is used right after %s, which lies in another region", st.in.Groups[p.a].Name)), true
		}
		st.rollback(m)
	}
	return Action{}, false
}

// runIn finds n free places in a row in the region of a place.
func (st *state) runIn(home Place, n int) (Place, bool) {
	first := Place{home.Range, home.Region() * arena.SlotsPerRegion}
	for i, run := 0, 0; i < arena.SlotsPerRegion; i++ {
		if !st.free(first.next(i)) {
			run = 0
		} else if run++; run == n {
			return first.next(i + 1 - n), true
		}
	}
	return Place{}, false
}
