package store

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

type (
	left  struct{ V [3]uint32 }
	right struct{ V [2]uint64 }
	both  struct {
		L left
		R right
	}
	// whole is all that an entity of a herd can have.
	whole struct {
		both
		Opt  [3]byte
		Thin [33]byte
		More uint64
		Own  [24]byte
	}
)

// herd is a store with components of all ways, and a group of l and r with own as an
// optional one if it is declared.
type herd struct {
	*Store
	comps                         []*Component
	l, r, opt, thin, more, ownOpt *Component
	both, whole                   *Bundle
}

// placed are the forms that records and words come in.
func placed() map[string]Options {
	return map[string]Options{
		"nothing moves":       {MaxEntities: 1 << 16},
		"first in, first out": {MaxEntities: 1 << 16, FIFO: true},
		"all moves":           {MaxEntities: 1 << 16},
		"little space":        {MaxEntities: 1 << 18},
	}
}

func memoryOf(form string) memmgr.Options {
	switch form {
	case "all moves":
		return memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}
	case "little space": // 4 MiB for arrays
		return memmgr.Options{Arena: arena.Options{SmallPages: true, Reserve: 8 << 20}}
	}
	return memmgr.Options{}
}

func newHerd(t testing.TB, form string, grouped bool) *herd {
	return makeHerd(t, placed()[form], memoryOf(form), grouped)
}

func makeHerd(t testing.TB, o Options, memory memmgr.Options, grouped bool) *herd {
	m, err := memmgr.New(memory)
	if err != nil {
		t.Fatal(err)
	}
	o.Tag = 10 // Mark's
	h := &herd{Store: New(m, o)}
	var v whole
	var at []uintptr
	register := func(name string, size, offset uintptr, way Way) *Component {
		c := new(Component)
		h.Register(c, name, chunk.Spec{Size: uint32(size), Align: 1}, way, true)
		h.comps, at = append(h.comps, c), append(at, offset)
		return c
	}
	off := func(p raw.Ptr) uintptr { return uintptr(p) - uintptr(raw.Of(&v)) }
	h.l = register("l", 12, off(raw.Of(&v.L)), Fixed)
	h.r = register("r", 16, off(raw.Of(&v.R)), Fixed)
	h.opt = register("opt", 3, off(raw.Of(&v.Opt)), Optional)
	h.thin = register("thin", 33, off(raw.Of(&v.Thin)), Thin)
	h.more = register("more", 8, off(raw.Of(&v.More)), Fixed)
	h.ownOpt = register("own", 24, off(raw.Of(&v.Own)), Optional)
	h.both, h.whole = h.NewBundle(h.comps[:2], at[:2]), h.NewBundle(h.comps, at)
	if grouped {
		if _, err := h.Declare("both", []*Component{h.l, h.r}, []*Component{h.ownOpt}); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if err := errors.Join(h.Check(), m.Close()); err != nil {
			t.Error(err)
		}
	})
	return h
}

// members are the entities that have both, in the order of their rows.
func (h *herd) members() (es []Entity) {
	for _, t := range h.l.tables {
		for id, n := range t.Seq.Chunks() {
			es = append(es, h.Entities(id, n)...)
		}
	}
	return es
}

// rows is all rows of all tables that have some: their entities and values, and
// with the stamps of each column of each chunk, if asked for.
func (h *herd) rows(stamps bool) (lines []string) {
	for t := range h.Tables() {
		for i := range t.Seq.ChunkCount() {
			id, n := t.Seq.Chunk(i)
			text := append([]byte(t.Seq.Name()), raw.Slice[byte](h.IDs.Addr(id), n*8)...)
			stamp := func(d *memmgr.Directory) {
				if stamps {
					text = fmt.Append(text, "@", d.Cell(id).Stamp)
				}
			}
			stamp(&h.IDs)
			for _, c := range t.fixed {
				text = append(text, raw.Slice[byte](c.Dir.Addr(id), n*int(c.Size))...)
				stamp(&c.Dir)
			}
			for _, x := range t.opts {
				for row := range n {
					if l := h.locAt(id, row); x.has(t.bit(l)) {
						text = append(append(text, 1), raw.Slice[byte](x.C.At(l), int(x.C.Size))...)
					} else {
						text = append(text, 0)
					}
				}
				stamp(&x.C.Dir)
			}
			lines = append(lines, string(text))
		}
	}
	return lines
}

