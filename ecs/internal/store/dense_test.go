package store

import (
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// The words of a group that most entities are in are advised to have huge pages as they
// grow, and arrays of a group with few members are not.
func TestDenseWords(t *testing.T) {
	const members = 300_000 // more than the first 2 MiB of words, which never are
	for _, others := range []int{0, members / 2, members + 1000} {
		advised := 0
		h := makeHerd(t, Options{MaxEntities: 1 << 21}, memmgr.Options{Arena: arena.Options{}.WithFault(func(op arena.Op, _ int, _ uint64) error {
			if op == arena.OpAdvise {
				advised++
			}
			return nil
		})}, true)
		a := h.manager.Arena()
		if a.Backend() == arena.Heap {
			t.Skip("no pages here")
		}
		if err := h.both.SpawnBatch(make([]Entity, members), raw.Of(&whole{}), 0); err != nil {
			t.Fatal(err)
		}
		for range others {
			if _, err := h.Spawn(); err != nil {
				t.Fatal(err)
			}
		}
		before := advised
		if err := h.l.owner.Main.prepareEntry(1<<20, 1); err != nil {
			t.Fatal(err)
		}
		want := 0
		if others < members {
			want = 1
		}
		if got := advised - before; got != want {
			t.Errorf("%d members and %d others: huge pages were advised %d times, want %d", members, others, got, want)
		}
	}
}

// Where all indexes are in blocks of others, a group's entities have theirs there, and are
// entered as any that join it.
func TestSpawnFromOthersBlocks(t *testing.T) {
	h := makeHerd(t, Options{MaxEntities: 700}, memmgr.Options{}, true)
	var es []Entity
	for range 700 {
		e, err := h.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		es = append(es, e)
	}
	for i := 0; i < len(es); i += 3 {
		if err := h.Destroy(es[i]); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; i < len(es); i += 3 {
		e, err := h.both.Spawn(raw.Of(&whole{}))
		if err != nil || !h.l.Has(e) {
			t.Fatalf("%v, %v", e, err)
		}
	}
	if err := h.Check(); err != nil {
		t.Fatal(err)
	}
}

// Clear empties the words of thin rows of a component that is changing over, too.
func TestClearWhileChangingOver(t *testing.T) {
	h := makeHerd(t, Options{MaxEntities: 1 << 16}, memmgr.Options{}, false)
	h.opt.stated = false
	b := h.NewBundle([]*Component{h.opt}, []uintptr{0})
	for _, way := range []Way{Thin, Fixed} {
		if h.opt.way != way && !h.Change(h.opt, way) {
			t.Fatal("no change-over")
		}
		if err := b.SpawnBatch(make([]Entity, 5000), raw.Of(&whole{}), 0); err != nil {
			t.Fatal(err)
		}
	}
	if h.opt.thin == nil || h.opt.thin.Seq.Len() != 5000 || h.opt.Len() != 10_000 {
		t.Fatal("values are not in both places")
	}
	h.Clear()
	for w := range h.allWords {
		if err := w.each(func(i uint32, v uint64) error { return fmt.Errorf("word %d is %#x", i, v) }); err != nil {
			t.Error(err)
		}
	}
}
