package memmgr

import (
	"errors"
	"fmt"
	"github.com/ashlar-go/ashlar/profile"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

func TestAnnex(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		m := open(t, o)
		s := sequence(t, m, "late", 8, 100)
		for range 2 * s.shape.Full.Capacity() {
			if _, err := s.Append(); err != nil {
				t.Fatal(err)
			}
		}
		first, _ := s.Chunk(0)
		second, _ := s.Chunk(1)
		check := func(want int) {
			t.Helper()
			if err := m.Check(); err != nil || m.Stats().Annexes != want {
				t.Fatalf("%d annexes, want %d, %v", m.Stats().Annexes, want, err)
			}
		}
		a, err := m.Annex(first, 1)
		if err != nil {
			t.Fatal(err)
		}
		b, err := m.Annex(second, 1)
		if err != nil || a == b {
			t.Fatal(a, b, err)
		}
		check(2)
		if _, err := m.Move(first); err != nil {
			t.Fatal(err)
		}
		if again, err := m.Annex(first, 1); again != a || err != nil {
			t.Error("an annex moved with its chunk")
		}
		check(2)
		s.Truncate(int(s.shape.Full.Capacity())) // the second chunk is a spare, and then none
		for range 3 {
			if err := m.SafePoint(); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := m.Reclaim(0); err != nil {
			t.Fatal(err)
		}
		check(1)
		m.DropAnnex(first)
		m.DropAnnex(first)
		check(0)
	})
}

func TestAnnexRefused(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "late", 8, 8000)
	l, err := s.Append()
	if err != nil {
		t.Fatal(err)
	}
	a := m.Arena()
	for a.Stats().Committed > a.Stats().Live { // no slot is left
		slot, err := a.Alloc(arena.Normal)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Free(slot)
	}
	a.SetLimit(a.Stats().Committed)
	if _, err := m.Annex(l.Chunk(), 1); !errors.Is(err, arena.ErrLimit) || m.Stats().Annexes != 0 {
		t.Errorf("%v, %d annexes", err, m.Stats().Annexes)
	}
}

// Memory that an annex gives back is told to the byte, with refusals, too.
func TestPurgeAnnex(t *testing.T) {
	refuse := 0
	m := open(t, Options{Arena: arena.Options{}.WithFault(func(op arena.Op, nth int, _ uint64) error {
		if op == arena.OpPurge && refuse > 0 {
			if refuse--; refuse == 0 {
				return errInjected
			}
		}
		return nil
	})})
	s := sequence(t, m, "s", 8)
	fillRows(t, s, 1)
	id := s.chunks[0]
	if n := m.annexBytes(id); n != 0 {
		t.Errorf("an annex of %d bytes that nobody asked for", n)
	}
	if f, r, err := m.PurgeAnnex(id, 0, 1<<20); f != 0 || r != 0 || err != nil {
		t.Errorf("%d, %d, %v", f, r, err)
	}
	for _, c := range []struct{ ask, has uint32 }{{0, 64 << 10}, {64 << 10, 64 << 10}, {64<<10 + 1, 128 << 10}, {1, 128 << 10}, {AnnexMost, AnnexMost}, {200 << 10, AnnexMost}} {
		if _, err := m.Annex(id, c.ask); err != nil || m.annexBytes(id) != c.has || m.Stats().Annexes != 1 {
			t.Errorf("asked for %d, has %d of %d annexes, %v", c.ask, m.annexBytes(id), m.Stats().Annexes, err)
		}
	}
	pages := m.Arena().Backend() == arena.OS
	all := func(n uint64) (freed, retained uint64) {
		if pages {
			return n, 0
		}
		return 0, n
	}
	for _, c := range []struct {
		offset, bytes uint32
		n             uint64 // in the annex
		odd           bool   // not whole pages
	}{
		{0, AnnexMost, AnnexMost, false},
		{60 << 10, 8 << 10, 8 << 10, false},
		{AnnexMost - 64<<10, AnnexMost, 64 << 10, false},
		{AnnexMost, 5, 0, false},
		{AnnexMost + 5, 5, 0, false},
		{64 << 10, ^uint32(0), AnnexMost - 64<<10, false},
		{0, 100, 100, true},
		{100, 64<<10 - 100, 64<<10 - 100, true},
		{64, uint32(os.Getpagesize()), uint64(os.Getpagesize()), true},
	} {
		f, r := all(c.n)
		if c.odd {
			f, r = 0, c.n
		}
		if freed, retained, err := m.PurgeAnnex(id, c.offset, c.bytes); freed != f || retained != r || err != nil {
			t.Errorf("%d bytes from %d on: %d given back, %d kept, %v; want %d and %d", c.bytes, c.offset, freed, retained, err, f, r)
		}
	}
	if pages {
		refuse = 3
		freed, retained, err := m.PurgeAnnex(id, 0, 5<<16)
		if freed != 2<<16 || retained != 3<<16 || !errors.Is(err, errInjected) || !strings.Contains(err.Error(), `dropping views in the annex of chunk 1 of "s"`) {
			t.Errorf("%d given back, %d kept, %v", freed, retained, err)
		}
		refuse = 1
		if freed, retained, err := m.DropAnnex(id); freed != 0 || retained != AnnexMost || !errors.Is(err, errInjected) || m.annexBytes(id) != 0 {
			t.Errorf("%d given back, %d kept, %v", freed, retained, err)
		}
	}
	m.DropAnnex(id)
	at, err := m.Annex(id, 3<<16)
	if err != nil {
		t.Fatal(err)
	}
	mem := bytesAt(at, 0, 3<<16)
	for i := range mem {
		mem[i] = 1 + byte(i>>16)
	}
	if _, _, err := m.PurgeAnnex(id, 1<<16, 1<<16); err != nil {
		t.Fatal(err)
	}
	if mem[1<<16-1] != 1 || mem[2<<16] != 3 || pages && (mem[1<<16] != 0 || mem[2<<16-1] != 0) {
		t.Error("the pages of another part were given back")
	}
	m.DropAnnex(id)
	if _, err := m.Annex(id, 1); err != nil {
		t.Fatal(err)
	}
	f, r := all(64 << 10)
	if freed, retained, err := m.DropAnnex(id); freed != f || retained != r || err != nil {
		t.Errorf("%d given back, %d kept, %v", freed, retained, err)
	}
	if freed, retained, err := m.DropAnnex(id); freed != 0 || retained != 0 || err != nil || m.Stats().Annexes != 0 {
		t.Errorf("a second time %d given back, %d kept, %v", freed, retained, err)
	}
}

