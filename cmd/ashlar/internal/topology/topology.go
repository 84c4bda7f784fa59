// Package topology describes the machine's memory: caches, pages, huge pages,
// nodes. `ashlar topo` prints it. `ashlar advise` asks for [Topology.CacheBytes]. The
// caches are found by package caches, as the memory manager finds them.
//
//	sysfs (linux) or sysctl (darwin) → cpuid → usual figures, figure by figure
//
// Every figure has its source, since each of them may be a guess.
package topology

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"text/tabwriter"

	"github.com/klauspost/cpuid/v2"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/caches"
)

// Topology describes a machine.
type Topology struct {
	Facts  []Fact  // but for the caches
	Caches []Cache // of data, by level, one of each level; the first one is there
}

// Fact is one thing to know of a machine.
type Fact struct{ What, Value, Source string }

// Cache is one level of cache, as the fastest processor sees it.
type Cache struct {
	caches.Cache
	Source string // of Bytes
}

const guessed = "default" // the source of usual figures

// Options say where Detect looks. The zero value looks at this machine.
type Options struct {
	// Root is the tree that stands for /, with sys and proc in it. nil means the
	// real one on linux, and none elsewhere.
	Root fs.FS
	// Sysctl returns a number that the kernel keeps by that name. nil means the
	// real one on darwin, and none elsewhere or where Root is given.
	Sysctl func(name string) (value uint64, ok bool)
	// Processor is the processor's own word. nil means cpuid.
	Processor func() Processor
}

// Processor has a processor's figures of itself. An unknown one is 0 or less.
type Processor struct {
	Model   string
	Line    int    // bytes
	Caches  [3]int // bytes of one instance of each level
	Threads int    // of a core, which share its first two levels
}

// Detect describes this machine. It can't fail.
func Detect(o Options) Topology {
	if o.Root == nil {
		if runtime.GOOS == "linux" {
			o.Root = os.DirFS("/")
		}
		if o.Sysctl == nil {
			o.Sysctl = caches.Sysctl()
		}
	}
	if o.Root == nil {
		o.Root = none{}
	}
	if o.Sysctl == nil {
		o.Sysctl = func(string) (uint64, bool) { return 0, false }
	}
	if o.Processor == nil {
		o.Processor = processor
	}
	p, cpu := o.Processor(), caches.Fastest(o.Root)
	t := Topology{Caches: sysfsCaches(o.Root, cpu, o.caches(p))}
	t.add("architecture", runtime.GOARCH, "runtime")
	t.add("model", p.Model, "cpuid", boardModel(o.Root), "sysfs", "not known", guessed)
	t.add("processors", fmt.Sprint(runtime.NumCPU()), "runtime")
	t.add("memory", size(memTotal(o.Root)), "sysfs", size(o.number("hw.memsize")), "sysctl", "not known", guessed)
	if limit := arena.MemoryLimit(o.Root); limit != 0 {
		t.add("   limit", size(limit), "sysfs")
	}
	t.add("cache line", size(caches.Line(o.Root, cpu)), "sysfs", size(o.number("hw.cachelinesize")), "sysctl", size(atLeast0(p.Line)), "cpuid", size(64), guessed)
	t.add("page", size(uint64(os.Getpagesize())), "runtime")
	mode, huge := hugePages(o.Root)
	t.add("huge page", size(huge), "sysfs", "not known", guessed)
	t.add("huge pages given", mode, "sysfs", "not known", guessed)
	t.add("NUMA nodes", some(len(caches.List(caches.Text(o.Root, "sys/devices/system/node/online")))), "sysfs", "1", guessed)
	return t
}

// add adds a fact: the first of these values, each with its source, that is known.
func (t *Topology) add(what string, known ...string) {
	for len(known) > 2 && known[0] == "" {
		known = known[2:]
	}
	t.Facts = append(t.Facts, Fact{what, known[0], known[1]})
}

// processor asks cpuid, which says -1 for an unknown figure: everything on
// js/wasm, and the caches on linux/arm64.
func processor() Processor {
	c := &cpuid.CPU
	return Processor{Model: c.BrandName, Line: c.CacheLine, Caches: [3]int{c.Cache.L1D, c.Cache.L2, c.Cache.L3}, Threads: c.ThreadsPerCore}
}

// caches takes sizes from the best source but sysfs.
func (o Options) caches(p Processor) []Cache {
	list := []Cache{
		{caches.Cache{Level: 1, Kind: "data", Bytes: 32 << 10}, guessed},
		{caches.Cache{Level: 2, Kind: "unified", Bytes: 512 << 10}, guessed},
		{caches.Cache{Level: 3, Kind: "unified", Bytes: 8 << 20}, guessed},
	}
	for i := range list {
		c := &list[i]
		if n := atLeast0(p.Caches[i]); n > 0 {
			c.Bytes, c.Source = n, "cpuid"
		}
		if i < 2 {
			c.Shared = max(p.Threads, 0)
		}
	}
	known := caches.Kernel(o.Sysctl)
	for _, k := range known {
		c := &list[k.Level-1]
		if c.Bytes, c.Source = k.Bytes, "sysctl"; k.Shared > 0 {
			c.Shared = k.Shared
		}
	}
	if len(known) == 2 && list[2].Source != "sysctl" { // it knows, and there is no third level
		list = list[:2]
	}
	return list
}

// number is the first number that sysctl knows by one of these names; 0 if there is none.
func (o Options) number(names ...string) uint64 {
	for _, name := range names {
		if n, ok := o.Sysctl(name); ok && n > 0 {
			return n
		}
	}
	return 0
}

// CacheBytes is how much cache a processor has near it: its second level, or the first one where
// that is all.
func (t Topology) CacheBytes() uint64 {
	bytes := t.Caches[0].Bytes
	for _, c := range t.Caches {
		if c.Level == 2 {
			bytes = max(bytes, c.Bytes)
		}
	}
	return bytes
}

// Report writes a table for people: every figure with its source.
func (t Topology) Report(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(tw, "what\tvalue\tsource\n")
	for _, f := range t.Facts {
		fmt.Fprintf(tw, "%s\t%s\t%s\n", f.What, f.Value, f.Source)
	}
	for _, c := range t.Caches {
		shared := ""
		if c.Shared > 0 {
			shared = fmt.Sprintf(", shared by %d", c.Shared)
		}
		fmt.Fprintf(tw, "L%d %s\t%s%s\t%s\n", c.Level, c.Kind, size(c.Bytes), shared, c.Source)
	}
	return tw.Flush()
}

// none is a tree without files.
type none struct{}

func (none) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func atLeast0(n int) uint64 { return uint64(max(n, 0)) }

// some is a number; "" for none.
func some(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// size is an amount of bytes for people, exact up to GiB; "" for none.
func size(n uint64) string {
	switch {
	case n == 0:
		return ""
	case n >= 1<<30:
		return fmt.Sprintf("%.4g GiB", float64(n)/(1<<30))
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}
