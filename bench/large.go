package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"strings"

	"github.com/ashlar-go/ashlar/bench/internal/churn"
)

// Rows that need most of a machine's memory and a minute or two: they are measured with
// -large alone.

// largeEach is what an entity of churn takes, generously.
const largeEach = 120

// largeRows are those.
func largeRows() []row {
	return []row{apartRow(fmt.Sprintf("60 frames of churn, %d M rows: memory by before", largeEntities()/1_000_000), times, 1.03, false, "churn, large", "")}
}

// largeEntities is as many as fit into what memory is free, up to 100 million.
func largeEntities() int {
	free := freeMemory()
	if math.IsNaN(free) {
		return 1_000_000
	}
	return min(int(free*0.9/largeEach)/1_000_000*1_000_000, 100_000_000)
}

// freeMemory reads Linux's /proc; NaN elsewhere.
func freeMemory() float64 {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return math.NaN()
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "MemAvailable:"); ok {
			var kib float64
			if _, err := fmt.Sscan(rest, &kib); err == nil {
				return kib * 1024
			}
		}
	}
	return math.NaN()
}

// largeChurn is resident memory after 60 frames by what it was before.
func largeChurn() float64 {
	stage := churn.Programs()[0].Variants[0].Open(largeEntities())
	size := func() float64 {
		debug.FreeOSMemory()
		return resident()
	}
	stage.Frame()
	before := size()
	for range 60 {
		stage.Frame()
	}
	return size() / before
}
