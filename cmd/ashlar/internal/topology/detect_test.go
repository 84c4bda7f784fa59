package topology

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

func tree(trees ...map[string]string) fstest.MapFS {
	m := fstest.MapFS{}
	for _, files := range trees {
		for name, text := range files {
			m[name] = &fstest.MapFile{Data: []byte(text + "\n")}
		}
	}
	return m
}

// cacheFiles are the files of sysfs about one cache of a processor; "" is a missing one.
func cacheFiles(cpu, index int, level, kind, size, line, shared string) map[string]string {
	m := map[string]string{}
	for name, text := range map[string]string{"level": level, "type": kind, "size": size, "coherency_line_size": line, "shared_cpu_list": shared} {
		if text != "" {
			m[fmt.Sprintf("sys/devices/system/cpu/cpu%d/cache/index%d/%s", cpu, index, name)] = text
		}
	}
	return m
}

var (
	zen = tree(map[string]string{
		"sys/devices/system/cpu/online":                     "0-15",
		"sys/kernel/mm/transparent_hugepage/enabled":        "always [madvise] never",
		"sys/kernel/mm/transparent_hugepage/hpage_pmd_size": "2097152",
		"sys/devices/system/node/online":                    "0-1",
		"proc/meminfo":                                      "MemTotal:       24684084 kB\nMemFree: 1 kB",
		"proc/self/cgroup":                                  "0::/games/life\n",
		"sys/fs/cgroup/games/life/memory.max":               "2147483648\n",
	},
		cacheFiles(0, 0, "1", "Data", "32K", "64", "0,8"),
		cacheFiles(0, 1, "1", "Instruction", "64K", "64", "0,8"),
		cacheFiles(0, 2, "2", "Unified", "1024K", "64", "0,8"),
		cacheFiles(0, 3, "3", "Unified", "32M", "64", "0-15"))
	// Processor 0 is offline, and index 1 is missing.
	offline = tree(map[string]string{"sys/devices/system/cpu/online": "2-3,5"},
		cacheFiles(2, 0, "1", "Data", "48K", "128", "2-3"),
		cacheFiles(2, 2, "2", "Unified", "2048K", "128", "2-3"))
	// The slow processors come first; the fastest one decides.
	littleBig = tree(map[string]string{
		"sys/devices/system/cpu/online":            "0-7",
		"sys/devices/system/cpu/cpu0/cpu_capacity": "300",
		"sys/devices/system/cpu/cpu4/cpu_capacity": "700",
		"sys/devices/system/cpu/cpu7/cpu_capacity": "1024",
		"sys/firmware/devicetree/base/model":       "A phone\x00",
	},
		cacheFiles(0, 0, "1", "Data", "32K", "64", "0"),
		cacheFiles(4, 0, "1", "Data", "48K", "64", "4"),
		cacheFiles(7, 0, "1", "Data", "64K", "64", "7"),
		cacheFiles(7, 1, "2", "Unified", "1024K", "64", "7"))
	hybrid = tree(map[string]string{
		"sys/devices/system/cpu/online":                        "0-1",
		"sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq": "3800000",
		"sys/devices/system/cpu/cpu1/cpufreq/cpuinfo_max_freq": "5200000",
	},
		cacheFiles(0, 0, "2", "Unified", "4096K", "64", "0"),
		cacheFiles(1, 0, "2", "Unified", "2048K", "64", "1"))
	// Boards of ARM list caches without sizes.
	board = tree(map[string]string{"sys/devices/system/cpu/online": "0-3"},
		cacheFiles(0, 0, "1", "Data", "", "64", "0"),
		cacheFiles(0, 1, "1", "Instruction", "", "64", "0"),
		cacheFiles(0, 2, "2", "Unified", "", "64", "0-3"),
		cacheFiles(0, 3, "4", "Unified", "", "64", "0-3"))
	garbage = tree(map[string]string{
		"sys/devices/system/cpu/online":              "0-x",
		"sys/kernel/mm/transparent_hugepage/enabled": "maybe",
		"sys/devices/system/node/online":             "x-",
		"proc/meminfo":                               "MemTotal: many kB",
	},
		cacheFiles(0, 0, "one", "Data", "-5K", "zero", "9-1"),
		cacheFiles(0, 1, "0", "Data", "33", "63", "0"),
		cacheFiles(0, 2, "2", "Unified", "99999999999999999999M", "8192", "0-70000"),
		cacheFiles(0, 3, "2", "Unified", "8K", "64", "0"))
)

// short has the facts that differ from the facts of an unknown machine, and the caches.
func short(t Topology) string {
	var b strings.Builder
	for _, f := range t.Facts {
		if f.Source != "runtime" && f.Source != guessed {
			fmt.Fprintf(&b, "%s %s (%s); ", strings.TrimSpace(f.What), f.Value, f.Source)
		}
	}
	for _, c := range t.Caches {
		fmt.Fprintf(&b, "L%d %s %s by %d (%s); ", c.Level, c.Kind, size(c.Bytes), c.Shared, c.Source)
	}
	return b.String()
}

const unknown = "L1 data 32 KiB by 0 (default); L2 unified 512 KiB by 0 (default); L3 unified 8 MiB by 0 (default); "

