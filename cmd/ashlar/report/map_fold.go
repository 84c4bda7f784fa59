package report

import (
	"cmp"
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
	var bands []band
	for rows := range slices.Chunk(s.rs, each) {
		var b band
		b.add(rows)
		var cells []cell
		for _, r := range rows {
			cells = append(cells, r.cells[:]...)
		}
		for of := range slices.Chunk(cells, each) {
			b.cells = append(b.cells, tile{s.standing(of), of})
		}
		bands = append(bands, b)
	}
	return bands
}

func (b *band) add(rows []row) {
	b.rows = append(b.rows, rows...)
	for _, r := range rows {
		b.inUse += r.inUse
		b.bytes += r.bytes
		if r.Striped {
			b.striped++
		}
	}
}

// standing is the cell that stands for some: by heat the hottest, if one is hot, otherwise
// one of the most frequent kind. Of kinds that are as frequent it is the first. Where groups were
// asked for by name, their cells go first, however few they are.
func (s *scene) standing(cells []cell) cell {
	if len(cells) == 1 {
		return cells[0]
	}
	if s.Group != nil {
		if shown := slices.DeleteFunc(slices.Clone(cells), func(c cell) bool { return len(c.chunks) == 0 }); len(shown) > 0 {
			cells = shown
		}
	}
	if s.By == ByHeat {
		if hottest := slices.MaxFunc(cells, func(a, b cell) int { return cmp.Compare(a.heat(), b.heat()) }); hottest.heat() > 0 {
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
	if s.By == ByHeat || c.state != used && c.state != spare {
		return kind{state: c.state}
	}
	return kind{c.state, s.place(c.chunks[0].Group)}
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
	return b.commonRange() != "" && b.commonRange() == o.commonRange() && b.striped == o.striped && b.untouched() == o.untouched()
}

// commonRange is the range of all regions; "" if there are several.
func (b band) commonRange() string {
	if slices.ContainsFunc(b.rows, func(r row) bool { return r.Range != b.rows[0].Range }) {
		return ""
	}
	return b.rows[0].Range
}

// untouched tells whether no region has memory.
func (b band) untouched() bool {
	return !slices.ContainsFunc(b.rows, func(r row) bool { return r.Free&^r.Dirty != 1<<arena.SlotsPerRegion-1 })
}

// full is how much of the slots in use of a tile is rows, from 0 to 1.
func (t tile) full() float64 {
	var bytes uint64
	n := 0
	for _, c := range t.of {
		if c.state == used {
			bytes += c.chunks[0].Bytes
			n++
		}
	}
	return min(1, float64(bytes)/(float64(max(1, n))*arena.SlotBytes))
}

// numbers names the regions, from the first to the last one.
func (b band) numbers() string {
	first, last := b.rows[0], b.rows[len(b.rows)-1]
	switch {
	case len(b.rows) == 1:
		return fmt.Sprint(first.Number)
	case first.Range == last.Range:
		return fmt.Sprintf("%d to %d", first.Number, last.Number)
	}
	return fmt.Sprintf("%d to %s %d", first.Number, brief(last.Range), last.Number)
}
