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

// By is the key of a sort: the values of a component, or entities.
type By[T any] struct {
	// Name is its name in messages.
	Name string
	// Comp is the component; nil: entities.
	Comp *store.Component
	// Compare compares two values, and must not change them.
	Compare func(a, b *T) int
	// Key is asked for a value's key in place of Compare: less keys are first.
	Key func(v *T) uint64
}

// Sort sorts the first n rows of a table, which must have a column of the component; rows
// that lack it follow the others. Rows that are equal stay as they are. Nothing may change
// while rows are compared. After a panic of the comparison, rows are as they were.
func Sort[T any](b *walk.Base, t *store.Table, by By[T], n int, way Way) {
	n = min(n, t.Seq.Len())
	if t.KeepOrder(); n < 2 {
		return
	}
	s := &sorting[T]{By: by, t: t, n: n, capacity: t.Seq.Capacity(), dir: &b.S.IDs}
	if by.Comp != nil {
		s.dir = &by.Comp.Dir
	}
	if by.Key != nil {
		s.Compare = func(a, b *T) int { return cmp.Compare(by.Key(a), by.Key(b)) }
	}
	defer b.Walks.End(b.Walks.Begin(by.Name))
	s.sort(way)
}

// sorting is a Sort under way.
type sorting[T any] struct {
	By[T]
	t        *store.Table
	n        int // rows to sort
	dir      *memmgr.Directory
	capacity int
	permuter store.Permuter
	values   []T // of the chunk that at was in last
	from     int // its first row
}

