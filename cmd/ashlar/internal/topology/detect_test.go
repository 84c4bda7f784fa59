package topology

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

func tree(files map[string]string) fstest.MapFS {
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text + "\n")}
	}
	return m
}

// cacheFiles are what sysfs says of one cache of processor 0; "" is not there.
func cacheFiles(index int, level, kind, size, ways, sets, line, shared string) map[string]string {
	m := map[string]string{}
	for name, text := range map[string]string{"level": level, "type": kind, "size": size, "ways_of_associativity": ways,
		"number_of_sets": sets, "coherency_line_size": line, "shared_cpu_list": shared} {
		if text != "" {
			m[fmt.Sprintf("sys/devices/system/cpu/cpu0/cache/index%d/%s", index, name)] = text
		}
	}
	return m
}

func merged(trees ...map[string]string) map[string]string {
	all := map[string]string{}
	for _, m := range trees {
		maps.Copy(all, m)
	}
	return all
}

var (
	zen = merged(map[string]string{
		"sys/kernel/mm/transparent_hugepage/enabled":        "always [madvise] never",
		"sys/kernel/mm/transparent_hugepage/hpage_pmd_size": "2097152",
		"sys/devices/system/node/online":                    "0-1",
		"sys/bus/event_source/devices/cpu/type":             "4",
		"proc/meminfo":                                      "MemTotal:       24684084 kB\nMemFree: 1 kB",
		"proc/self/cgroup":                                  "0::/games/life\n",
		"sys/fs/cgroup/games/life/memory.max":               "2147483648\n",
	},
		cacheFiles(0, "1", "Data", "32K", "8", "64", "64", "0,8"),
		cacheFiles(1, "1", "Instruction", "32K", "8", "64", "64", "0,8"),
		cacheFiles(2, "2", "Unified", "1024K", "8", "2048", "64", "0,8"),
		cacheFiles(3, "3", "Unified", "32M", "16", "32768", "64", "0-15"))
	hybrid = merged(map[string]string{
		"sys/kernel/mm/transparent_hugepage/enabled": "[always] madvise never",
		"sys/bus/event_source/devices/cpu_core/type": "4",
		"sys/bus/event_source/devices/cpu_atom/type": "10",
	},
		cacheFiles(0, "1", "Data", "48K", "12", "64", "64", "0-1"),
		cacheFiles(1, "1", "Instruction", "32K", "8", "64", "64", "0-1"),
		cacheFiles(2, "2", "Unified", "2048K", "16", "2048", "64", "0-1"),
		cacheFiles(3, "3", "Unified", "36864K", "12", "49152", "64", "0-31"))
	board = merged(map[string]string{ // a Raspberry Pi: no L3, and older kernels do not say the ways
		"sys/firmware/devicetree/base/model":              "Raspberry Pi 4 Model B Rev 1.2\x00",
		"sys/bus/event_source/devices/armv8_cortex_a72/t": "1",
		"sys/bus/event_source/devices/software/type":      "1",
	},
		cacheFiles(0, "1", "Data", "32K", "", "", "64", "0"),
		cacheFiles(1, "1", "Instruction", "48K", "", "", "64", "0"),
		cacheFiles(2, "2", "Unified", "1024K", "", "1024", "64", "0-3"))
	garbage = merged(map[string]string{
		"sys/kernel/mm/transparent_hugepage/enabled": "maybe",
		"sys/devices/system/node/online":             "x-",
		"sys/bus/event_source/devices/software/type": "1",
		"proc/meminfo": "MemTotal: many kB",
	},
		cacheFiles(0, "one", "Data", "-5K", "0", "0", "zero", "9-1"),
		cacheFiles(1, "1", "Data", "33", "8", "64", "64", "0"),
		cacheFiles(2, "2", "Unified", "99999999999999999999M", "8", "64", "64", "0"),
		cacheFiles(3, "9", "Unified", "8K", "8", "64", "64", "0"),
		cacheFiles(4, "4", "Unified", "", "", "", "", ""))
	halfGarbage = merged( // a virtual machine: ways that can't be, a line that is none
		cacheFiles(0, "2", "Unified", "768K", "7", "64", "64", ""),
		cacheFiles(1, "3", "Unified", "16M", "65535", "", "48", "0-70000"))
)

