package memmgr_test

import (
	"fmt"

	"github.com/ashlar-go/ashlar/internal/chunk"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

type vec struct{ X, Y float32 }

// A particle system straight on the manager: two columns, appended in bulk, moved
// by a plain loop over slices, removed by swapping.
func Example_particles() {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		panic(err)
	}
	defer m.Close()
	column := memmgr.Column{Spec: chunk.Spec{Size: 8, Align: 4}}
	particles, err := m.NewSequence("particles", []memmgr.Column{column, column})
	if err != nil {
		panic(err)
	}
	const pos, vel = 0, 1

	for left := 10_000; left > 0; {
		at, n, err := particles.AppendRun(left)
		if err != nil {
			panic(err)
		}
		ps := memmgr.Slice[vec](particles, pos, at.Chunk())[at.Row():]
		vs := memmgr.Slice[vec](particles, vel, at.Chunk())[at.Row():]
		for i := range ps {
			ps[i], vs[i] = vec{}, vec{X: float32(left - i), Y: 1}
		}
		left -= n
	}

	for range 3 { // frames
		if err := m.SafePoint(); err != nil { // chunks may move here, and here only
			panic(err)
		}
		m.Advance()
		for id := range particles.Chunks() {
			ps, vs := memmgr.Slice[vec](particles, pos, id), memmgr.Slice[vec](particles, vel, id)
			for i := range ps {
				ps[i].X += vs[i].X
				ps[i].Y += vs[i].Y
			}
			particles.Written(pos, id)
		}
	}

	for i := particles.Len() - 1; i >= 0; i-- { // those that went far disappear
		at := particles.At(i)
		if memmgr.Slice[vec](particles, pos, at.Chunk())[at.Row()].X > 3000 {
			particles.SwapRemove(at)
		}
	}
	fmt.Println(particles.Len(), "left in", particles.ChunkCount(), "chunk")
	// Output: 1000 left in 1 chunk
}

// A manager that adapts: it is told that a group is rarely used, and puts its
// chunks apart from the others while frames go by.
func ExampleManager_Adapt() {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		panic(err)
	}
	defer m.Close()
	column := memmgr.Column{Spec: chunk.Spec{Size: 8, Align: 8}}
	archive, err := m.NewSequence("archive", []memmgr.Column{column})
	if err != nil {
		panic(err)
	}
	for left := 50_000; left > 0; {
		_, n, err := archive.AppendRun(left)
		if err != nil {
			panic(err)
		}
		left -= n
	}

	m.Adapt(memmgr.AdaptOptions{
		Cold:   []string{"archive"},
		Budget: memmgr.Budget{Bytes: 256 << 10}, // for one safe point
	})
	for range 100 { // frames
		if err := m.SafePoint(); err != nil { // moves within the budget
			panic(err)
		}
		if err := m.EndFrame(); err != nil { // gives memory back
			panic(err)
		}
	}
	st, _ := m.Adapting()
	fmt.Println(st.Moves, "chunks moved,", st.Waiting, "wait")
	// Output: 7 chunks moved, 0 wait
}