func (s *sorting[T]) sort(way Way) {
	if x := s.opt(); x != nil && x.Count < s.t.Seq.Len() { // some values are not there
		s.permute()
		return
	}
	var kept, dropped []uint32
	switch way {
	case Auto:
		f := found{rows: s.n, dropped: s.n, bytes: s.n * s.scratch()}
		kept, dropped = s.split(nearly(s.n))
		f.dropped = len(dropped)
		way = choose(f)
	case InPlace:
		kept, dropped = s.split(s.n)
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
func (s *sorting[T]) opt() *store.Opt {
	if s.Comp == nil {
		return nil
	}
	return s.t.Opt(s.Comp)
}

// at is the value of a row.
func (s *sorting[T]) at(row int) *T {
	if i := uint(row - s.from); i < uint(len(s.values)) {
		return &s.values[i]
	}
	return s.far(row)
}

// far is at for a row of another chunk.
func (s *sorting[T]) far(row int) *T {
	id, n := s.t.Seq.Chunk(row / s.capacity)
	s.values, s.from = raw.Slice[T](s.dir.Addr(id), n), row/s.capacity*s.capacity
	return &s.values[row-s.from]
}

// recency is how many rows are dropped, one after the other, before the row that they are
// less than is dropped in their place. With 2, rows with few of them far from their places take
// three times as long (BenchmarkSort).
const recency = 8

// split finds rows that are in order, kept, without which the others, dropped, are few: the
// least number that could be, or somewhat more. It ends early if more than most are dropped. Where
// all rows are in order, it returns none of either. It compares each row once or twice.
func (s *sorting[T]) split(most int) (kept, dropped []uint32) {
	i := 1
	top := s.at(0)
	for i < s.n {
		v := s.at(i)
		if s.Compare(top, v) > 0 {
			break
		}
		top, i = v, i+1
	}
	if i == s.n {
		return nil, nil
	}
	kept = make([]uint32, 0, s.n)
	for row := range i {
		kept = append(kept, uint32(row))
	}
	for late := 0; i < s.n && len(dropped) <= most; i++ {
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
func (s *sorting[T]) inPlace(kept, dropped []uint32) {
	if len(dropped) == 0 {
		return
	}
	slices.Sort(dropped)
	items := make([]item[*T], len(dropped))
	for i, row := range dropped {
		items[i] = item[*T]{s.at(int(row)), row}
	}
	mergeSort(items, make([]item[*T], len(items)/2), func(a, b **T) int { return s.Compare(*a, *b) })
	rows, moved := make([]uint32, 0, s.n), 0
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
	if moved <= 2*nearly(s.n) { // few changed places: swaps are cheaper than going over the columns
		s.t.Cycle(rows)
	} else {
		s.permuter.Permute(s.t, 0, rows)
	}
}

// inlineMost is the size of values that are copied to be sorted: with its row, one fits into a
// cache line. Larger values are compared in place.
const inlineMost = chunk.Line / 2

// scratch is how much memory permute takes for a row, about.
func (s *sorting[T]) scratch() int {
	widest := s.t.Widest()
	switch {
	case s.Key != nil:
		return 4 + max(16, widest)
	case raw.Size[T]() <= inlineMost:
		return 4 + max(int(raw.Size[item[T]]())*3/2, widest)
	}
	return 4 + 16*3/2 + widest
}

// permute sorts copies, and brings rows into their order.
func (s *sorting[T]) permute() {
	var rows []uint32
	x := s.opt()
	if x != nil && x.Count == s.t.Seq.Len() {
		x = nil
	}
	switch {
	case s.Key != nil:
		room := s.room(16 * s.n)
		keys := room[:0:s.n]
		at := s.each(x, func(values []T, _ uint32) {
			for i := range values {
				keys = append(keys, s.Key(&values[i]))
			}
		})
		rows = byKeys(keys, room[s.n:][:len(keys)])
		if at != nil {
			for i, k := range rows {
				rows[i] = at[k]
			}
		}
	case raw.Size[T]() <= inlineMost:
		size := int(raw.Size[item[T]]())
		room := raw.Data(s.room(size * (s.n + s.n/2)))
		items := raw.Slice[item[T]](room, s.n)[:0]
		s.each(x, func(values []T, row uint32) {
			for i := range values {
				items = append(items, item[T]{values[i], row + uint32(i)})
			}
		})
		rows = sorted(items, raw.Slice[item[T]](raw.At(room, uintptr(size*s.n)), s.n/2), s.Compare)
	default:
		items := make([]item[*T], 0, s.n)
		s.each(x, func(values []T, row uint32) {
			for i := range values {
				items = append(items, item[*T]{&values[i], row + uint32(i)})
			}
		})
		rows = sorted(items, make([]item[*T], s.n/2), func(a, b **T) int { return s.Compare(*a, *b) })
	}
	if len(rows) < s.n {
		for row := range uint32(s.n) {
			if !s.t.Present(x, int(row)) {
				rows = append(rows, row)
			}
		}
	}
	s.permuter.Permute(s.t, 0, rows)
}

// each calls f with all values, some side by side, and the row of the first of these. It
// returns the rows, if some have none: x says which, and is nil if all have one.
func (s *sorting[T]) each(x *store.Opt, f func(values []T, row uint32)) (rows []uint32) {
	row := 0
	for id, n := range s.t.Seq.Chunks() {
		if n = min(n, s.n-row); n == 0 {
			break
		}
		values := raw.Slice[T](s.dir.Addr(id), n)
		if x == nil {
			f(values, uint32(row))
			row += n
			continue
		}
		for i := range values {
			if s.t.Present(x, row) {
				f(values[i:i+1], uint32(row))
				rows = append(rows, uint32(row))
			}
			row++
		}
	}
	return rows
}

// room is memory of so many bytes for keys, and after that for columns that are
// copied. New memory has to be cleared and mapped, which costs as much as a pass over it.
func (s *sorting[T]) room(bytes int) []uint64 {
	room := make([]uint64, (max(bytes, s.n*s.t.Widest())+7)/8)
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
func (s *sorting[T]) mixed() {
	done := false
	defer func() {
		if !done {
			s.t.Restore(s.n)
		}
	}()
	sort.Sort(entries[T]{s})
	done = true
	s.t.Follow(s.n)
}

// entries is a sorting for package sort: by the rows that the entities' entries name.
type entries[T any] struct{ s *sorting[T] }

func (x entries[T]) Len() int { return x.s.n }

func (x entries[T]) Swap(i, j int) { x.s.t.Exchange(i, j) }

func (x entries[T]) Less(i, j int) bool {
	t := x.s.t
	a, b := t.EntityOf(i), t.EntityOf(j)
	if c := x.s.Compare(x.value(i, a), x.value(j, b)); c != 0 {
		return c < 0
	}
	return t.RowOf(a) < t.RowOf(b)
}

// value is the value that the entry of an entity names. It is noted for row i.
func (x entries[T]) value(i int, e store.Entity) *T {
	if x.s.Comp == nil {
		return x.s.at(i)
	}
	return x.s.at(x.s.t.RowOf(e))
}
