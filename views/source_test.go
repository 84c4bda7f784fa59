package views

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Gather reads the values, Scatter writes them and stamps the chunks that it wrote
// to and no other; by handle and by place, for sizes with kernels and without.
func TestSource(t *testing.T) {
	for _, backend := range []arena.Backend{arena.Auto, arena.Heap} {
		for seed, size := range []uint32{4, 8, 12, 16, 32, 64, 1, 24, 100, 3000} {
			x := newModel(t, uint64(seed), backend)
			var handles []uint64
			for i := range modelEntities {
				if x.version[i]++; x.r.IntN(4) > 0 {
					x.add(i, x.r.IntN(2))
				}
				handles = append(handles, x.handle(i))
			}
			handles = append(handles, 1<<versionShift|1<<20) // an index that no slot has
			x.r.Shuffle(len(handles), func(i, j int) { handles[i], handles[j] = handles[j], handles[i] })
			src := Source{Words: x.slots.Span(0), Cells: x.values.Cells(), mark: modelMark, Stride: uint32(len(owned{})), Size: size}
			src.Offset = uint32(x.r.IntN(len(owned{}) - int(size) + 1))

			n := len(handles)
			dirty := bytes.Repeat([]byte{0xEE}, n*int(size)) // rows that lack the component have to be zeroed
			dst, again := bytes.Clone(dirty), bytes.Clone(dirty)
			f := Found{Places: make([]Place, n), Presence: make([]uint64, (n+63)/64)}
			src.Gather(dst, handles, f)
			src.GatherPlaces(again, f.Places)
			if !bytes.Equal(dst, again) {
				t.Fatalf("%d bytes: by place differs from by handle", size)
			}
			x.compare(&src, handles, dst, "gathered")
			copy(again, dirty)
			src.Gather(again, handles, Found{})
			x.compare(&src, handles, again, "gathered, nothing noted,")

			for round, scatter := range []func(){
				func() { src.Scatter(dst, handles, x.m.Tick()) },
				func() { src.ScatterPlaces(dst, f.Places, x.m.Tick()) },
			} {
				for i, h := range handles {
					for j := range dst[i*int(size):][:size] { // also for rows that lack the component
						dst[i*int(size)+j] = byte(int(h) + j + round)
					}
				}
				x.m.Advance()
				scatter()
				for i, p := range f.Places {
					if p == noPlace {
						clear(dst[i*int(size):][:size])
					}
				}
				x.compare(&src, handles, dst, "scattered")
				src.Gather(again, handles, f)
				if !bytes.Equal(dst, again) {
					t.Fatalf("%d bytes: what was scattered is gathered differently", size)
				}
			}
			for _, s := range x.seqs {
				for id := range s.Chunks() {
					if x.values.Cell(id).Stamp != x.m.Tick() {
						t.Fatalf("chunk %d was written and has stamp %d at %d", id, x.values.Cell(id).Stamp, x.m.Tick())
					}
				}
			}
			x.m.Advance()
			before := &x.values.Cells()[x.slots.Load(uint32(handles[0]))&uint64(len(x.values.Cells())-1)] // maybe nobody's
			src.Scatter(nil, nil, x.m.Tick())
			if before.Stamp == x.m.Tick() {
				t.Fatal("scattering nothing stamped a chunk")
			}
		}
	}
}

// compare checks rows against values read one by one.
func (x *model) compare(s *Source, handles []uint64, rows []byte, what string) {
	for i, h := range handles {
		want := make([]byte, s.Size)
		if index := int(uint32(h)); index < modelEntities {
			if v, _ := x.at(index); v != nil {
				copy(want, v[s.Offset:])
			}
		}
		if got := rows[i*int(s.Size):][:s.Size]; !bytes.Equal(got, want) {
			x.t.Fatalf("%s %d bytes at %d, row %d: %x, want %x", what, s.Size, s.Offset, i, got, want)
		}
	}
}

