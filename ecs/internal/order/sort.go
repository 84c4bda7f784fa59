package order

import (
	"cmp"
	"slices"
	"sort"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// By is the key of a sort: the values of a component, or entities. Functions take addresses of values, so
// that this package is compiled once and not for each component.
type By struct {
	// Name is its name in messages.
	Name string
	// Comp is the component; nil: entities.
	Comp *store.Component
	// Size is the bytes of a value.
	Size uintptr
	// Compare compares two values, and must not change them.
	Compare func(a, b raw.Ptr) int
	// Key is asked for a value's key in place of Compare: less keys are first.
	Key func(v raw.Ptr) uint64
}

// Sort sorts the first n rows of a table, which must have a column of the component; rows
// that lack it follow the others. Rows that are equal stay as they are. Nothing may change
// while rows are compared. After a panic of the comparison, rows are as they were.
func Sort(b *walk.Base, t *store.Table, by By, n int, way Way) {
	n = min(n, t.Seq.Len())
	if t.KeepOrder(); n < 2 {
		return
	}
	s := &sorting{By: by, table: t, count: n, capacity: t.Seq.Capacity(), dir: &b.Store.IDs}
	if by.Comp != nil {
		s.dir = &by.Comp.Dir
	}
	if by.Key != nil {
		s.Compare = func(a, b raw.Ptr) int { return cmp.Compare(by.Key(a), by.Key(b)) }
	}
	defer b.Walks.End(b.Walks.Begin(by.Name))
	s.sort(way)
}

// sorting is a Sort under way. Only far changes the last three fields, the chunk that at was in last; the others stay.
type sorting struct {
	By
	table    *store.Table
	count    int // rows to sort
	dir      *memmgr.Directory
	capacity int
	permuter store.Permuter
	values   raw.Ptr // of the chunk that at was in last
	from     int     // its first row
	rows     int     // and how many it has
}

func (s *sorting) sort(way Way) {
	if x := s.opt(); x != nil && x.Count < s.table.Seq.Len() { // some values are not there
		s.permute()
		return
	}
	var kept, dropped []uint32
	switch way {
	case Auto:
		f := found{rows: s.count, dropped: s.count, bytes: s.count * s.scratch()}
		kept, dropped = s.split(nearly(s.count))
		f.dropped = len(dropped)
		way = choose(f)
	case InPlace:
		kept, dropped = s.split(s.count)
	}
	switch way {
	case InPlace:
		s.inPlace(kept, dropped)
	case Permute:
		s.permute()
	case Mixed:
		s.mixed()
	}
}

// opt is the table's record of the component if it is optional there.
func (s *sorting) opt() *store.Opt {
	if s.Comp == nil {
		return nil
	}
	return s.table.Opt(s.Comp)
}

// at is the value of a row.
func (s *sorting) at(row int) raw.Ptr {
	if i := uint(row - s.from); i < uint(s.rows) {
		return raw.At(s.values, uintptr(i)*s.Size)
	}
	return s.far(row)
}

// far is at for a row of another chunk.
func (s *sorting) far(row int) raw.Ptr {
	id, n := s.table.Seq.Chunk(row / s.capacity)
	s.values, s.from, s.rows = s.dir.Addr(id), row/s.capacity*s.capacity, n
	return raw.At(s.values, uintptr(row-s.from)*s.Size)
}

// recency is how many rows are dropped, one after the other, before the row that they are
// less than is dropped in their place. With 2, rows with few of them far from their places take
// three times as long (BenchmarkSort).
const recency = 8

// split finds rows that are in order, kept, without which the others, dropped, are few: the
// least number that could be, or somewhat more. It ends early if more than most are dropped. Where
// all rows are in order, it returns none of either. It compares each row once or twice.
func (s *sorting) split(most int) (kept, dropped []uint32) {
	i := 1
	top := s.at(0)
	for i < s.count {
		v := s.at(i)
		if s.Compare(top, v) > 0 {
			break
		}
		top, i = v, i+1
	}
	if i == s.count {
		return nil, nil
	}
	kept = make([]uint32, 0, s.count)
	for row := range i {
		kept = append(kept, uint32(row))
	}
	for late := 0; i < s.count && len(dropped) <= most; i++ {
		v := s.at(i)
		n := len(kept)
		switch {
		case n == 0 || s.Compare(top, v) <= 0: // as it should be
		case late == 0 && (n == 1 || s.Compare(s.at(int(kept[n-2])), v) <= 0): // the last one is too large
			dropped, kept = append(dropped, kept[n-1]), kept[:n-1]
		case late < recency:
			dropped = append(dropped, uint32(i))
			late++
			continue
		default: // so many are not too small: the row before them is too large
			dropped = dropped[:len(dropped)-late]
			for row := i - late; row < i; row++ {
				if s.Compare(v, s.at(row)) < 0 {
					v = s.at(row)
				}
			}
			for n > 0 && s.Compare(s.at(int(kept[n-1])), v) > 0 {
				dropped, n = append(dropped, kept[n-1]), n-1
			}
			if kept = kept[:n]; n > 0 {
				top = s.at(int(kept[n-1]))
			}
			i, late = i-late-1, 0
			continue
		}
		kept, top, late = append(kept, uint32(i)), v, 0
	}
	return kept, dropped
}

// inPlace sorts the dropped rows, and merges them with the others.
func (s *sorting) inPlace(kept, dropped []uint32) {
	if len(dropped) == 0 {
		return
	}
	slices.Sort(dropped)
	items := make([]item[raw.Ptr], len(dropped))
	for i, row := range dropped {
		items[i] = item[raw.Ptr]{s.at(int(row)), row}
	}
	mergeSort(items, make([]item[raw.Ptr], len(items)/2), func(a, b *raw.Ptr) int { return s.Compare(*a, *b) })
	rows, moved := make([]uint32, 0, s.count), 0
	for _, x := range items {
		n := sort.Search(len(kept), func(i int) bool {
			c := s.Compare(s.at(int(kept[i])), x.v)
			return c > 0 || c == 0 && kept[i] > x.row
		})
		rows, kept = append(rows, kept[:n]...), kept[n:]
		rows = append(rows, x.row)
	}
	rows = append(rows, kept...)
	for i, row := range rows {
		if row != uint32(i) {
			moved++
		}
	}
	if moved <= 2*nearly(s.count) { // few changed places: swaps are cheaper than going over the columns
		s.table.Cycle(rows)
	} else {
		s.permuter.Permute(s.table, 0, rows)
	}
}

// inlineMost is the size of values that are copied to be sorted: with its row, one fits into a
// cache line. Larger values are compared in place.
const inlineMost = chunk.Line / 2

// scratch is how much memory permute takes for a row, about.
func (s *sorting) scratch() int {
	widest := s.table.Widest()
	switch {
	case s.Key != nil:
		return 4 + max(16, widest)
	case s.Size <= inlineMost:
		return 4 + max((int(s.Size)+4)*3/2, widest)
	}
	return 4 + 16*3/2 + widest
}

// permute sorts copies, and brings rows into their order.
func (s *sorting) permute() {
	x := s.opt()
	if x != nil && x.Count == s.table.Seq.Len() {
		x = nil
	}
	var rows []uint32
	switch {
	case s.Key != nil:
		rows = s.keyed(x)
	case s.Size <= raw.Size[[1]uint32]():
		rows = copied[[1]uint32](s, x)
	case s.Size <= raw.Size[[1]uint64]():
		rows = copied[[1]uint64](s, x)
	case s.Size <= raw.Size[[3]uint32]():
		rows = copied[[3]uint32](s, x)
	case s.Size <= raw.Size[[2]uint64]():
		rows = copied[[2]uint64](s, x)
	case s.Size <= raw.Size[[3]uint64]():
		rows = copied[[3]uint64](s, x)
	case s.Size <= inlineMost:
		rows = copied[[inlineMost / 8]uint64](s, x)
	default:
		items := make([]item[raw.Ptr], 0, s.count)
		s.each(x, func(values raw.Ptr, n int, row uint32) {
			for i := range uintptr(n) {
				items = append(items, item[raw.Ptr]{raw.At(values, i*s.Size), row + uint32(i)})
			}
		})
		rows = sorted(items, make([]item[raw.Ptr], s.count/2), func(a, b *raw.Ptr) int { return s.Compare(*a, *b) })
	}
	if len(rows) < s.count {
		for row := range uint32(s.count) {
			if !s.table.Present(x, int(row)) {
				rows = append(rows, row)
			}
		}
	}
	s.permuter.Permute(s.table, 0, rows)
}

// keyed is the rows in the order of their keys. Rows without a value are left out: x says which.
func (s *sorting) keyed(x *store.Opt) []uint32 {
	room := s.room(16 * s.count)
	keys := room[:0:s.count]
	at := s.each(x, func(values raw.Ptr, n int, _ uint32) {
		for i := range uintptr(n) {
			keys = append(keys, s.Key(raw.At(values, i*s.Size)))
		}
	})
	rows := byKeys(keys, room[s.count:][:len(keys)])
	if at != nil {
		for i, k := range rows {
			rows[i] = at[k]
		}
	}
	return rows
}

// copied is the rows in the order of their values. These are copied into a V each, the least of a few that has
// room for one and lies as it has to.
func copied[V any](s *sorting, x *store.Opt) []uint32 {
	size := int(raw.Size[item[V]]())
	room := raw.Data(s.room(size * (s.count + s.count/2)))
	items := raw.Slice[item[V]](room, s.count)[:0]
	whole := s.Size == raw.Size[V]()
	s.each(x, func(values raw.Ptr, n int, row uint32) {
		if whole {
			for i, v := range raw.Slice[V](values, n) {
				items = append(items, item[V]{v, row + uint32(i)})
			}
			return
		}
		for i := range uintptr(n) {
			items = append(items, item[V]{row: row + uint32(i)})
			raw.Copy(raw.Of(&items[len(items)-1].v), raw.At(values, i*s.Size), s.Size)
		}
	})
	tmp := raw.Slice[item[V]](raw.At(room, uintptr(size*s.count)), s.count/2)
	return sorted(items, tmp, func(a, b *V) int { return s.Compare(raw.Of(a), raw.Of(b)) })
}

// each calls f with the address of all values, some side by side, how many these are, and the row of the first.
// It returns the rows, if some have none: x says which, and is nil if all have one.
func (s *sorting) each(x *store.Opt, f func(values raw.Ptr, n int, row uint32)) (rows []uint32) {
	row := 0
	for id, n := range s.table.Seq.Chunks() {
		if n = min(n, s.count-row); n == 0 {
			break
		}
		values := s.dir.Addr(id)
		if x == nil {
			f(values, n, uint32(row))
			row += n
			continue
		}
		for i := range uintptr(n) {
			if s.table.Present(x, row) {
				f(raw.At(values, i*s.Size), 1, uint32(row))
				rows = append(rows, uint32(row))
			}
			row++
		}
	}
	return rows
}

// room is memory of so many bytes for keys, and after that for columns that are
// copied. New memory has to be cleared and mapped, which costs as much as a pass over it.
func (s *sorting) room(bytes int) []uint64 {
	room := make([]uint64, (max(bytes, s.count*s.table.Widest())+7)/8)
	s.permuter.Use(room)
	return room
}

// sorted is the rows of items in their order. Tmp has room for half of them.
func sorted[V any](items, tmp []item[V], compare func(a, b *V) int) []uint32 {
	mergeSort(items, tmp, compare)
	rows := make([]uint32, len(items))
	for i := range items {
		rows[i] = items[i].row
	}
	return rows
}

// mixed sorts the entities of rows, and has values follow.
func (s *sorting) mixed() {
	done := false
	defer func() {
		if !done {
			s.table.Restore(s.count)
		}
	}()
	sort.Sort(entries{s})
	done = true
	s.table.Follow(s.count)
}

// entries is a sorting for package sort: by the rows that the entities' entries name.
type entries struct{ s *sorting }

func (x entries) Len() int { return x.s.count }

func (x entries) Swap(i, j int) { x.s.table.Exchange(i, j) }

func (x entries) Less(i, j int) bool {
	t := x.s.table
	a, b := t.EntityOf(i), t.EntityOf(j)
	if c := x.s.Compare(x.value(i, a), x.value(j, b)); c != 0 {
		return c < 0
	}
	return t.RowOf(a) < t.RowOf(b)
}

// value is the value that the entry of an entity names. It is noted for row i.
func (x entries) value(i int, e store.Entity) raw.Ptr {
	if x.s.Comp == nil {
		return x.s.at(i)
	}
	return x.s.at(x.s.table.RowOf(e))
}