func TestDetectSysfs(t *testing.T) {
	silent := func() Processor { return Processor{Line: -1, L1d: -1, L2: 0, L3: -1} }
	tests := []struct {
		name  string
		files map[string]string
		cpu   func() Processor
		want  string
	}{
		{"zen", zen, silent,
			"line 64 sysfs; L1 data 32768=8×64×64 sysfs,sysfs by 2 sysfs; L2 unified 1048576=8×2048×64 sysfs,sysfs by 2 sysfs; " +
				"L3 unified 33554432=16×32768×64 sysfs,sysfs by 16 sysfs; huge 2097152 sysfs madvise sysfs; nodes 2 sysfs; counters 1 sysfs; memory 25276502016 sysfs; limit 2147483648 sysfs"},
		{"hybrid", hybrid, silent,
			"line 64 sysfs; L1 data 49152=12×64×64 sysfs,sysfs by 2 sysfs; L2 unified 2097152=16×2048×64 sysfs,sysfs by 2 sysfs; " +
				"L3 unified 37748736=12×49152×64 sysfs,sysfs by 32 sysfs; huge 2097152 default always sysfs; nodes 1 default; counters 1 sysfs; memory 0 default"},
		{"a board without ways", board, silent,
			"line 64 sysfs; L1 data 32768=8×64×64 sysfs,default by 1 sysfs; L2 unified 1048576=16×1024×64 sysfs,sysfs by 4 sysfs; " +
				"huge 0 default none default; nodes 1 default; counters 1 sysfs; memory 0 default"},
		{"garbage", garbage, silent,
			"line 64 default; L1 data 32768=8×64×64 default,sysfs by 1 sysfs; L2 unified 524288=8×1024×64 default,sysfs by 1 sysfs; " +
				"huge 0 default none default; nodes 1 default; counters 0 sysfs; memory 0 default"},
		{"half garbage", halfGarbage, silent,
			"line 64 default; L1 data 32768=8×64×64 default,default by 1 default; L2 unified 786432=12×1024×64 sysfs,default by 1 default; " +
				"L3 unified 16777216=16×16384×64 default,default by 70001 sysfs; huge 0 default none default; nodes 1 default; counters 0 default; memory 0 default"},
		{"nothing but the processor", nil, func() Processor { return Processor{Line: 128, L1d: 48 << 10, L2: 12 << 20, L3: -1, Threads: 2} },
			"line 128 cpuid; L1 data 49152=12×32×128 cpuid,default by 2 cpuid; L2 unified 12582912=12×8192×128 cpuid,default by 2 cpuid; " +
				"L3 unified 8388608=16×4096×128 default,default by 1 default; huge 0 default none default; nodes 1 default; counters 0 default; memory 0 default"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			top := Detect(DetectOptions{Root: tree(tt.files), Processor: tt.cpu})
			if got := short(top); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			check(t, top)
		})
	}
	if got := Detect(DetectOptions{Root: tree(board), Processor: silent}).Model; got != (Name{"Raspberry Pi 4 Model B Rev 1.2", SourceSysfs}) {
		t.Errorf("model %+v", got)
	}
}

func TestDetectSysctl(t *testing.T) {
	apple := map[string]uint64{"hw.cachelinesize": 128, "hw.memsize": 16 << 30, "hw.l1dcachesize": 64 << 10, "hw.l2cachesize": 4 << 20,
		"hw.perflevel0.l1dcachesize": 128 << 10, "hw.perflevel0.l2cachesize": 12 << 20, "hw.perflevel0.cpusperl2": 4}
	intel := map[string]uint64{"hw.cachelinesize": 64, "hw.l1dcachesize": 32 << 10, "hw.l2cachesize": 256 << 10, "hw.l3cachesize": 6 << 20}
	tests := []struct {
		name string
		says map[string]uint64
		want string
	}{
		{"apple", apple, "line 128 sysctl; L1 data 131072=8×128×128 sysctl,default by 1 default; L2 unified 12582912=12×8192×128 sysctl,default by 4 sysctl; "},
		{"intel", intel, "line 64 sysctl; L1 data 32768=8×64×64 sysctl,default by 1 default; L2 unified 262144=8×512×64 sysctl,default by 1 default; " +
			"L3 unified 6291456=24×4096×64 sysctl,default by 1 default; "},
		{"garbage", map[string]uint64{"hw.cachelinesize": 65, "hw.l1dcachesize": 1 << 63, "hw.l2cachesize": 7},
			"line 64 default; L1 data 32768=8×64×64 default,default by 1 default; L2 unified 524288=8×1024×64 default,default by 1 default; " +
				"L3 unified 8388608=16×8192×64 default,default by 1 default; "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ask := func(name string) (uint64, bool) { n, ok := tt.says[name]; return n, ok }
			top := Detect(DetectOptions{Root: tree(nil), Sysctl: ask, Processor: func() Processor { return Processor{} }})
			if got := short(top); !strings.HasPrefix(got, tt.want+"huge") {
				t.Errorf("got  %s\nwant %s…", got, tt.want)
			}
			check(t, top)
		})
	}
}

