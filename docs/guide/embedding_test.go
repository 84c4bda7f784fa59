package guide

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/memmgr"
)

type point struct{ X, Y float32 }

func Example_embedding() {
	m := must(memmgr.New(memmgr.Options{}))
	defer func() { check(m.Close()) }()

	var times memmgr.Col[int64]
	var at memmgr.Col[point]
	track := must(m.NewSequence("track", &times, &at))

	for i := range int64(10_000) {
		l := must(track.Append()) // a location: it stays good when chunks move
		times.Set(l, 10*i)
		at.Set(l, point{float32(i), 0})
	}
	last := track.At(track.Len() - 1)
	fmt.Println(track.Len(), *times.At(last), *at.At(last))

	far := float32(0)
	for l, ts := range times.Chunks(track) {
		ps := at.Slice(l) // the same rows of the other column
		for i := range ts {
			far = max(far, ps[i].X)
		}
	}
	fmt.Println(far)

	sum := int64(0)
	for l, n := range track.Runs(10, 20) {
		for _, t := range times.Slice(l)[:n] {
			sum += t
		}
	}
	fmt.Println(sum)

	track.SwapRemove(track.At(0)) // the last row takes its place
	track.RemoveRange(0, 10)      // keeps the order, copies the rest
	fmt.Println(track.Len(), *times.At(track.At(0)))

	went := track.DropFirst(6000) // whole chunks, and no row behind the first 6,000
	fmt.Println(0 < went, went <= 6000)

	var odd []memmgr.Loc
	for l, ts := range times.Chunks(track) {
		for i, t := range ts {
			if t%20 != 0 {
				odd = append(odd, l.Plus(uint32(i)))
			}
		}
	}
	for _, l := range slices.Backward(odd) {
		track.SwapRemove(l) // returns where the last row was, for an index of your own
	}
	track.RemoveFunc(func(l memmgr.Loc) bool { return *times.At(l)%20 != 0 })

	check(m.EndFrame())

	unpin, all := track.Pin(), times.Slices(track) // by the owner
	latest := make(chan int64)
	go func() { // any goroutine reads and unpins
		defer close(latest)
		defer unpin()
		t := int64(0)
		for _, ts := range all {
			t = max(t, slices.Max(ts))
		}
		latest <- t
	}()
	must(track.Append()) // the owner goes on
	fmt.Println(<-latest)
	<-latest

	track.SetLimit(512 << 10)
	var err error
	for err == nil {
		_, err = track.Append()
	}
	fmt.Println(errors.Is(err, memmgr.ErrSequenceLimit))

	check(m.Check())
	track.Drop()
	fmt.Println(len(m.Stats().Sequences))
	// Output:
	// 10000 99990 {9999 0}
	// 9999
	// 1450
	// 9989 100
	// true true
	// 99980
	// true
	// 0
}
