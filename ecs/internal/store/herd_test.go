package store

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/internal/arena"
	"github.com/ashlar-go/ashlar/internal/arena/race"
	"github.com/ashlar-go/ashlar/internal/chunk"
	"github.com/ashlar-go/ashlar/internal/memmgr"
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
		return memmgr.Options{NoHugePages: true, Arena: arena.Options{Reserve: 8 << 20}}
	}
	return memmgr.Options{}
}

func newHerd(t *testing.T, form string, grouped bool) *herd {
	return makeHerd(t, placed()[form], memoryOf(form), grouped)
}

func makeHerd(t *testing.T, o Options, memory memmgr.Options, grouped bool) *herd {
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

// members are those that have both, in the order of their rows.
func (h *herd) members() (es []Entity) {
	for _, t := range h.l.tables {
		for id, n := range t.Seq.Chunks() {
			es = append(es, h.Entities(id, n)...)
		}
	}
	return es
}

// rows is all rows of all tables that have some: whose they are and what they hold, and
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

// rounds is how many rounds a test has: fewer in race builds.
func rounds(n int) int {
	if race.Enabled {
		return n / 5
	}
	return n
}

// forms are the names of placed, in order.
func forms() []string { return slices.Sorted(maps.Keys(placed())) }

// The forms are what they are called, or the tests test less than they say.
func TestPlaced(t *testing.T) {
	for name, reserved := range map[string]bool{"nothing moves": true, "first in, first out": true, "all moves": false, "little space": false} {
		h := newHerd(t, name, false)
		if err := h.whole.SpawnBatch(make([]Entity, 3), raw.Of(&whole{}), 0); err != nil {
			t.Fatal(err)
		}
		if name != "all moves" && h.m.Arena().Backend() != arena.OS {
			t.Skip("no address space is reserved in this build: all arrays move, and that is tested above")
		}
		if got := [2]bool{h.Commons.words.array.Reserved(), h.thin.own.array.Reserved()}; got != [2]bool{reserved, reserved} {
			t.Errorf("%s: words are reserved: %v, want %v", name, got, reserved)
		}
	}
}
