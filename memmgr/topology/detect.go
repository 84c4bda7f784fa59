package topology

import (
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// DetectOptions say where Detect looks. The zero value looks at this machine.
type DetectOptions struct {
	// Sysfs is the tree below /sys; nil means the real one, on linux.
	Sysfs fs.FS
	// Processor is the processor's own word on its caches; nil means cpuid.
	Processor func() (line, l1, l2, l3 int)
}

// Detect describes this machine, field by field from the best source that has
// it. It can't fail. On linux it reads some thirty small files, which takes most
// of a millisecond: keep the result.
func Detect(o DetectOptions) Topology {
	t := Default()
	t.CPUs = Value{runtime.NumCPU(), SourceRuntime}
	if o.Sysfs == nil {
		t.Page = Value{os.Getpagesize(), SourceRuntime}
		if runtime.GOOS == "linux" {
			o.Sysfs = os.DirFS("/sys")
		}
	}
	if o.Processor == nil {
		o.Processor = func() (line, l1, l2, l3 int) {
			c := &cpuid.CPU
			return c.CacheLine, c.Cache.L1D, c.Cache.L2, c.Cache.L3
		}
	}
	t.fromProcessor(o.Processor())
	if o.Sysfs != nil {
		t.fromSysfs(o.Sysfs)
	}
	return t
}

// fromProcessor takes sizes from cpuid, which knows no ways: sets are set so that
// size and the default ways agree. -1 and 0 mean that it does not know.
func (t *Topology) fromProcessor(line, l1, l2, l3 int) {
	if line > 0 && line&(line-1) == 0 {
		t.Line = Value{line, SourceCPUID}
	}
	for i, bytes := range []int{l1, l2, l3} {
		if c := &t.Caches[i]; bytes > 0 && bytes%(c.Ways*t.Line.N) == 0 {
			c.Bytes, c.Line, c.Sets, c.Source = bytes, t.Line.N, bytes/(c.Ways*t.Line.N), SourceCPUID
		}
	}
}

// fromSysfs takes what the linux kernel says, as far as it can be read and makes
// sense.
func (t *Topology) fromSysfs(sys fs.FS) {
	if caches := sysfsCaches(sys); len(caches) > 0 {
		t.Caches = caches
		t.Line = Value{caches[0].Line, SourceSysfs}
	}
	const thp = "kernel/mm/transparent_hugepage/"
	if word := bracketed(read(sys, thp+"enabled")); word != "" {
		t.HugeMode = Mode{word, SourceSysfs}
		if n, ok := number(read(sys, thp+"hpage_pmd_size")); ok {
			t.HugePage = Value{n, SourceSysfs}
		}
	}
	if n := countList(read(sys, "devices/system/node/online")); n > 0 {
		t.Nodes = Value{n, SourceSysfs}
	}
	if _, err := fs.Stat(sys, "bus/event_source/devices/cpu"); err == nil {
		t.Counters = Value{1, SourceSysfs}
	} else {
		t.Counters = Value{0, SourceSysfs}
	}
}

// sysfsCaches reads the data and unified caches of processor 0.
func sysfsCaches(sys fs.FS) (caches []Cache) {
	for i := range 8 {
		dir := "devices/system/cpu/cpu0/cache/index" + strconv.Itoa(i) + "/"
		kind := read(sys, dir+"type")
		if kind == "" {
			break
		}
		if kind == "Instruction" {
			continue
		}
		c := Cache{Source: SourceSysfs, SharedBy: max(countList(read(sys, dir+"shared_cpu_list")), 1)}
		var okLevel, okBytes, okWays, okLine bool
		c.Level, okLevel = number(read(sys, dir+"level"))
		c.Bytes, okBytes = sized(read(sys, dir+"size"))
		c.Ways, okWays = number(read(sys, dir+"ways_of_associativity"))
		c.Sets, _ = number(read(sys, dir+"number_of_sets"))
		c.Line, okLine = number(read(sys, dir+"coherency_line_size"))
		if !okLevel || !okBytes || !okLine || c.Bytes == 0 || c.Line == 0 {
			continue
		}
		if !okWays || c.Ways == 0 { // some boards do not say
			c.Ways = 8
		}
		if c.Sets == 0 {
			c.Sets = c.Bytes / (c.Ways * c.Line)
		}
		if c.Sets > 0 {
			caches = append(caches, c)
		}
	}
	return caches
}

// read returns the trimmed contents of a small file, or "".
func read(sys fs.FS, name string) string {
	f, err := sys.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	buf := make([]byte, 4096)
	n, _ := f.Read(buf)
	return strings.TrimSpace(string(buf[:n]))
}

func number(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 0 && n < 1<<30
}

// sized reads "32K", "1024K", "32M" or a plain number.
func sized(s string) (int, bool) {
	shift := 0
	switch {
	case strings.HasSuffix(s, "K"):
		shift = 10
	case strings.HasSuffix(s, "M"):
		shift = 20
	}
	n, ok := number(strings.TrimRight(s, "KM"))
	return n << shift, ok && n < 1<<30>>shift
}

// countList counts the numbers of a list such as "0-3,8".
func countList(s string) (n int) {
	for part := range strings.SplitSeq(s, ",") {
		lo, hi, isRange := strings.Cut(part, "-")
		a, ok := number(lo)
		if !ok {
			return 0
		}
		b := a
		if isRange {
			if b, ok = number(hi); !ok || b < a {
				return 0
			}
		}
		n += b - a + 1
	}
	return n
}

// bracketed returns the word in brackets of "always [madvise] never".
func bracketed(s string) string {
	_, s, ok := strings.Cut(s, "[")
	word, _, ok2 := strings.Cut(s, "]")
	if !ok || !ok2 {
		return ""
	}
	return word
}
