package store

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/tune"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Warm loads the record of each entity, and its word of a group, whoever has them, and takes handles of
// no entity at all.
func TestWarm(t *testing.T) {
	for form := range placed() {
		t.Run(form, func(t *testing.T) {
			h := newHerd(t, form, true)
			v := raw.Of(&whole{})
			member := h.NewBundle([]*Component{h.l, h.more}, []uintptr{0, 0})
			alone := h.NewBundle([]*Component{h.more}, []uintptr{0})
			var es []Entity
			want := uint64(0)
			for i := range 300 {
				b, words := alone, (*Words)(nil)
				if i%3 == 0 {
					b, words = member, &h.l.owner.words
				}
				e, err := b.Spawn(v)
				if err != nil {
					t.Fatal(err)
				}
				_, record := h.ids.Look(e.Index())
				if record>>VersionShift != uint64(e>>VersionShift) {
					t.Fatalf("the record of %x is %x", e, record)
				}
				es, want = append(es, e), want+record
				if h.ids.Kin(e.Index()) > 0 && words.covers(e.Index()) {
					if words.Load(e.Index()) == 0 {
						t.Fatalf("no word of %v", e)
					}
					want += words.Load(e.Index())
				}
			}
			if got := h.Warm(es); got != want {
				t.Errorf("the sum is %x, want %x", got, want)
			}
			if got := h.Warm([]Entity{Entity(h.ids.Bound()), Entity(^uint32(0))}); got != 0 {
				t.Errorf("the sum of no entities is %x", got)
			}
			h.Warm([]Entity{0})
		})
	}
}

// Warming pays in large worlds alone, and from smaller ones on where caches are small.
func TestWarms(t *testing.T) {
	for _, l2 := range []uint64{256 << 10, 512 << 10, 1 << 20} {
		m, err := memmgr.New(memmgr.Options{}.WithCaches(0, l2, 0))
		if err != nil {
			t.Fatal(err)
		}
		s, from := New(m, Options{MaxEntities: 1 << 20}), uint64(0)
		for !s.Warms() {
			for range 64 {
				if _, err := s.Spawn(); err != nil {
					t.Fatal(err)
				}
			}
			from = uint64(s.ids.Bound())
		}
		if want := tune.Of(m.Caches()).WarmFrom; from < want || from > want+512 {
			t.Errorf("%d: it pays from index %d, want %d", l2, from, want)
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Spawning asks ahead for the next one's lines, in every form of records and words, with
// the same results.
func TestAheadChangesNothing(t *testing.T) {
	for form := range placed() {
		t.Run(form, func(t *testing.T) {
			h := newHerd(t, form, true)
			b := h.NewBundle([]*Component{h.l, h.more}, []uintptr{0, 0})
			bare := h.NewBundle(nil, nil)
			v := raw.Of(&whole{})
			for i := range 200 {
				w := h.l.owner.Main
				next, record := h.ids.Next(b.where())
				var was uint64
				if record != nil {
					was = *record
				}
				h.ahead(b.home, w)
				if again, _ := h.ids.Next(b.home); again != next || record != nil && *record != was {
					t.Fatalf("index %d was next, and %d is", next, again)
				}
				spawn := []func() (Entity, error){func() (Entity, error) { return b.Spawn(v) }, func() (Entity, error) { return bare.Spawn(v) }, h.Spawn}[i%3]
				if e, err := spawn(); err != nil || !h.Alive(e) || i%3 == 0 && record != nil && e.Index() != next {
					t.Fatalf("spawned %v, and index %d was next: %v", e, next, err)
				}
			}
			if err := h.Check(); err != nil {
				t.Fatal(err)
			}
		})
	}
}
