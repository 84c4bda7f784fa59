// Package burst tells when a buffer has more room than was needed of late. Buffers stay, so that steady frames allocate
// nothing. They go back to the Go heap some frames after a burst:
//
//	frame         1       2 … 45              46 …
//	elements      1M      10                  10
//	of late       1M      falls by 1/64       500,000
//	buffer        grows   stays               goes back
package burst

import "github.com/ashlar-go/ashlar/chunk"

// Buffer is how full a buffer was, in elements. The zero value is of an empty one.
type Buffer struct {
	now  int // the most in this frame
	late int // and of late
}

// Met notes how full the buffer is before it is emptied.
func (b *Buffer) Met(elements int) { b.now = max(b.now, elements) }

// EndFrame makes the most of a frame a part of the recent past.
func (b *Buffer) EndFrame() { b.late, b.now = max(b.now, b.late-b.late/64-1), 0 }

// Excess tells whether room for so many elements of some bytes is more than was needed of late. Little room always stays.
func (b *Buffer) Excess(elements int, size uintptr) bool {
	return uintptr(elements)*size > chunk.Bytes && elements/2 > b.late
}
