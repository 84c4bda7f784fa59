package ecs_test

import (
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
)

// The model test for queries that see changes. The stream of commands of the model
// is carried out, and between commands some of the queries walk, each at times of its own:
// what has another value than at the query's last walk, or has come since, must be seen. What
// is seen must be the same under all options. Where rows move and nothing is written, nothing
// may be seen.

// watcher is one such query, and the values at its last walk.
type watcher struct {
	name   string
	column int
	added  bool
	also   int // column that entities must have; -1: none
	not    int // and must not have
	len    func() int
	walk   func(yield func(ecs.Entity))
	last   map[ecs.Entity]byte
}

// watchersOf are the queries about the i-th column, of type T.
func watchersOf[T any](w *ecs.World, i int) []*watcher {
	whole := ecs.QueryOf[struct {
		Ents []ecs.Entity
		V    []T
		_    ecs.Changed[T]
	}](w)
	single := ecs.QueryOf[struct {
		Ent ecs.Entity
		V   *T
		_   ecs.Changed[T]
	}](w)
	added := ecs.QueryOf[struct {
		Ents []ecs.Entity
		_    ecs.Added[T]
	}](w)
	filtered := ecs.QueryOf[struct {
		Ents []ecs.Entity
		B    []b4
		_    ecs.Changed[T]
		_    ecs.Without[b1]
	}](w)
	rows := ecs.QueryOf[struct {
		Ents []ecs.Entity
		Rows ecs.Rows
		_    ecs.With[b24]
		_    ecs.Added[T]
	}](w)
	single1 := ecs.QueryOf[struct {
		Ents []ecs.Entity
		V    []T
		_    ecs.ChangedRows[T]
	}](w)
	added1 := ecs.QueryOf[struct {
		Ent ecs.Entity
		_   ecs.With[b24]
		_   ecs.AddedRows[T]
		_   ecs.Without[b1]
	}](w)
	list := []*watcher{
		{name: "single rows", also: -1, not: -1, len: single1.Len, walk: func(yield func(ecs.Entity)) {
			for c := range single1.All() {
				for _, e := range c.Ents {
					yield(e)
				}
			}
		}},
		{name: "single rows added", also: 4, not: 1, added: true, len: added1.Len, walk: func(yield func(ecs.Entity)) {
			for c := range added1.All() {
				yield(c.Ent)
			}
		}},
		{name: "slices", also: -1, not: -1, len: whole.Len, walk: func(yield func(ecs.Entity)) {
			for c := range whole.All() {
				for _, e := range c.Ents {
					yield(e)
				}
			}
		}},
		{name: "pointers", also: -1, not: -1, len: single.Len, walk: func(yield func(ecs.Entity)) {
			for c := range single.All() {
				yield(c.Ent)
			}
		}},
		{name: "added", also: -1, not: -1, added: true, len: added.Len, walk: func(yield func(ecs.Entity)) {
			for c := range added.All() {
				for _, e := range c.Ents {
					yield(e)
				}
			}
		}},
		{name: "filtered", also: 2, not: 1, len: filtered.Len, walk: func(yield func(ecs.Entity)) {
			for c := range filtered.All() {
				for _, e := range c.Ents {
					yield(e)
				}
			}
		}},
		{name: "rows", also: 4, not: -1, added: true, len: rows.Len, walk: func(yield func(ecs.Entity)) {
			for c := range rows.All() {
				for _, row := range c.Rows {
					yield(c.Ents[row])
				}
			}
		}},
	}
	for _, x := range list {
		x.name, x.column, x.last = fmt.Sprintf("%s of %s", x.name, names[i]), i, map[ecs.Entity]byte{}
	}
	return list
}

// matches tells whether an entity is one that the query is about.
func (x *watcher) matches(m *model, e ecs.Entity) bool {
	return m.sees(e, x.column) && (x.also < 0 || m.sees(e, x.also)) && (x.not < 0 || !m.sees(e, x.not))
}

