package caches

import (
	"fmt"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"
)

// leaf has the registers of a cache.
func leaf(kind, level, shared, line, ways, sets uint32) registers {
	return registers{eax: kind | level<<5 | (shared-1)<<14, ebx: line - 1 | (ways-1)<<22, ecx: sets - 1}
}

// machine answers questions as a processor does: beyond the highest leaf with something that means nothing.
func machine(highest, extended uint32, lists bool, at uint32, list ...registers) func(leaf, sub uint32) registers {
	return func(leaf, sub uint32) registers {
		switch {
		case leaf == 0:
			return registers{eax: highest}
		case leaf == leafHighest:
			return registers{eax: extended}
		case leaf == leafFeatures && lists:
			return registers{ecx: listsCaches}
		case leaf == leafFeatures:
			return registers{}
		case leaf == at && int(sub) < len(list):
			return list[sub]
		case leaf == at, leaf == leafIntel && highest >= leafIntel:
			return registers{}
		}
		return registers{^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0)}
	}
}

// TestProcessor: caches are read as processors describe them, and a processor that does not is asked nothing else.
func TestProcessor(t *testing.T) {
	for _, x := range []struct {
		name string
		ask  func(leaf, sub uint32) registers
		want string
	}{
		{"Zen 4", machine(16, 0x80000028, true, leafAMD, leaf(1, 1, 2, 64, 8, 64), leaf(2, 1, 2, 64, 8, 64), leaf(3, 2, 2, 64, 8, 2048), leaf(3, 3, 16, 64, 16, 32768)),
			"[{1 32768 2} {2 1048576 2} {3 33554432 16}]"},
		{"Skylake", machine(22, 0x80000008, false, leafIntel, leaf(1, 1, 2, 64, 8, 64), leaf(2, 1, 2, 64, 8, 64), leaf(3, 2, 2, 64, 4, 1024), leaf(3, 3, 16, 64, 16, 8192)),
			"[{1 32768 2} {2 262144 2} {3 8388608 16}]"},
		{"Sapphire Rapids", machine(31, 0x80000008, false, leafIntel, leaf(1, 1, 2, 64, 12, 64), leaf(2, 1, 2, 64, 8, 64), leaf(3, 2, 2, 64, 16, 2048), leaf(3, 3, 128, 64, 15, 114688)),
			"[{1 49152 2} {2 2097152 2} {3 110100480 128}]"},
		{"no third level", machine(4, 0x80000008, false, leafIntel, leaf(1, 1, 1, 64, 6, 64), leaf(3, 2, 2, 64, 8, 1024)), "[{1 24576 1} {2 524288 2}]"},
		{"no end of the list", machine(4, 0, false, leafIntel, slices.Repeat([]registers{leaf(1, 1, 1, 64, 8, 64)}, 99)...), fmt.Sprint(slices.Repeat([]Cache{{1, 32768, 1}}, 8))},
		{"hidden", machine(16, 0x80000028, false, leafAMD, leaf(1, 1, 2, 64, 8, 64)), "[]"},
		{"old", machine(3, 0x80000004, true, leafAMD), "[]"},
		{"none", nil, "[]"},
	} {
		if got := fmt.Sprint(decode(x.ask)); got != x.want {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
	}
}

// TestKernel: the fast processors' caches are taken.
func TestKernel(t *testing.T) {
	says := map[string]uint64{"hw.l1dcachesize": 64 << 10, "hw.l2cachesize": 4 << 20, "hw.perflevel0.l1dcachesize": 128 << 10, "hw.perflevel0.l2cachesize": 12 << 20, "hw.perflevel0.cpusperl2": 4}
	got := kernel(func(name string) (uint64, bool) { n, ok := says[name]; return n, ok })
	if want := []Cache{{1, 128 << 10, 0}, {2, 12 << 20, 4}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := kernel(nil); got != nil {
		t.Errorf("without a kernel: %v", got)
	}
}

// TestSysfs: levels are in order, and figures that make no sense are left out.
func TestSysfs(t *testing.T) {
	m := fstest.MapFS{}
	for name, text := range map[string]string{
		"online": "2-3", "cpu2/cache/index0/type": "Unified", "cpu2/cache/index0/level": "2", "cpu2/cache/index0/size": "99999M", "cpu2/cache/index0/shared_cpu_list": "2-3",
		"cpu2/cache/index2/type": "Data", "cpu2/cache/index2/level": "1", "cpu2/cache/index2/size": "48K", "cpu2/cache/index3/type": "Instruction", "cpu2/cache/index3/level": "1",
	} {
		m[cpus+name] = &fstest.MapFile{Data: []byte(text + "\n")}
	}
	if got, want := sysfs(m, fastest(m)), []Cache{{1, 48 << 10, 0}, {2, 0, 2}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	// The slow processors come first; the one that says most is looked at.
	for _, fact := range []string{"cpu_capacity", "cpufreq/cpuinfo_max_freq"} {
		for i, speed := range []string{"300", "1024", "700"} {
			m[fmt.Sprintf("%scpu%d/%s", cpus, i, fact)] = &fstest.MapFile{Data: []byte(speed + "\n")}
		}
		m[cpus+"online"] = &fstest.MapFile{Data: []byte("0-2\n")}
		if got := fastest(m); got != cpus+"cpu1" {
			t.Errorf("by %s the fastest is %s", fact, got)
		}
		for i := range 3 {
			delete(m, fmt.Sprintf("%scpu%d/%s", cpus, i, fact))
		}
	}
	if got := sysfs(fs.FS(fstest.MapFS{}), "cpu0"); len(got) > 0 {
		t.Errorf("without files: %v", got)
	}
}

// TestDetect: whatever this machine says, levels ascend from 1.
func TestDetect(t *testing.T) {
	list := Detect()
	t.Logf("%+v", list)
	for i, c := range list {
		if c.Level != i+1 {
			t.Errorf("%+v", list)
		}
	}
}

// Caches are found when they are first needed, so this is no more than a first frame waits.
func BenchmarkDetect(b *testing.B) {
	for b.Loop() {
		Detect()
	}
}
