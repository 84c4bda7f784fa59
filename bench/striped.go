package main

import (
	"context"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

type six struct {
	A, B, C, D, E, F Position
}

// sixColumns is a system over six columns of which two are written.
func sixColumns() (ours, rival, limit piece) {
	type lanes struct {
		A []Position `ashlar:"a,write"`
		B []Position `ashlar:"b"`
		C []Position `ashlar:"c"`
		D []Position `ashlar:"d,write"`
		E []Position `ashlar:"e"`
		F []Position `ashlar:"f"`
	}
	call := func(l *lanes) {
		a, b, c, d, e, f := l.A, l.B, l.C, l.D, l.E, l.F
		b, c, d, e, f = b[:len(a)], c[:len(a)], d[:len(a)], e[:len(a)], f[:len(a)]
		for i := range a {
			a[i].X += b[i].X * c[i].Y
			d[i].Y += e[i].X - f[i].Y
		}
	}
	w := must(ecs.New(options()))
	var pools []ecs.AnyPool
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		pools = append(pools, must(ecs.Register[Position](w, name)))
	}
	g := must(ecs.GroupOf[six](w, "six", pools...))
	check(g.SpawnN(make([]ecs.Entity, k262), []six{{A: Position{1, 2}, B: Position{0.5, 0.25}, E: Position{1, 1}}}))
	check(ecs.System(w, "lanes", call))
	ctx := context.Background()
	for range 50 {
		check(w.Run(ctx)) // chunks come to their places
	}
	ours.work = func() {
		for range 4 {
			check(w.Run(ctx))
		}
	}
	flat := new(lanes)
	for _, to := range []*[]Position{&flat.A, &flat.B, &flat.C, &flat.D, &flat.E, &flat.F} {
		*to = make([]Position, k262)
		for i := range *to {
			(*to)[i] = Position{1, 2}
		}
	}
	rival.work = func() {
		for range 4 {
			call(flat)
		}
	}
	return ours, rival, limit
}

// moveStriped moves chunks away from their positions and back, against copies of the same
// bytes between two other chunks.
func moveStriped() (ours, rival, limit piece) {
	m := must(memmgr.New(memmgr.Options{}))
	s := must(m.MakeSequence("s", columns()))
	n := s.Capacity()
	for s.ChunkCount() < 40 || s.TailLen() < n {
		must2(s.AppendRun(n))
	}
	for range 100 {
		check(m.SafePoint())
	}
	id, _ := s.Chunk(5)
	ours.work = func() {
		for range 50 { // away, and back to its position at the safe point
			must(m.Move(id))
			check(m.SafePoint())
		}
	}
	from, _ := s.Chunk(10)
	to, _ := s.Chunk(20)
	rival.work = func() {
		for range 100 {
			copyChunk(s, to, from)
			from, to = to, from
		}
	}
	return ours, rival, limit
}

func copyChunk(s *memmgr.Sequence, to, from chunk.ID) {
	copy(memmgr.Slice[uint64](s, 0, to), memmgr.Slice[uint64](s, 0, from))
	copy(memmgr.Slice[[2]uint64](s, 1, to), memmgr.Slice[[2]uint64](s, 1, from))
	copy(memmgr.Slice[[2]uint64](s, 2, to), memmgr.Slice[[2]uint64](s, 2, from))
}
