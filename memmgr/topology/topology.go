// Package topology says what the machine looks like to memory: caches, pages,
// huge pages, nodes. Every value comes with its source, since all of them may be
// guesses; and a description can be read from a file, so that decisions can be
// tested for machines that one does not have.
//
//	Detect:  sysfs (linux) → cpuid → default, field by field
//	Parse:   a saved or hand-written description, the rest from Default
//
// No result of a program depends on a topology: only time and place do.
package topology

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Source is where a value comes from.
type Source uint8

const (
	// SourceDefault is what most machines have.
	SourceDefault Source = iota
	// SourceCPUID is the processor's own word.
	SourceCPUID
	// SourceSysfs is the linux kernel's word.
	SourceSysfs
	// SourceRuntime is the Go runtime's word.
	SourceRuntime
	// SourceFile is a description that was read by Parse.
	SourceFile
)

func (s Source) String() string {
	return [...]string{"default", "cpuid", "sysfs", "runtime", "file"}[s]
}

// Value is a number and where it comes from.
type Value struct {
	N      int
	Source Source
}

// Cache is one level of data or unified cache.
type Cache struct {
	Level    int
	Bytes    int // of one instance
	Ways     int
	Sets     int
	Line     int
	SharedBy int // processors that share one instance
	Source   Source
}

// WayBytes is the size of one way: addresses that differ by a multiple of it
// compete for the same set.
func (c Cache) WayBytes() int { return c.Sets * c.Line }

// Topology describes a machine.
type Topology struct {
	CPUs     Value
	Line     Value   // bytes of a cache line
	Page     Value   // bytes of a page
	HugePage Value   // bytes of a huge page; 0 if there are none
	HugeMode Mode    // when the kernel gives huge pages
	Nodes    Value   // NUMA nodes
	Counters Value   // 1 if hardware counters may be opened, 0 if not
	Caches   []Cache // data and unified, by level
}

// Mode is when the kernel gives huge pages to memory.
type Mode struct {
	Word   string // always, madvise or never
	Source Source
}

// Default is a machine such as most are: 32 KiB of L1 with 8 ways, 512 KiB of L2
// with 8 ways, 8 MiB of L3 with 16 ways, 64 B lines, 4 KiB pages.
func Default() Topology {
	return Topology{
		CPUs: Value{N: 1}, Line: Value{N: 64}, Page: Value{N: 4096}, HugePage: Value{N: 0},
		HugeMode: Mode{Word: "never"}, Nodes: Value{N: 1}, Counters: Value{},
		Caches: []Cache{
			{Level: 1, Bytes: 32 << 10, Ways: 8, Sets: 64, Line: 64, SharedBy: 1},
			{Level: 2, Bytes: 512 << 10, Ways: 8, Sets: 1024, Line: 64, SharedBy: 1},
			{Level: 3, Bytes: 8 << 20, Ways: 16, Sets: 8192, Line: 64, SharedBy: 1},
		},
	}
}

// Cache returns the cache of a level; ok is false if there is none.
func (t Topology) Cache(level int) (c Cache, ok bool) {
	for _, c := range t.Caches {
		if c.Level == level {
			return c, true
		}
	}
	return Cache{}, false
}

// Report writes a table for people: every value with its source.
func (t Topology) Report(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(tw, "what\tvalue\tsource\n")
	fmt.Fprintf(tw, "processors\t%d\t%v\n", t.CPUs.N, t.CPUs.Source)
	fmt.Fprintf(tw, "cache line\t%d B\t%v\n", t.Line.N, t.Line.Source)
	for _, c := range t.Caches {
		fmt.Fprintf(tw, "L%d data\t%s, %d ways, %d sets, line %d B, shared by %d\t%v\n", c.Level, size(c.Bytes), c.Ways, c.Sets, c.Line, c.SharedBy, c.Source)
	}
	fmt.Fprintf(tw, "page\t%s\t%v\n", size(t.Page.N), t.Page.Source)
	if t.HugePage.N > 0 {
		fmt.Fprintf(tw, "huge page\t%s\t%v\n", size(t.HugePage.N), t.HugePage.Source)
	} else {
		fmt.Fprintf(tw, "huge page\tnone\t%v\n", t.HugePage.Source)
	}
	fmt.Fprintf(tw, "huge pages given\t%s\t%v\n", t.HugeMode.Word, t.HugeMode.Source)
	fmt.Fprintf(tw, "NUMA nodes\t%d\t%v\n", t.Nodes.N, t.Nodes.Source)
	counters := "not to be had"
	if t.Counters.N != 0 {
		counters = "may be opened"
	}
	fmt.Fprintf(tw, "hardware counters\t%s\t%v\n", counters, t.Counters.Source)
	return tw.Flush()
}

func size(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}
