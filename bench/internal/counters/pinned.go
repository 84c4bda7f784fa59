// Package counters has cycles and processor time of threads, and binds threads to processors. Only this package and
// package arena make system calls.
package counters

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

// ThreadTime is the processor time of the calling thread. Where the system does not tell, it is the time.
func ThreadTime() time.Duration {
	if d, err := threadCPU(); err == nil {
		return d
	}
	return time.Since(begin)
}

var begin = time.Now()

// Pinned starts a goroutine with a thread of its own, which runs f on the n-th processor of the process, where the system
// can bind threads. The thread ends with f.
func Pinned(n int, f func()) {
	go func() {
		runtime.LockOSThread() // and never unlocked
		if err := bind(n); err != nil {
			panic(fmt.Sprintf("counters: a thread can't be bound to a processor here, so rows of several workers can't be measured: %v", err))
		}
		f()
	}()
}

// Free is the share of processors' time that n threads get, each bound to a processor, if they compute for so long at the
// same time: that of the one which gets least. It is 1 where the time of a thread is not known.
func Free(n int, long time.Duration) float64 {
	shares := make([]float64, n)
	var all sync.WaitGroup
	all.Add(n)
	for i := range n {
		Pinned(i, func() {
			defer all.Done()
			shares[i] = share(threadCPU, time.Now, long)
		})
	}
	all.Wait()
	least := 1.0
	for _, s := range shares {
		least = min(least, s)
	}
	return least
}

// share is the part of so long a time that the thread which computes it has run.
func share(cpu func() (time.Duration, error), now func() time.Time, long time.Duration) float64 {
	begin, err := cpu()
	if err != nil {
		return 1
	}
	start := now()
	wall := time.Duration(0)
	for x := uint64(1); wall < long && x != 0; wall = now().Sub(start) {
		for range 1000 {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
		}
	}
	end, err := cpu()
	if err != nil {
		return 1
	}
	return min(1, float64(end-begin)/float64(wall))
}