// A map lists the slots of annexes in the order of their chunks, and has a name for each slot in use, also where a
// sequence has the name of an annex.
func TestMapNamesAnnexes(t *testing.T) {
	m := open(t, Options{})
	s, like := sequence(t, m, "late", 8, 100), sequence(t, m, AnnexPrefix+"late", 8)
	if _, err := like.Append(); err != nil {
		t.Fatal(err)
	}
	for range 2 * s.shape.Full.Capacity() {
		if _, err := s.Append(); err != nil {
			t.Fatal(err)
		}
	}
	for i, bytes := range []uint32{1: 10, 0: chunk.Bytes + 10} {
		id, _ := s.Chunk(1 - i)
		if _, err := m.Annex(id, bytes); err != nil {
			t.Fatal(err)
		}
	}
	other := sequence(t, m, "gone", 8, 100)
	for range other.shape.Full.Capacity() {
		if _, err := other.Append(); err != nil {
			t.Fatal(err)
		}
	}
	unpin := other.Pin()
	defer unpin()
	other.Truncate(0)
	other.Drop()
	if len(m.waiting) == 0 {
		t.Fatal("no slot waits for a reader")
	}
	for range 3 { // checked builds keep places that rows have left for a while
		if err := m.SafePoint(); err != nil {
			t.Fatal(err)
		}
	}
	out := m.Map()
	if err := profile.WriteRun(filepath.Join(t.TempDir(), "run"), profile.Profile{}, out); err != nil {
		t.Fatal(err)
	}
	var got []string
	named := make([]uint32, len(out.Regions))
	for _, c := range out.Chunks {
		named[c.Region] |= 1 << c.Slot
		if c.Group == AnnexPrefix+"late" {
			got = append(got, fmt.Sprint(c.Order, ": ", c.Bytes))
		}
	}
	if want := []string{"0: 8", "1: 10", "2: 65536", "3: 10"}; !slices.Equal(got, want) {
		t.Errorf("annexes %q, want %q", got, want)
	}
	for i, r := range out.Regions {
		if in := ^(r.Free | r.Quarantined); in != named[i] {
			t.Errorf("region %d: slots %b in use, %b named", i, in, named[i])
		}
	}
}
