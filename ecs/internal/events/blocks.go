package events

import (
	"reflect"
	"sync"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// blocks has memory for events: arrays of a page, which are used again. Writers of different pieces take
// them at the same time.
type blocks[T any] struct {
	sync.Mutex
	free  [][]T
	keeps bool // events need not be cleared: they have no pointers
	used  int
	now   int // the most that were in use in this frame
	late  int // and of late: falls by 1/64 a frame
}

// take returns an array with room for some events.
func (b *blocks[T]) take() []T {
	b.Lock()
	defer b.Unlock()
	b.used++
	b.now = max(b.now, b.used)
	if n := len(b.free); n > 0 {
		block := b.free[n-1]
		b.free[n-1] = nil
		b.free = b.free[:n-1]
		return block
	}
	return make([]T, 0, max(chunk.Page/max(raw.Size[T](), 1), 1))
}

// give takes an array back. Its events are cleared if they have pointers, which would keep memory alive.
func (b *blocks[T]) give(block []T) {
	if !b.keeps {
		clear(block)
	}
	b.used--
	b.free = append(b.free, block[:0])
}

// settle ends a frame. Arrays beyond those in use of late go back to the Go heap.
func (b *blocks[T]) settle() {
	b.late = max(b.now, b.late-b.late/64-1)
	b.now = b.used
	if keep := max(b.late-b.used, 0); len(b.free) > keep {
		clear(b.free[keep:])
		b.free = b.free[:keep]
	}
}

// pointers tells whether values of a type have Go pointers.
func pointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && pointers(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			if pointers(f.Type) {
				return true
			}
		}
		return false
	}
	return t.Kind() > reflect.Complex128 // the kinds behind numbers
}
