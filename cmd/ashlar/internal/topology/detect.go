package topology

import (
	"io/fs"
	"os"
	"runtime"

	"github.com/klauspost/cpuid/v2"
)

// DetectOptions say where Detect looks. The zero value looks at this machine.
type DetectOptions struct {
	// Root is the tree that stands for /, with sys and proc in it. nil means the
	// real one on linux, and none elsewhere.
	Root fs.FS
	// Sysctl returns a number that the kernel keeps by that name. nil means the
	// real one on darwin, and none elsewhere or where Root is given.
	Sysctl func(name string) (value uint64, ok bool)
	// Processor is the processor's own word. nil means cpuid.
	Processor func() Processor
}

// Processor is what a processor says of itself. What it does not know is 0 or
// less.
type Processor struct {
	Model       string
	Line        int // bytes
	L1d, L2, L3 int // bytes of one instance
	Threads     int // of a core, which share its L1 and L2
}

// Detect describes this machine, field by field from the best source that has
// it. It can't fail. On linux it reads some forty small files, which takes a good
// part of a millisecond.
func Detect(o DetectOptions) Topology {
	t := Default()
	t.CPUs = Value{runtime.NumCPU(), SourceRuntime}
	t.Arch = Name{runtime.GOARCH, SourceRuntime}
	if n := os.Getpagesize(); n > 0 && n&(n-1) == 0 {
		t.Page = Value{n, SourceRuntime}
	}
	if o.Root == nil {
		if runtime.GOOS == "linux" {
			o.Root = os.DirFS("/")
		}
		if o.Sysctl == nil {
			o.Sysctl = sysctl()
		}
	}
	if o.Processor == nil {
		o.Processor = processor
	}
	t.fromProcessor(o.Processor())
	if o.Sysctl != nil {
		t.fromSysctl(o.Sysctl)
	}
	if o.Root != nil {
		t.fromSysfs(o.Root)
	}
	return t
}

// processor asks cpuid, which says -1 for what it does not know: everything on
// js/wasm, and the caches on linux/arm64.
func processor() Processor {
	c := &cpuid.CPU
	return Processor{Model: c.BrandName, Line: c.CacheLine, L1d: c.Cache.L1D, L2: c.Cache.L2, L3: c.Cache.L3, Threads: c.ThreadsPerCore}
}

// fromProcessor takes sizes from the processor, which does not say how many ways
// there are: those stay a guess, and are reported as one.
func (t *Topology) fromProcessor(p Processor) {
	if p.Model != "" {
		t.Model = Name{printable(p.Model), SourceCPUID}
	}
	if isLine(p.Line) {
		t.setLine(p.Line, SourceCPUID)
	}
	for i, bytes := range []int{p.L1d, p.L2, p.L3} {
		c := &t.Caches[i]
		if i < 2 && p.Threads > 0 && p.Threads <= 8 {
			c.SharedBy, c.SharedSource = p.Threads, SourceCPUID
		}
		c.resize(bytes, SourceCPUID)
	}
}

// setLine makes n the line of the machine, and of the caches that may have it.
func (t *Topology) setLine(n int, s Source) {
	t.Line = Value{n, s}
	for i := range t.Caches {
		if c := &t.Caches[i]; c.Bytes%n == 0 {
			c.Line = n
			c.fit()
		}
	}
}