// More cells than places tell apart are gathered by handle, and places refused.
func TestManyCells(t *testing.T) {
	x := newModel(t, 1, arena.Auto)
	x.add(3, 0)
	src := x.source()
	src.Cells = make([]memmgr.Cell, PlaceCells+1)
	for i := range src.Cells {
		src.Cells[i] = x.values.Cells()[i%len(x.values.Cells())]
	}
	handles, dst := []uint64{x.handle(2), x.handle(3)}, bytes.Repeat([]byte{1}, 2*x.size)
	src.Gather(dst, handles, Found{Presence: make([]uint64, 1)})
	x.compare(&src, handles, dst, "gathered from many cells")
	defer func() {
		if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "gather without Places") {
			t.Errorf("places of too many cells: %v", r)
		}
	}()
	src.Gather(dst, handles, Found{Places: make([]Place, 2)})
}

// A word may name a row of a chunk that does not have the component: where the source has
// the directory's places, such a row reads as zero, and all others as they are.
func TestSourceOfUncertainWords(t *testing.T) {
	x := newModel(t, 1, arena.Auto)
	var handles []uint64
	for i := range 40 {
		if x.add(i, i%2); i%5 == 0 {
			x.remove(i)
		}
		handles = append(handles, x.handle(i))
	}
	for i := range uint64(5) {
		l, err := x.other.Append()
		if err != nil {
			t.Fatal(err)
		}
		*x.slots.Ptr(uint32(50 + i)) = modelMark<<versionShift | uint64(l)
		handles = append(handles, 50+i)
	}
	src := x.source()
	src.Resolve = func(_, w uint64) uint64 {
		if w != 0 && w&chunkMask == 0 {
			t.Errorf("it is asked for the word %#x, which has no chunk", w)
		}
		if !x.values.Place(w).Is(w) {
			return 0
		}
		return w
	}
	dst := bytes.Repeat([]byte{1}, len(handles)*x.size)
	f := Found{Places: make([]Place, len(handles)), Presence: make([]uint64, 1)}
	src.Gather(dst, handles, f)
	x.compare(&src, handles[:40], dst, "gathered")
	for i := range handles {
		has := i < 40 && i%5 != 0
		if row := dst[i*x.size:][:x.size]; f.Presence[0]>>i&1 != 0 != has || f.Places[i] != noPlace != has || !has && !bytes.Equal(row, make([]byte, x.size)) {
			t.Errorf("row %d has the component: %v; its values are %x, its place %#x, presence %b", i, has, row, f.Places[i], f.Presence[0])
		}
	}
	// Where words are not in the list, all of them or the ones behind some index, they are resolved.
	for _, flat := range []int{0, 7} {
		src := x.source()
		all := src.Words
		src.Resolve = func(h, w uint64) uint64 {
			if i := uint32(h); int(i) >= flat && i < 40 {
				w = all[i]
			}
			if (w^h)>>versionShift != modelMark || w&chunkMask == 0 {
				return 0
			}
			return w
		}
		src.Words = all[:flat]
		src.Gather(dst, handles[:40], f)
		x.compare(&src, handles[:40], dst, "gathered from a map")
	}
}

// A second line is looked for where some row's field lies in two, and only there.
func TestReach(t *testing.T) {
	for stride := uint32(1); stride < 200; stride++ {
		for size := uint32(1); size <= min(stride, noneBytes); size++ {
			for offset := range stride - size + 1 {
				two := false
				for row := range uint32(64) {
					at := row*stride + offset
					two = two || at/64 != (at+size-1)/64
				}
				if got := reach(stride, offset, size); (got != 0) != two || two && got != uint64(size-1) {
					t.Fatalf("%d bytes at %d of %d: reach %d", size, offset, stride, got)
				}
			}
		}
	}
}

// Of a component that nobody has, everything reads as zero.
func TestSourceOfNobody(t *testing.T) {
	x := newModel(t, 1, arena.Auto)
	src := x.source()
	dst := bytes.Repeat([]byte{1}, 3*x.size)
	f := Found{Places: make([]Place, 3), Presence: []uint64{7}}
	src.Gather(dst, []uint64{0, x.handle(1), x.handle(2)}, f)
	if !bytes.Equal(dst, make([]byte, 3*x.size)) || f.Presence[0] != 0 || f.Places[0] != noPlace {
		t.Errorf("%x, %v", dst, f)
	}
	src.GatherPlaces(dst, f.Places)
	src.Scatter(dst, []uint64{0, 1}, 9)
	src.Gather(nil, nil, Found{})
}

