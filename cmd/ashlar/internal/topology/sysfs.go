package topology

import (
	"io/fs"
	"strconv"
	"strings"

	"github.com/ashlar-go/ashlar/internal/arena"
)

const (
	valueMax = 1 << 30 // of any number but the memory
	bytesMax = 1 << 30 // of a cache or a page
	indexMax = 8       // caches that a processor may list
)

// fromSysfs takes what the linux kernel says, as far as it can be read and makes
// sense. Each file costs some ten microseconds, so only processor 0 is asked, not
// about instruction caches, and not for what follows from the rest.
func (t *Topology) fromSysfs(root fs.FS) {
	t.sysfsCaches(root)
	t.sysfsPages(root)
	if n := countList(read(root, "sys/devices/system/node/online")); n > 0 {
		t.Nodes = Value{n, SourceSysfs}
	}
	if devices, err := fs.ReadDir(root, "sys/bus/event_source/devices"); err == nil {
		t.Counters = Value{0, SourceSysfs}
		for _, d := range devices {
			if isCounters(d.Name()) {
				t.Counters.N = 1
			}
		}
	}
	first, _, _ := strings.Cut(read(root, "proc/meminfo"), "\n")
	if words := strings.Fields(first); len(words) == 3 && words[0] == "MemTotal:" && words[2] == "kB" {
		if n, err := strconv.ParseUint(words[1], 10, 53); err == nil && n <= memoryMax>>10 {
			t.Memory = Memory{n << 10, SourceSysfs}
		}
	}
	if n := arena.NewGauge(root).Limit(); n != 0 && n <= memoryMax {
		t.Limit = Memory{n, SourceSysfs}
	}
	if t.Model.Text == "" { // a board: its processor has no name to give
		if s := printable(strings.TrimRight(read(root, "sys/firmware/devicetree/base/model"), "\x00")); s != "" {
			t.Model = Name{s, SourceSysfs}
		}
	}
}

// isCounters says whether an event source is a processor's: cpu, and on machines
// with two sorts of processors cpu_core; armv8_pmuv3_0 and the like; Apple's.
func isCounters(name string) bool {
	return name == "cpu" || name == "cpu_core" || strings.HasPrefix(name, "armv") || strings.HasPrefix(name, "apple_")
}

func (t *Topology) sysfsPages(root fs.FS) {
	const dir = "sys/kernel/mm/transparent_hugepage/"
	switch mode := bracketed(read(root, dir+"enabled")); mode {
	case "always", "madvise", "never":
		t.HugeMode = Name{mode, SourceSysfs}
		t.HugePage = Value{N: 2 << 20} // of most machines; old kernels do not say
		if n, ok := number(read(root, dir+"hpage_pmd_size")); ok && isPage(n) {
			t.HugePage = Value{n, SourceSysfs}
		}
	}
}

func isPage(n int) bool { return n >= 512 && n <= bytesMax && n&(n-1) == 0 }

// sysfsCaches reads the caches of processor 0. If it lists any, those that it
// does not list are not there, and only a missing L1 is made up.
func (t *Topology) sysfsCaches(root fs.FS) {
	guess := *t // what the other sources say
	var caches []Cache
	for i := range indexMax {
		dir := "sys/devices/system/cpu/cpu0/cache/index" + strconv.Itoa(i) + "/"
		kind := read(root, dir+"type")
		if kind == "" {
			break
		}
		if kind != "Data" && kind != "Unified" {
			continue
		}
		level, ok := number(read(root, dir+"level"))
		if !ok || level < 1 || level > levelMax {
			continue
		}
		c := sysfsCache(root, dir, level, guess)
		if kind == "Unified" {
			c.Kind = Unified
		}
		known := Topology{Caches: caches}
		if _, twice := known.Cache(level); !twice && c.valid() {
			caches = append(caches, c)
		}
	}
	if len(caches) == 0 {
		return
	}
	t.Caches = caches
	if _, ok := t.Cache(1); !ok {
		t.Caches = append(t.Caches, guess.L1d())
	}
	sortCaches(t.Caches)
	if l1 := t.L1d(); l1.Source == SourceSysfs {
		t.Line = Value{l1.Line, SourceSysfs}
	}
}

// sysfsCache reads one cache. Sizes that are missing come from guess, if it has
// such a level; ways that are missing or make no sense are made up.
func sysfsCache(root fs.FS, dir string, level int, guess Topology) Cache {
	c, _ := guess.Cache(level)
	c.Level, c.Kind = level, Data
	c.SharedBy = max(c.SharedBy, 1)
	if n := countList(read(root, dir+"shared_cpu_list")); n > 0 {
		c.SharedBy, c.SharedSource = n, SourceSysfs
	}
	bytes, okBytes := sized(read(root, dir+"size"))
	line, okLine := number(read(root, dir+"coherency_line_size"))
	if okLine = okLine && isLine(line); okLine {
		c.Line = line
	}
	if c.Line == 0 {
		c.Line = guess.Line.N
	}
	if okBytes = okBytes && bytes > 0 && bytes%c.Line == 0; okBytes {
		c.Bytes = bytes
	}
	if okBytes && okLine {
		c.Source = SourceSysfs
	}
	if c.Bytes < c.Line || c.Bytes%c.Line != 0 {
		return Cache{} // nothing to go by
	}
	lines := c.Bytes / c.Line
	ways, ok := number(read(root, dir+"ways_of_associativity"))
	if !ok || ways == 0 { // some boards say only the other
		if sets, ok := number(read(root, dir+"number_of_sets")); ok && sets > 0 && lines%sets == 0 {
			ways = lines / sets
		}
	}
	if ways > 0 && lines%ways == 0 {
		c.setWays(ways, SourceSysfs)
	} else {
		c.fit()
	}
	return c
}

// read returns the trimmed contents of a small file, its first 4 KiB, or "".
func read(root fs.FS, name string) string {
	f, err := root.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	buf := make([]byte, 4096)
	n, _ := f.Read(buf)
	return strings.TrimSpace(string(buf[:max(n, 0)]))
}

func number(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 0 && n <= valueMax
}

// sized reads "32K", "1024K", "32M" or a plain number of bytes, up to bytesMax.
func sized(s string) (int, bool) {
	shift := 0
	switch {
	case strings.HasSuffix(s, "K"):
		shift = 10
	case strings.HasSuffix(s, "M"):
		shift = 20
	}
	if shift > 0 {
		s = s[:len(s)-1]
	}
	n, ok := number(s)
	if !ok || n > bytesMax>>shift {
		return 0, false
	}
	return n << shift, true
}

// countList counts the numbers of a list such as "0-3,8". 0: it is none.
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
		if n += b - a + 1; n <= 0 || n > valueMax {
			return 0
		}
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

// printable drops what can't stand in a description's quotes, and what is too
// much for a name.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == '"' || r == '\\' || r == 0x7f || r == '\uFFFD' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	if runes := []rune(s); len(runes) > nameMax {
		s = string(runes[:nameMax])
	}
	return strings.TrimSpace(s)
}

const nameMax = 128 // characters of a name