// same compares all that can be seen of two herds; the order of free indexes shows in the
// handles that come next.
func (h *herd) same(o *herd, stamps bool) error {
	if h.Len() != o.Len() || h.ids.Bound() != o.ids.Bound() {
		return fmt.Errorf("%d entities up to %d, want %d up to %d", h.Len(), h.ids.Bound(), o.Len(), o.ids.Bound())
	}
	if got, want := h.rows(stamps), o.rows(stamps); !slices.Equal(got, want) {
		for i := range got {
			if i >= len(want) || got[i] != want[i] {
				return fmt.Errorf("other rows:\n%.400q\nwant\n%.400q", got[i], want[min(i, len(want)-1)])
			}
		}
		return fmt.Errorf("%d rows in chunks, want %d", len(got), len(want))
	}
	return h.Check()
}

// alike is same but for the order of rows, which checkOrder looks at.
func (h *herd) alike(o *herd) error {
	if h.Len() != o.Len() || h.ids.Bound() != o.ids.Bound() {
		return fmt.Errorf("%d entities up to %d, want %d up to %d", h.Len(), h.ids.Bound(), o.Len(), o.ids.Bound())
	}
	got, want := h.content(), o.content()
	for e, text := range want {
		if got[e] != text {
			return fmt.Errorf("%v has %q, want %q", e, got[e], text)
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d entities, want %d", len(got), len(want))
	}
	tables := maps.Collect(func(yield func(string, int) bool) {
		for t := range o.Tables() {
			if !yield(t.Seq.Name(), t.Seq.Len()) {
				return
			}
		}
	})
	for t := range h.Tables() {
		if t.Seq.Len() != tables[t.Seq.Name()] {
			return fmt.Errorf("table %q has %d rows, want %d", t.Seq.Name(), t.Seq.Len(), tables[t.Seq.Name()])
		}
	}
	return h.Check()
}

// order is the entities of each table, chunk by chunk.
func (h *herd) order() map[*Table][]Entity {
	order := make(map[*Table][]Entity)
	for t := range h.Tables() {
		order[t] = t.All().Entities(nil)
	}
	return order
}

// checkOrder compares the order of rows after a change of the entities of a list with the order that is
// promised: see gaps. Chunks whose rows have changed since say so.
func (h *herd) checkOrder(was map[*Table][]Entity, list []Entity) error {
	for t := range h.Tables() {
		got := t.All().Entities(nil)
		stays := make(map[Entity]bool)
		for _, e := range got {
			stays[e] = true
		}
		want := closed(was[t], func(e Entity) bool { return !stays[e] })
		for _, e := range list {
			if stays[e] && !slices.Contains(want, e) {
				want = append(want, e)
			}
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("table %q: rows are those of %v, want %v", t.Seq.Name(), got, want)
		}
		for i := range t.Seq.ChunkCount() {
			id, n := t.Seq.Chunk(i)
			from := i * t.Seq.Capacity()
			same := from+n <= len(was[t]) && slices.Equal(h.Entities(id, n), was[t][from:from+n])
			if !same && h.IDs.Cell(id).Stamp != h.manager.Tick() {
				return fmt.Errorf("table %q: the rows of chunk %d are others, and its stamp is %d in tick %d", t.Seq.Name(), i, h.IDs.Cell(id).Stamp, h.manager.Tick())
			}
		}
	}
	return nil
}

// closed is the plainest way to close holes as gaps does.
func closed(rows []Entity, gone func(Entity) bool) []Entity {
	first, n := slices.IndexFunc(rows, gone), 0
	for _, e := range rows {
		if gone(e) {
			n++
		}
	}
	rows = slices.Clone(rows)
	if n == 0 || packs(n, len(rows)-first) {
		return slices.DeleteFunc(rows, gone)
	}
	for end := len(rows); end > 0; end-- { // the last run first, each from its first row on
		if !gone(rows[end-1]) {
			continue
		}
		at := end - 1
		for at > 0 && gone(rows[at-1]) {
			at--
		}
		for i := range end - at {
			last := len(rows) - 1
			rows[at+i] = rows[last]
			rows = rows[:last]
		}
		end = at + 1
	}
	return rows
}

// rounds is how many rounds a test has: fewer in race builds.
func rounds(n int) int {
	if race.Enabled {
		return n / 5
	}
	return n
}

// forms are the names of placed, in order.
func forms() []string { return slices.Sorted(maps.Keys(placed())) }

// The forms are as they are called, or the tests test less than they say.
func TestPlaced(t *testing.T) {
	for name, reserved := range map[string]bool{"nothing moves": true, "first in, first out": true, "all moves": false, "little space": false} {
		h := newHerd(t, name, false)
		if err := h.whole.SpawnBatch(make([]Entity, 3), raw.Of(&whole{}), 0); err != nil {
			t.Fatal(err)
		}
		if name != "all moves" && h.manager.Arena().Backend() != arena.OS {
			t.Skip("no address space is reserved in this build: all arrays move, and that is tested above")
		}
		if got := h.thin.own.array.Reserved(); got != reserved {
			t.Errorf("%s: words are reserved: %v, want %v", name, got, reserved)
		}
	}
}