func TestSourceRefuses(t *testing.T) {
	x := newModel(t, 1, arena.Auto)
	for words, call := range map[string]func(s *Source){
		"views: 1 rows of 12 bytes at 40 of 3000 do not fit into 3 bytes":   func(s *Source) { s.Gather(make([]byte, 3), []uint64{1}, Found{}) },
		"views: 0 rows of 12 bytes at 2989 of 3000 do not fit into 0 bytes": func(s *Source) { s.Offset = s.Stride - s.Size + 1; s.Gather(nil, nil, Found{}) },
		"views: 3 cells: pass all of a directory's, a power of two":         func(s *Source) { s.Cells = make([]memmgr.Cell, 3); s.Gather(nil, nil, Found{}) },
		"views: changes of a directory that has grown: find them again, and ": func(s *Source) {
			var c Changes
			c.find(stamps("11", "11"), 1)
			s.Refresh(nil, nil, nil, &c)
		},
	} {
		func() {
			defer func() {
				if r := recover(); !strings.Contains(fmt.Sprint(r), words) {
					t.Errorf("%v; want a panic with %q", r, words)
				}
			}()
			s := x.source()
			call(&s)
		}()
	}
}

func TestNoAllocations(t *testing.T) {
	x := newModel(t, 1, arena.Auto)
	var handles []uint64
	for i := range modelEntities {
		x.version[i]++
		x.add(i, 0)
		handles = append(handles, x.handle(i))
	}
	src := x.source()
	dst, f := make([]byte, len(handles)*x.size), Found{Places: make([]Place, len(handles)), Presence: make([]uint64, 3)}
	var s ownerStamps
	var c Changes
	var m Mark
	frame := func() {
		s.read(x.values.Cells(), &x.ids, x.seqs[:]...)
		c.find(s, 1)
		src.Gather(dst, handles, f)
		src.GatherPlaces(dst, f.Places)
		src.Refresh(dst, handles, f.Places, &c)
		src.Scatter(dst, handles, 1)
		m.Note(3, len(handles), f.Places, &c)
		m.Judge(1, len(handles), &c)
	}
	frame()
	if n := testing.AllocsPerRun(10, frame); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

// A chunk that is gone has left no stamp: its rows are found, or missed, by handle.
func TestRefreshAfterChunkIsGone(t *testing.T) {
	x := newModel(t, 0, arena.Auto)
	var w view
	for i := 1; x.seqs[0].ChunkCount() < 3; i++ {
		x.add(i, 0)
		w.handles = append(w.handles, x.handle(i))
	}
	var s ownerStamps
	read := func() Verdict {
		x.m.Advance()
		s.read(x.values.Cells(), &x.ids, x.seqs[:]...)
		v := x.read(&w, s, true)
		x.check(&w, v)
		return v
	}
	if v := read(); v != All {
		t.Fatal(v)
	}
	x.remove(int(uint32(w.handles[len(w.handles)-1]))) // the only row of the last chunk
	for range 3 {
		if err := x.m.SafePoint(); err != nil {
			t.Fatal(err)
		}
	}
	if v := read(); v != SomeMoved {
		t.Error(v)
	}
	if v := read(); v != Valid {
		t.Error(v)
	}
}

// A view that was written and scattered is valid from the next tick on, until
// somebody else writes.
func TestViewIsValidAfterItWasScattered(t *testing.T) {
	x := newModel(t, 0, arena.Auto)
	var w view
	for i := 1; i < 60; i++ {
		x.add(i, 0)
		w.handles = append(w.handles, x.handle(i))
	}
	var s ownerStamps
	read := func(want Verdict) {
		t.Helper()
		s.read(x.values.Cells(), &x.ids, x.seqs[:]...)
		v := x.read(&w, s, true)
		x.check(&w, v)
		if v != want {
			t.Errorf("%v, want %v", v, want)
		}
	}
	x.m.Advance()
	read(All)
	for i := range w.dst {
		w.dst[i]++
	}
	src := x.source()
	src.ScatterPlaces(w.dst, w.places, x.m.Tick())
	w.mark.Again(x.m.Advance() + 1)
	read(Valid)
	v, cell := x.at(1)
	v[fieldOffset]++
	cell.Stamp = x.m.Tick()
	x.m.Advance()
	s.read(x.values.Cells(), &x.ids, x.seqs[:]...)
	if v := x.read(&w, s, true); v == Valid {
		t.Error("valid after somebody else wrote")
	} else {
		x.check(&w, v)
	}
}
