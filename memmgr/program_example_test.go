package memmgr_test

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile/layout"
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
	var pos, vel memmgr.Col[vec]
	particles, err := m.NewSequence("particles", &pos, &vel)
	if err != nil {
		panic(err)
	}

	for left := 10_000; left > 0; {
		at, n, err := particles.AppendRun(left)
		if err != nil {
			panic(err)
		}
		ps, vs := pos.Slice(at), vel.Slice(at)
		for i := range ps {
			ps[i], vs[i] = vec{}, vec{X: float32(left - i), Y: 1}
		}
		left -= n
	}

	for range 3 { // frames
		if err := m.EndFrame(); err != nil { // chunks may move here, and here only
			panic(err)
		}
		m.Advance()
		for l, ps := range pos.Chunks(particles) {
			for i, v := range vel.Slice(l) {
				ps[i].X += v.X
				ps[i].Y += v.Y
			}
			pos.Written(l)
		}
	}

	var far []memmgr.Loc // particles that went far disappear, the last one first
	for l, ps := range pos.Chunks(particles) {
		for i, p := range ps {
			if p.X > 3000 {
				far = append(far, l.Plus(uint32(i)))
			}
		}
	}
	for _, l := range slices.Backward(far) {
		particles.SwapRemove(l)
	}
	fmt.Println(particles.Len(), "left")
	// Output: 1000 left
}

// A manager that adapts: it is told that a group is rarely used, and puts its
// chunks apart from the others while frames go by.
func ExampleManager_Adapt() {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		panic(err)
	}
	defer m.Close()
	var values memmgr.Col[uint64]
	archive, err := m.NewSequence("archive", &values)
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

	says, err := layout.Parse("program", []byte("ashlar layout 1\ncold archive\n")) // or a file, by layout.Source
	if err != nil {
		panic(err)
	}
	o := memmgr.AdaptOptions{}.With(says)
	o.Budget.Bytes = 256 << 10 // for one safe point
	if err := m.Adapt(o); err != nil {
		panic(err)
	}
	for range 100 { // frames
		if err := m.EndFrame(); err != nil { // moves within the budget, and gives memory back
			panic(err)
		}
	}
	st := m.Stats().Adapting
	fmt.Println(st.Moves, "chunks moved,", st.Waiting, "wait")
	// Output: 7 chunks moved, 0 wait
}
