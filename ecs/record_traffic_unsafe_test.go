package ecs_test

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
)

// withoutLines is a list of accesses without their lines, which the test below counts.
func withoutLines(list []profile.Access) []profile.Access {
	for i := range list {
		list[i].Lines = 0
	}
	return list
}

// byHand counts bytes and cache lines by their addresses.
type byHand struct {
	bytes, lines map[uintptr]bool
	scattered    int // lines, each row's own
}

func (h *byHand) touch(at unsafe.Pointer, offset, size uintptr) {
	h.scattered += int((uintptr(at)+offset+size-1)/64 - (uintptr(at)+offset)/64 + 1)
	for b := uintptr(at) + offset; b < uintptr(at)+offset+size; b++ {
		h.bytes[b], h.lines[b/64] = true, true
	}
}

// Bytes and lines of a profile are those that the addresses of the fields give: within two in a hundred, since the first
// and the last line of a chunk are not of rows alone.
func TestTrafficByHand(t *testing.T) {
	type wide struct {
		At    [3]float32
		Speed [3]float32
		Mass  float64
		_     [64]byte
		Tail  uint32
		_     [4]byte
	}
	type tag struct{ V [10]byte }
	const n = 20_000
	w := world(t, ecs.Options{Record: true, TimeEvery: never})
	wides, tags, marks := ecs.Register[wide](w, "wide"), ecs.Register[tag](w, "tag"), ecs.Register[b4](w, "mark", ecs.Thin)
	es := make([]ecs.Entity, n)
	for i := range es {
		es[i] = ok(w.Spawn())
		ok(0, wides.Add(es[i], wide{}))
		ok(0, tags.Add(es[i], tag{}))
		if i%7 == 0 {
			ok(0, marks.Add(es[i], b4{}))
		}
	}
	offset := func(w *wide, field unsafe.Pointer) uintptr { return uintptr(field) - uintptr(unsafe.Pointer(w)) }
	var o wide
	at, mass, tail := offset(&o, unsafe.Pointer(&o.At)), offset(&o, unsafe.Pointer(&o.Mass)), offset(&o, unsafe.Pointer(&o.Tail))

	addSystem(t, w, "one", func(*struct {
		At [][3]float32 `ashlar:"wide.At"`
	}) {
	})
	addSystem(t, w, "three", func(*struct {
		At   [][3]float32 `ashlar:"wide.At"`
		X    [][3]float32 `ashlar:"wide.At"` // the same bytes
		Mass []float64    `ashlar:"wide.Mass"`
		Tail []uint32     `ashlar:"wide.Tail"`
	}) {
	})
	addSystem(t, w, "whole", func(*struct {
		W []wide
		T ecs.Write[tag]
	}) {
	})
	addSystem(t, w, "both", func(*struct {
		At   [][3]float32       `ashlar:"wide.At"`
		Mass ecs.Write[float64] `ashlar:"wide.Mass"`
	}) {
	})
	addSystem(t, w, "scattered", func(*struct {
		T []tag
		M []b4
	}) {
	})
	const frames = 3
	for range frames {
		ok(0, w.Run(t.Context()))
	}
	count := map[string]*byHand{}
	note := func(system, component string, at unsafe.Pointer, offset, size uintptr) {
		h := count[system+"/"+component]
		if h == nil {
			h = &byHand{bytes: map[uintptr]bool{}, lines: map[uintptr]bool{}}
			count[system+"/"+component] = h
		}
		h.touch(at, offset, size)
	}
	for _, e := range es {
		v, g := unsafe.Pointer(wides.Get(e)), unsafe.Pointer(tags.Get(e))
		note("one", "wide", v, at, 12)
		note("three", "wide", v, at, 12)
		note("three", "wide", v, mass, 8)
		note("three", "wide", v, tail, 4)
		note("whole", "wide", v, 0, unsafe.Sizeof(wide{}))
		note("whole", "tag", g, 0, 10)
		note("both", "wide", v, at, 12)
		note("both", "wide", v, mass, 8)
		if m := marks.Get(e); m != nil {
			note("scattered", "tag", g, 0, 10)
			note("scattered", "mark", unsafe.Pointer(m), 0, 4)
		}
	}
	got := map[string]profile.Access{}
	for _, s := range w.Facts().Systems {
		for _, a := range s.Access {
			sum := got[s.Name+"/"+a.Component]
			sum.Bytes, sum.Lines, sum.Scattered = sum.Bytes+a.Bytes, sum.Lines+a.Lines, a.Scattered
			got[s.Name+"/"+a.Component] = sum
		}
	}
	for name, h := range count {
		a := got[name]
		lines := len(h.lines)
		if a.Scattered {
			lines = h.scattered
		}
		if !near(a.Bytes, frames*len(h.bytes)) || !near(a.Lines, frames*lines) {
			t.Errorf("%s: %d bytes in %d lines are recorded, by hand %d in %d", name, a.Bytes, a.Lines, frames*len(h.bytes), frames*lines)
		}
	}
	if len(got) != len(count) {
		t.Errorf("recorded %v", fmt.Sprint(got))
	}
}

// near tells whether a count is within two in a hundred of another.
func near(got uint64, want int) bool {
	off := int(got) - want
	return max(off, -off)*100 <= 2*want
}