// look walks, and compares the rows seen with the model. It writes the rows to digest.
func (x *watcher) look(m *model, digest io.Writer) (found int) {
	n := x.len()
	saw := map[ecs.Entity]bool{}
	x.walk(func(e ecs.Entity) {
		if !x.matches(m, e) || saw[e] {
			m.failf("%s saw %v, which does not match or was seen before", x.name, e)
		}
		saw[e] = true
		fmt.Fprint(digest, e)
	})
	if n != len(saw) {
		m.failf("%s: Len is %d, and the walk saw %d", x.name, n, len(saw))
	}
	for e, has := range m.alive {
		was, had := x.last[e]
		if v := has[x.column]; x.matches(m, e) && (!had || !x.added && v != was) && !saw[e] {
			m.failf("%s did not see %v, which was %d (had it: %v) and is %d", x.name, e, was, had, v)
		}
	}
	clear(x.last)
	for e, has := range m.alive { // also without a match: they may match later, with another value
		if v, is := has[x.column]; is {
			x.last[e] = v
		}
	}
	return len(saw)
}

// stir moves rows without a change of the i-th column: other components come and go, groups
// are sorted, chunks move.
func (m *model) stir(i int) {
	for range 1 + m.next(8) {
		j := m.next(len(m.columns))
		if e := m.pick(); j != i && m.alive[e] != nil && !m.keeps(e, j) {
			if v, has := m.alive[e][j]; has {
				m.expect("Remove", m.columns[j].pool.Remove(e), nil)
				m.lost(e, j)
				m.expect("Add", m.columns[j].add(e, v), nil)
				m.alive[e][j] = v
			} else {
				m.expect("Add", m.columns[j].add(e, 1), nil)
				m.expect("Remove", m.columns[j].pool.Remove(e), nil)
			}
		}
	}
	backwards := func(a, b ecs.Entity) int { return int(b.Index()) - int(a.Index()) }
	if m.duos != nil && m.next(2) == 0 {
		m.duos.Sort(backwards)
	}
	if m.trios != nil && m.next(2) == 0 {
		m.trios.Sort(backwards)
	}
	m.w.Manager().Advance()
	m.expect("SafePoint", m.w.Manager().SafePoint(), nil)
}

// watchers are the queries about some of the columns.
func (m *model) watchers() []*watcher {
	return slices.Concat(watchersOf[tag0](m.w, 0), watchersOf[b16](m.w, 3), watchersOf[b8K](m.w, 5), watchersOf[far](m.w, 6))
}

// watch is play with watchers. It returns the digest of the rows that they saw.
func watch(t *testing.T, o ecs.Options, next func(int) int, n, crowd int) uint64 {
	m := newModel(t, o, next)
	m.systems()
	watchers := m.watchers()
	digest := fnv.New64a()
	frames := uint64(0)
	for range n {
		m.step(crowd)
		for ; frames < m.w.Frame(); frames++ {
			m.frame()
		}
		m.watch(watchers[m.next(len(watchers))], digest)
	}
	m.compare()
	if err := m.w.Close(); err != nil {
		t.Fatal(err)
	}
	return digest.Sum64()
}

// watch has a watcher look, sometimes twice: the second time after rows have moved.
func (m *model) watch(x *watcher, digest io.Writer) {
	if m.next(4) != 0 {
		return
	}
	x.look(m, digest)
	if m.next(3) != 0 {
		return
	}
	m.stir(x.column)
	if found := x.look(m, digest); found > 0 {
		m.failf("%s saw %d entities that had moved at most", x.name, found)
	}
}

func TestModelChanged(t *testing.T) {
	t.Parallel()
	streams := 16
	if testing.Short() {
		streams = 3
	}
	if race.Enabled {
		streams = 1
	}
	alike(t, streams, fewer(variants()), func(seed uint64, o ecs.Options) uint64 {
		crowd := 20
		if seed%3 == 2 {
			crowd = 400
		}
		return watch(t, o, rand.New(rand.NewPCG(seed, 7)).IntN, 2000, crowd)
	})
}
