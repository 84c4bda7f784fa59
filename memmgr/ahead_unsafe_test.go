package memmgr

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// aheadFrom is how many cells a directory has from which it is doubled ahead.
const aheadFrom = 2 * chunk.Page / cellBytes

// wide makes sequences of many columns. A chunk has a few rows of them.
func wide(t *testing.T, m *Manager, n, columns int) (seqs []*Sequence) {
	t.Helper()
	for i := range n {
		specs := make([]ColumnSpec, columns)
		for k := range specs {
			specs[k].Spec = chunk.Spec{Size: 256, Align: 8}
		}
		s, err := m.MakeSequence(fmt.Sprint("wide", i), specs)
		if err != nil {
			t.Fatal(err)
		}
		seqs = append(seqs, s)
	}
	return seqs
}

// A sequence of many columns grows without a pause: a new chunk doubles one long directory at most,
// also where several sequences grow in turn.
func TestWideGrowsWithoutPause(t *testing.T) {
	for _, turns := range []int{1, 2, 3, 5} {
		t.Run(fmt.Sprint(turns), func(t *testing.T) {
			m := open(t, Options{})
			if m.Arena().Backend() != arena.OS && turns > 1 {
				t.Skip("chunks that are never written take Go memory")
			}
			seqs := wide(t, m, turns, 50)
			was := make(map[*Directory]uint64)
			for range 2*aheadFrom + 100 {
				for _, s := range seqs {
					if _, _, err := s.AppendRun(s.Capacity()); err != nil {
						t.Fatal(err)
					}
					grown := 0
					for _, d := range s.dirs {
						if was[d] >= aheadFrom-1 && d.mask != was[d] {
							grown++
						}
						was[d] = d.mask
					}
					if grown > 1 {
						t.Fatalf("%d directories have grown to %d cells with chunk %d", grown, was[s.dirs[0]]+1, s.ChunkCount())
					}
				}
			}
			for _, d := range seqs[0].dirs {
				if d.mask+1 != 4*aheadFrom {
					t.Fatalf("%d cells for %d chunks", d.mask+1, d.used)
				}
			}
		})
	}
}

// The places and cells of one chunk lie in many sets of a cache, for any number of columns.
func TestDirectoriesShareNoSet(t *testing.T) {
	m := open(t, Options{})
	s := wide(t, m, 1, 50)[0]
	for range 2 * aheadFrom {
		if _, _, err := s.AppendRun(s.Capacity()); err != nil {
			t.Fatal(err)
		}
	}
	var sets [chunk.Page / chunk.Line]int
	last, _ := s.Chunk(s.ChunkCount() - 1)
	for _, d := range s.dirs {
		for _, p := range [...]unsafe.Pointer{unsafe.Pointer(d.Place(uint64(last))), unsafe.Pointer(d.Cell(last))} {
			sets[uintptr(p)/chunk.Line%uintptr(len(sets))]++
		}
	}
	for i, n := range sets {
		if n > 4 {
			t.Errorf("%d places and cells are in set %d", n, i)
		}
	}
}