func TestDetectSysfs(t *testing.T) {
	silent := Processor{Line: -1, Caches: [3]int{-1, 0, -1}, Threads: -1}
	for _, tt := range []struct {
		name   string
		root   fs.FS
		cpu    Processor
		want   string
		nearby uint64
	}{
		{"zen", zen, silent, "memory 23.54 GiB (sysfs); limit 2 GiB (sysfs); cache line 64 B (sysfs); huge page 2 MiB (sysfs); huge pages given madvise (sysfs); NUMA nodes 2 (sysfs); " +
			"L1 data 32 KiB by 2 (sysfs); L2 unified 1 MiB by 2 (sysfs); L3 unified 32 MiB by 16 (sysfs); ", 1 << 20},
		{"the first processor is offline", offline, silent, "cache line 128 B (sysfs); L1 data 48 KiB by 2 (sysfs); L2 unified 2 MiB by 2 (sysfs); ", 2 << 20},
		{"the last processor is the fastest", littleBig, silent, "model A phone (sysfs); cache line 64 B (sysfs); L1 data 64 KiB by 1 (sysfs); L2 unified 1 MiB by 1 (sysfs); ", 1 << 20},
		{"by frequency, and no first level", hybrid, silent, "cache line 64 B (sysfs); L1 data 32 KiB by 0 (default); L2 unified 2 MiB by 1 (sysfs); ", 2 << 20},
		{"no sizes", board, Processor{Caches: [3]int{64 << 10, 0, 0}}, "cache line 64 B (sysfs); L1 data 64 KiB by 1 (cpuid); L2 unified 512 KiB by 4 (default); ", 512 << 10},
		{"garbage", garbage, silent, "cache line 64 B (sysfs); L1 data 32 KiB by 0 (default); L2 unified 512 KiB by 0 (default); ", 512 << 10},
		{"nothing but the processor", tree(), Processor{Model: "M", Line: 128, Caches: [3]int{48 << 10, 12 << 20, -1}, Threads: 2},
			"model M (cpuid); cache line 128 B (cpuid); L1 data 48 KiB by 2 (cpuid); L2 unified 12 MiB by 2 (cpuid); L3 unified 8 MiB by 0 (default); ", 12 << 20},
		{"nothing can be opened", failing{}, silent, unknown, 512 << 10},
	} {
		top := Detect(Options{Root: tt.root, Processor: func() Processor { return tt.cpu }})
		if got := short(top); got != tt.want || top.CacheBytes() != tt.nearby {
			t.Errorf("%s: got\n%s, %d B near; want\n%s, %d B", tt.name, got, top.CacheBytes(), tt.want, tt.nearby)
		}
	}
}

func TestDetectSysctl(t *testing.T) {
	apple := map[string]uint64{"hw.cachelinesize": 128, "hw.memsize": 16 << 30, "hw.l1dcachesize": 64 << 10, "hw.l2cachesize": 4 << 20,
		"hw.perflevel0.l1dcachesize": 128 << 10, "hw.perflevel0.l2cachesize": 12 << 20, "hw.perflevel0.cpusperl2": 4}
	intel := map[string]uint64{"hw.cachelinesize": 64, "hw.l1dcachesize": 32 << 10, "hw.l2cachesize": 256 << 10, "hw.l3cachesize": 6 << 20}
	for _, tt := range []struct {
		name string
		says map[string]uint64
		want string
	}{
		{"apple", apple, "memory 16 GiB (sysctl); cache line 128 B (sysctl); L1 data 128 KiB by 0 (sysctl); L2 unified 12 MiB by 4 (sysctl); "},
		{"intel", intel, "cache line 64 B (sysctl); L1 data 32 KiB by 0 (sysctl); L2 unified 256 KiB by 0 (sysctl); L3 unified 6 MiB by 0 (sysctl); "},
		{"nothing", nil, unknown},
	} {
		ask := func(name string) (uint64, bool) { n, ok := tt.says[name]; return n, ok }
		if got := short(Detect(Options{Root: tree(), Sysctl: ask, Processor: func() Processor { return Processor{} }})); got != tt.want {
			t.Errorf("%s: got\n%s, want\n%s", tt.name, got, tt.want)
		}
	}
}

type failing struct{}

func (failing) Open(string) (fs.File, error) { return nil, fs.ErrPermission }

// Every figure of the report has a value and a source.
func TestReport(t *testing.T) {
	for _, o := range []Options{{}, {Root: tree()}, {Root: zen, Processor: func() Processor { return Processor{} }}} {
		var b strings.Builder
		if err := Detect(o).Report(&b); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for i, line := range strings.Split(strings.TrimSpace(b.String()), "\n") {
			cells := strings.FieldsFunc(strings.ReplaceAll(line, "  ", "\t"), func(r rune) bool { return r == '\t' })
			if len(cells) != 3 || seen[cells[0]] {
				t.Errorf("line %d has %q", i, cells)
			}
			seen[cells[0]] = true
		}
		for _, want := range []string{"architecture", "cache line", "L1 data", "page"} {
			if !seen[want] {
				t.Errorf("no %s in\n%s", want, b.String())
			}
		}
	}
}

func BenchmarkDetect(b *testing.B) {
	for b.Loop() {
		Detect(Options{})
	}
}
