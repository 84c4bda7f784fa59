package store

import (
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
)

// TestChunkOf compares the chunk of a word of bits with a division, for all widths of a chunk's bits and as many
// chunks as a store numbers.
func TestChunkOf(t *testing.T) {
	const chunks = 1 << 23
	for stride := 1; stride <= chunk.MaxRows/64; stride++ {
		x := Opt{part: partOf(stride)}
		for i := 0; i < chunks; i += 1 + i/7 {
			for _, at := range []int{i * stride, i*stride + stride/2, i*stride + stride - 1} {
				if got := x.chunkOf(at); got != at/stride {
					t.Fatalf("word %d of %d a chunk is in chunk %d; got %d", at, stride, at/stride, got)
				}
			}
		}
	}
}
