package memmgr

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// wideRow is 50 columns of 155 bytes in all.
type wideRow[W, F, S, B any] struct {
	words  [5]W
	floats [20]F
	shorts [10]S
	bytes  [15]B
}

type (
	wideCols   = wideRow[Col[int64], Col[float32], Col[int16], Col[uint8]]
	wideSlices = wideRow[[]int64, []float32, []int16, []uint8]
)

func wideTable(b *testing.B, m *Manager) (*Sequence, *wideCols) {
	c := new(wideCols)
	var list []Column
	for i := range c.words {
		list = append(list, &c.words[i])
	}
	for i := range c.floats {
		list = append(list, &c.floats[i])
	}
	for i := range c.shorts {
		list = append(list, &c.shorts[i])
	}
	for i := range c.bytes {
		list = append(list, &c.bytes[i])
	}
	s, err := m.NewSequence("wide", list...)
	if err != nil {
		b.Fatal(err)
	}
	return s, c
}

func addWide(c *wideSlices, i int) {
	for k := range c.words {
		c.words[k] = append(c.words[k], int64(i))
	}
	for k := range c.floats {
		c.floats[k] = append(c.floats[k], float32(i))
	}
	for k := range c.shorts {
		c.shorts[k] = append(c.shorts[k], int16(i))
	}
	for k := range c.bytes {
		c.bytes[k] = append(c.bytes[k], uint8(i))
	}
}

func setWide(c *wideCols, l Loc, i int) {
	for k := range c.words {
		c.words[k].Set(l, int64(i))
	}
	for k := range c.floats {
		c.floats[k].Set(l, float32(i))
	}
	for k := range c.shorts {
		c.shorts[k].Set(l, int16(i))
	}
	for k := range c.bytes {
		c.bytes[k].Set(l, uint8(i))
	}
}

// fillWide writes all new rows of a run, column by column.
func fillWide(c *wideCols, l Loc, i int) {
	for k := range c.words {
		values := c.words[k].Slice(l)
		for j := range values {
			values[j] = int64(i + j)
		}
	}
	for k := range c.floats {
		values := c.floats[k].Slice(l)
		for j := range values {
			values[j] = float32(i + j)
		}
	}
	for k := range c.shorts {
		values := c.shorts[k].Slice(l)
		for j := range values {
			values[j] = int16(i + j)
		}
	}
	for k := range c.bytes {
		values := c.bytes[k].Slice(l)
		for j := range values {
			values[j] = uint8(i + j)
		}
	}
}

// BenchmarkAppendWide appends rows of 50 columns: one at a time, by runs of a chunk, and to slices. The
// longest pause is that of 64 rows, or of a run.
//
//	go test ./memmgr -run '^$' -bench AppendWide -benchtime 20000000x
func BenchmarkAppendWide(b *testing.B) {
	b.Run("how=rows", func(b *testing.B) {
		benchWide(b, func(m *Manager, note func()) {
			s, c := wideTable(b, m)
			for i := range b.N {
				l, err := s.Append()
				if err != nil {
					b.Fatal(err)
				}
				if setWide(c, l, i); i%64 == 63 {
					note()
				}
			}
		})
	})
	b.Run("how=runs", func(b *testing.B) {
		benchWide(b, func(m *Manager, note func()) {
			s, c := wideTable(b, m)
			for i := 0; i < b.N; {
				l, n, err := s.AppendRun(b.N - i)
				if err != nil {
					b.Fatal(err)
				}
				fillWide(c, l, i)
				note()
				i += n
			}
		})
	})
	b.Run("how=slices", func(b *testing.B) {
		benchWide(b, func(_ *Manager, note func()) {
			c := new(wideSlices)
			for i := range b.N {
				if addWide(c, i); i%64 == 63 {
					note()
				}
			}
			runtime.KeepAlive(c)
		})
	})
}

// benchWide measures a fill, and reports its longest pause.
func benchWide(b *testing.B, fill func(m *Manager, note func())) {
	debug.FreeOSMemory()
	m, err := New(Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	var longest time.Duration
	b.ResetTimer()
	last := time.Now()
	fill(m, func() {
		now := time.Now()
		longest, last = max(longest, now.Sub(last)), now
	})
	b.StopTimer()
	b.ReportMetric(float64(longest.Microseconds()), "µs/longest")
}