// Whatever a file system does, something sound comes out.
func TestDetectFails(t *testing.T) {
	top := Detect(DetectOptions{Root: failing{}, Processor: func() Processor { return Processor{} }})
	check(t, top)
	if want := short(Default()); short(top) != want {
		t.Errorf("got  %s\nwant %s", short(top), want)
	}
}

type failing struct{}

func (failing) Open(string) (fs.File, error) { return nil, fs.ErrPermission }

func TestDetectHere(t *testing.T) {
	top := Detect(DetectOptions{})
	check(t, top)
	if top.CPUs.N != runtime.NumCPU() || top.Page.N != os.Getpagesize() || top.Arch.Text != runtime.GOARCH {
		t.Errorf("got %v", top)
	}
}

// The fewest files that say it all: each is a system call or three.
func TestDetectReadsFewFiles(t *testing.T) {
	c := &counting{FS: tree(zen)}
	Detect(DetectOptions{Root: c, Processor: func() Processor { return Processor{} }})
	if c.opened > 41 { // 13 of them for the limit of a control group within another
		t.Errorf("%d files opened, want 41 at most", c.opened)
	}
}

type counting struct {
	fs.FS
	opened int
}

func (c *counting) Open(name string) (fs.File, error) { c.opened++; return c.FS.Open(name) }

// check holds a topology against what the package comment promises.
func check(t *testing.T, top Topology) {
	t.Helper()
	if l1 := top.L1d(); l1.WayBytes()*l1.Ways != l1.Bytes || l1.Bytes == 0 {
		t.Errorf("no sound L1: %+v", l1)
	}
	for _, c := range top.Caches {
		if !c.valid() {
			t.Errorf("parts of a cache disagree: %+v", c)
		}
	}
	if !isLine(top.Line.N) || !isPage(top.Page.N) || top.CPUs.N < 1 || top.Nodes.N < 1 {
		t.Errorf("out of limits: %+v", top)
	}
	var b strings.Builder
	n, err := top.WriteTo(&b)
	if err != nil || n != int64(b.Len()) {
		t.Errorf("WriteTo: %d, %v", n, err)
	}
	again, err := Parse("again", strings.NewReader(b.String()))
	if err != nil || !again.Equal(top) {
		t.Errorf("written and read: %v\n%+v\nwas\n%+v", err, again, top)
	}
}

// short is a topology on one line, for tables.
func short(t Topology) string {
	var b strings.Builder
	fmt.Fprintf(&b, "line %d %v", t.Line.N, t.Line.Source)
	for _, c := range t.Caches {
		fmt.Fprintf(&b, "; L%d %v %d=%d×%d×%d %v,%v by %d %v", c.Level, c.Kind, c.Bytes, c.Ways, c.Sets, c.Line, c.Source, c.WaysSource, c.SharedBy, c.SharedSource)
	}
	fmt.Fprintf(&b, "; huge %d %v %s %v; nodes %d %v", t.HugePage.N, t.HugePage.Source, t.HugeMode.Text, t.HugeMode.Source, t.Nodes.N, t.Nodes.Source)
	fmt.Fprintf(&b, "; counters %d %v; memory %d %v", t.Counters.N, t.Counters.Source, t.Memory.Bytes, t.Memory.Source)
	if t.Limit.Bytes != 0 {
		fmt.Fprintf(&b, "; limit %d %v", t.Limit.Bytes, t.Limit.Source)
	}
	return b.String()
}

func BenchmarkDetect(b *testing.B) {
	for b.Loop() {
		Detect(DetectOptions{})
	}
}

// A size of memory that the text form can't carry is not believed: what is saved
// can be read again.
func TestAbsurdMemory(t *testing.T) {
	silent := func() Processor { return Processor{} }
	for what, o := range map[string]DetectOptions{
		"sysfs": {Processor: silent, Root: tree(map[string]string{"proc/meminfo": "MemTotal: 8796093022209 kB"})},
		"sysctl": {Processor: silent, Root: tree(nil), Sysctl: func(name string) (uint64, bool) {
			return 1 << 60, name == "hw.memsize"
		}},
	} {
		top := Detect(o)
		var text strings.Builder
		if _, err := top.WriteTo(&text); err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(what, strings.NewReader(text.String())); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}
