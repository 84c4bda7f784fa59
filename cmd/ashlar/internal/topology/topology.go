// Package topology says what the machine looks like to memory: caches, pages,
// huge pages, nodes. Every value comes with its source, since all of them may be
// guesses; and a description can be read from a file, so that advice can be
// had for machines that one does not have.
//
//	Detect   sysfs (linux) or sysctl (darwin) → cpuid → default, field by field
//	Parse    a saved or hand-written description, the rest from Default
//
//	L1d 48 KiB            one way, 4 KiB          set 5 of every way
//	┌─────────────┐       ┌──────────┐            holds the lines at
//	│ 12 ways     │   =   │ 64 sets  │  × 12      offset 5 × 64 B of
//	└─────────────┘       └──────────┘            every 4 KiB
//
// A line is what caches move. A set holds as many lines as there are ways, and
// the addresses that differ by a multiple of Cache.WayBytes compete for one set.
//
// What always holds for what Detect, Default and Parse return: Bytes = Ways × Sets
// × Line in every cache; lines and pages are powers of two; caches are in order of
// level and kind, no two alike; there is a data or unified cache of level 1.
//
// Nothing is decided by it but what `ashlar advise` says: no package that programs use
// asks for it.
package topology

import (
	"cmp"
	"slices"
)

// Value is a number and where it comes from.
type Value struct {
	N      int
	Source Source
}

// Name is a word or name and where it comes from.
type Name struct {
	Text   string
	Source Source
}

// Memory is an amount of memory and where it comes from. It has 64 bits because
// a program of 32 bits may run on a machine with more than it can address.
type Memory struct {
	Bytes  uint64 // 0: not known
	Source Source
}

// Topology describes a machine. It is plain data: two are the same if Equal says
// so, and a copy shares Caches.
type Topology struct {
	Arch     Name    // as GOARCH has it
	Model    Name    // the processor or board, for people; "" if not known
	CPUs     Value   // processors that this process may use
	Line     Value   // bytes of a cache line
	Page     Value   // bytes of a page
	HugePage Value   // bytes of a huge page; 0 if there are none
	HugeMode Name    // when memory gets huge pages: always, madvise, never; none if there are none
	Nodes    Value   // NUMA nodes
	Counters Value   // 1 if the machine has hardware counters; package counters knows if they may be opened
	Memory   Memory  // of the whole machine
	Limit    Memory  // on that, of the control group of this process; 0 is none
	Caches   []Cache // by level, then kind
}

// Kind is what a cache holds.
type Kind uint8

const (
	// Data is a cache of data alone.
	Data Kind = iota
	// Instruction is a cache of instructions alone. Detect reports none, since
	// nothing is decided by them and reading them costs time.
	Instruction
	// Unified is a cache of both.
	Unified
)

func (k Kind) String() string {
	switch k {
	case Data:
		return "data"
	case Instruction:
		return "instruction"
	}
	return "unified"
}

// Cache is one level and kind of cache, as processor 0 sees it. Where processors
// differ that is one of the fast ones, as a rule.
type Cache struct {
	Level        int
	Kind         Kind
	Bytes        int // of one instance
	Ways         int
	Sets         int
	Line         int    // bytes
	SharedBy     int    // processors that share one instance
	Source       Source // of Bytes and Line
	WaysSource   Source // of Ways and Sets, which fewer sources know
	SharedSource Source // of SharedBy
}

// WayBytes is the size of one way: addresses that differ by a multiple of it
// compete for the same set. 0 for the zero Cache.
func (c Cache) WayBytes() int { return c.Sets * c.Line }

// valid says whether the parts of a cache agree with each other.
func (c Cache) valid() bool {
	return c.Level >= 1 && c.Level <= levelMax && c.Ways >= 1 && c.Sets >= 1 && c.SharedBy >= 1 && isLine(c.Line) &&
		c.Bytes%c.Line == 0 && c.Bytes/c.Line%c.Ways == 0 && c.Bytes/c.Line/c.Ways == c.Sets
}

const (
	levelMax = 8
	lineMin  = 16
	lineMax  = 4096
)

func isLine(n int) bool { return n >= lineMin && n <= lineMax && n&(n-1) == 0 }

// Default is a machine such as most are: 32 KiB of L1 with 8 ways, 512 KiB of L2
// with 8 ways, 8 MiB of L3 with 16 ways, 64 B lines, 4 KiB pages. It costs one
// allocation and asks nothing.
func Default() Topology {
	return Topology{
		CPUs: Value{N: 1}, Line: Value{N: 64}, Page: Value{N: 4096}, HugeMode: Name{Text: "none"}, Nodes: Value{N: 1},
		Arch: Name{Text: "unknown"},
		Caches: []Cache{
			{Level: 1, Kind: Data, Bytes: 32 << 10, Ways: 8, Sets: 64, Line: 64, SharedBy: 1},
			{Level: 2, Kind: Unified, Bytes: 512 << 10, Ways: 8, Sets: 1024, Line: 64, SharedBy: 1},
			{Level: 3, Kind: Unified, Bytes: 8 << 20, Ways: 16, Sets: 8192, Line: 64, SharedBy: 1},
		},
	}
}

// Cache returns the cache of a level that holds data; ok is false if there is
// none.
func (t Topology) Cache(level int) (c Cache, ok bool) {
	for _, c := range t.Caches {
		if c.Level == level && c.Kind != Instruction {
			return c, true
		}
	}
	return Cache{}, false
}

// L1d returns the first cache that holds data. Detect, Default and Parse always
// leave one.
func (t Topology) L1d() Cache { c, _ := t.Cache(1); return c }

// L2 returns the cache of level 2 that holds data, or the zero Cache if the
// machine has none.
func (t Topology) L2() Cache { c, _ := t.Cache(2); return c }

// L3 returns the cache of level 3 that holds data, or the zero Cache if the
// machine has none.
func (t Topology) L3() Cache { c, _ := t.Cache(3); return c }

// Equal says whether two descriptions are the same, sources included.
func (t Topology) Equal(o Topology) bool {
	return t.Arch == o.Arch && t.Model == o.Model && t.CPUs == o.CPUs && t.Line == o.Line && t.Page == o.Page &&
		t.HugePage == o.HugePage && t.HugeMode == o.HugeMode && t.Nodes == o.Nodes && t.Counters == o.Counters &&
		t.Memory == o.Memory && t.Limit == o.Limit && slices.Equal(t.Caches, o.Caches)
}

// sortCaches puts caches into their order.
func sortCaches(caches []Cache) {
	slices.SortStableFunc(caches, func(a, b Cache) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Kind, b.Kind))
	})
}
