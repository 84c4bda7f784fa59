package source

import (
	"math/bits"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/match"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// bitsOf tell which rows of a batch's chunk have a component that is optional there. They are the
// table's, of the batch's first chunk, and as long as a stride: rows behind the last have 0.
func (s *Set) bitsOf(of *store.Component, b *Batch) []uint64 {
	return s.table.Opt(of).Bits[b.Chunk*s.table.Stride():][:s.table.Stride()]
}

// has notes which of the batch's rows have the component, by the bits of its chunk. Bit k becomes
// that of the batch's k-th row: a run is shifted by words, and numbers are collected one by one.
func (x *source) has(bits []uint64, b *Batch) {
	if b.Rows == nil {
		x.presence = shifted(x.presence[:0], bits, b.First, b.N)
		return
	}
	x.presence = append(x.presence[:0], make([]uint64, (b.N+63)/64)...)
	for i, row := range b.Rows {
		x.presence[i/64] |= bits[row/64] >> (row % 64) & 1 << (i % 64)
	}
}

// shifted appends n bits from one on.
func shifted(to, bits []uint64, from, n int) []uint64 {
	bits, from = bits[from/64:], from%64
	for i := range (n + 63) / 64 {
		m := bits[i] >> from
		if from > 0 && i+1 < len(bits) {
			m |= bits[i+1] << (64 - from)
		}
		to = append(to, m)
	}
	return to
}

// shown are the presence bits of n rows of the batch from one on. They are good until the next
// call.
func (x *source) shown(row, n int) []uint64 {
	if x.now == inPlace && !x.gaps || x.now == picked && !x.gaps {
		x.presence = match.Ones(x.presence[:0], n)
		return x.presence
	}
	if row == 0 {
		return x.presence[:(n+63)/64]
	}
	return shifted(nil, x.presence, row, n)
}

// blank clears the values of those of n rows that lack the component. No entity has them. So they
// may be cleared in the column itself, without a stamp. Each run of gaps is one clear, and a batch
// without gaps costs a word for each 64 rows.
func (x *source) blank(n int) {
	for base := 0; base < n; base += 64 {
		m := ^x.presence[base/64]
		if k := n - base; k < 64 {
			m &= 1<<k - 1
		}
		for m != 0 {
			first := bits.TrailingZeros64(m)
			k := bits.TrailingZeros64(^(m >> first))
			clear(raw.Slice[byte](raw.At(x.base, uintptr(base+first)*x.size), k*int(x.size)))
			m &^= (1<<k - 1) << first
		}
	}
}

// zero has n rows read as zero: they lack the component.
func (x *source) zero(n int) {
	clear(room(&x.scratch, n, x.size))
	x.base = raw.Data(x.scratch)
	x.presence = slices.Grow(x.presence[:0], (n+63)/64)[:(n+63)/64]
	clear(x.presence)
}

// full tells whether all of n bits are set.
func full(bits []uint64, n int) bool {
	for ; n >= 64; n -= 64 {
		if bits[0] != ^uint64(0) {
			return false
		}
		bits = bits[1:]
	}
	return n == 0 || bits[0] == 1<<n-1
}
