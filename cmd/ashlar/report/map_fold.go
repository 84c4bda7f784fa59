package report

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/arena"
)

// band is a row of the picture: the slots of some regions that follow each other, cut
// into as many cells as one region has slots.
type band struct {
	rows    []row
	cells   []tile
	striped int // regions
	inUse   int // slots
	bytes   uint64
}

// tile is a cell of a band: neighbouring slots, and the one that stands for them.
type tile struct {
	cell
	of []cell
}

// fold makes bands of each regions; the last band may have fewer. The slots of a
// band are taken in the order of their addresses, so a cell has slots that are neighbours.
func (s *scene) fold(each int) []band {
	bands := make([]band, 0, (len(s.rs)+each-1)/each)
	for at := 0; at < len(s.rs); at += each {
		b := band{rows: s.rs[at:min(at+each, len(s.rs))]}
		cells := make([]cell, 0, len(b.rows)*arena.SlotsPerRegion)
		for _, r := range b.rows {
			cells = append(cells, r.cells[:]...)
			b.inUse += r.inUse
			b.bytes += r.bytes
			if r.Striped {
				b.striped++
			}
		}
		for len(cells) > 0 {
			of := cells[:min(each, len(cells))]
			b.cells, cells = append(b.cells, tile{s.standing(of), of}), cells[len(of):]
		}
		bands = append(bands, b)
	}
	return bands
}

// standing is the cell that stands for some: by heat the hottest, if one is hot, otherwise
// one of the most frequent kind. Of kinds that are as frequent it is the first. Where groups were
// asked for by name, their cells go first, however few they are.
func (s *scene) standing(cells []cell) cell {
	if len(cells) == 1 {
		return cells[0]
	}
	if s.Group != nil {
		var shown []cell
		for _, c := range cells {
			if c.chunk != nil || c.shared != nil {
				shown = append(shown, c)
			}
		}
		if len(shown) > 0 {
			cells = shown
		}
	}
	if s.By == ByHeat {
		hottest := cells[0]
		for _, c := range cells {
			if c.heat() > hottest.heat() {
				hottest = c
			}
		}
		if hottest.heat() > 0 {
			return hottest
		}
	}
	most, counts := cells[0], map[kind]int{}
	for _, c := range cells {
		counts[s.kind(c)]++
	}
	for _, c := range cells {
		if counts[s.kind(c)] > counts[s.kind(most)] {
			most = c
		}
	}
	return most
}

// kind is equal for cells that look alike: their state and, for chunks by group, which group
// of the listed ones, -1 for all others.
type kind struct {
	state state
	group int
}

func (s *scene) kind(c cell) kind {
	if s.By == ByHeat || c.chunk == nil {
		return kind{state: c.state}
	}
	return kind{c.state, s.place(c.chunk.Group)}
}

// place is where a group is listed, or -1.
func (s *scene) place(name string) int {
	if i, ok := s.number[name]; ok && i < len(s.listed) {
		return i
	}
	return -1
}

// like tells whether two bands with the same cells can share a line.
func (b band) like(o band) bool {
	for _, r := range slices.Concat(b.rows, o.rows) {
		if r.Range != b.rows[0].Range {
			return false
		}
	}
	return b.striped == o.striped && b.untouched() == o.untouched()
}

// untouched tells whether no region has memory.
func (b band) untouched() bool {
	for _, r := range b.rows {
		if r.Free&^r.Dirty != 1<<arena.SlotsPerRegion-1 {
			return false
		}
	}
	return true
}

// full is how much of the slots in use of a tile is rows, from 0 to 1.
func (t tile) full() float64 {
	var bytes uint64
	n := 0
	for _, c := range t.of {
		if c.state == used {
			bytes += c.chunk.Bytes
			n++
		}
	}
	return min(1, float64(bytes)/(float64(max(1, n))*arena.SlotBytes))
}

// to names the regions from the first of a band to the last of another.
func (b band) to(last band) string {
	first, end := b.rows[0], last.rows[len(last.rows)-1]
	if first.Range == end.Range {
		return fmt.Sprintf("%d to %d", first.Number, end.Number)
	}
	return fmt.Sprintf("%d to %s %d", first.Number, brief(end.Range), end.Number)
}
