package counters_test

import (
	"fmt"
	"runtime"

	"github.com/ashlar-go/ashlar/internal/profile/counters"
)

// The source depends on the machine; what is not known is NaN.
func ExampleMeter() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	m := counters.New()
	defer m.Close()
	work := make([]int, 1<<20)
	m.Start()
	for i := range work {
		work[i] += i
	}
	r := m.Stop()
	fmt.Println(r.Source == m.Source(), r.CPU <= r.Wall)
	// Output: true true
}

func ExampleOpen() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	g, err := counters.Open(counters.PageFaults)
	if err != nil {
		fmt.Println("counted nothing") // err says why, and what to do
		return
	}
	defer g.Close()
	var n [1]uint64
	if err := g.Read(n[:]); err != nil {
		fmt.Println(err)
	}
	fmt.Println("counted", len(g.Events()), "event")
}
