package topology

import (
	"fmt"
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

func cacheFiles(m map[string]string, index, level, kind, size, ways, sets, line, shared string) {
	dir := "devices/system/cpu/cpu0/cache/index" + index + "/"
	for name, text := range map[string]string{"level": level, "type": kind, "size": size, "ways_of_associativity": ways,
		"number_of_sets": sets, "coherency_line_size": line, "shared_cpu_list": shared} {
		if text != "" {
			m[dir+name] = text
		}
	}
}

func TestDetect(t *testing.T) {
	zen := map[string]string{
		"kernel/mm/transparent_hugepage/enabled":        "always [madvise] never",
		"kernel/mm/transparent_hugepage/hpage_pmd_size": "2097152",
		"devices/system/node/online":                    "0-1",
	}
	cacheFiles(zen, "0", "1", "Data", "32K", "8", "64", "64", "0,8")
	cacheFiles(zen, "1", "1", "Instruction", "32K", "8", "64", "64", "0,8")
	cacheFiles(zen, "2", "2", "Unified", "1024K", "8", "2048", "64", "0,8")
	cacheFiles(zen, "3", "3", "Unified", "32M", "16", "32768", "64", "0-15")
	board := map[string]string{} // says neither ways nor sets
	cacheFiles(board, "0", "1", "Data", "32K", "", "", "64", "")
	garbage := map[string]string{"kernel/mm/transparent_hugepage/enabled": "maybe", "devices/system/node/online": "x-"}
	cacheFiles(garbage, "0", "one", "Data", "-5K", "0", "0", "zero", "9-1")

	unknown := func() (int, int, int, int) { return -1, -1, 0, -1 }
	tests := []struct {
		name      string
		sysfs     map[string]string
		processor func() (int, int, int, int)
		want      string
	}{
		{"sysfs", zen, unknown, "line 64 sysfs; 1: 32768/8/64 by 2 sysfs; 2: 1048576/8/2048 by 2 sysfs; 3: 33554432/16/32768 by 16 sysfs; huge 2097152 madvise sysfs; nodes 2"},
		{"without ways", board, unknown, "line 64 sysfs; 1: 32768/8/64 by 1 sysfs; huge 0 never default; nodes 1"},
		{"garbage", garbage, unknown, "line 64 default; 1: 32768/8/64 by 1 default; 2: 524288/8/1024 by 1 default; 3: 8388608/16/8192 by 1 default; huge 0 never default; nodes 1"},
		{"cpuid", nil, func() (int, int, int, int) { return 128, 128 << 10, 12 << 20, -1 },
			"line 128 cpuid; 1: 131072/8/128 by 1 cpuid; 2: 12582912/8/12288 by 1 cpuid; 3: 8388608/16/8192 by 1 default; huge 0 never default; nodes 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := short(Detect(DetectOptions{Sysfs: tree(tt.sysfs), Processor: tt.processor})); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestDetectHere(t *testing.T) {
	top := Detect(DetectOptions{})
	if l1, ok := top.Cache(1); !ok || l1.WayBytes()*l1.Ways != l1.Bytes || top.Line.N < 16 {
		t.Errorf("no sound L1: %+v", top)
	}
}

func TestParseProblems(t *testing.T) {
	_, err := Parse("m.txt", strings.NewReader("ashlar topology 1\ncpus none\nline 64 65\nwarp 9\ncache 1 bytes 5 ways 1 sets 1 lime 1 shared 1\nhugepage 4096 often\n"))
	for _, want := range []string{`m.txt:2: "none"`, "m.txt:3: line takes 1", `m.txt:4: "warp"`, `m.txt:5: "lime"`, `m.txt:6: huge pages`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q: %v", want, err)
		}
	}
	for text, want := range map[string]string{
		"":                     "m.txt:1: it is empty",
		"ELF":                  "m.txt:1: it does not begin",
		"ashlar topology 2\nx": "version 2",
		"ashlar topology 1\n" + strings.Repeat("# x\n", maxBytes/4): "longer than",
	} {
		if _, err := Parse("m.txt", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: got %v, want %q", text, err, want)
		}
	}
}

func TestReport(t *testing.T) {
	var b strings.Builder
	top, err := Parse("m", strings.NewReader("ashlar topology 1\ncpus 8 # a laptop\ncache 1 bytes 49152 ways 12 sets 64 line 64 shared 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := top.Report(&b); err != nil {
		t.Fatal(err)
	}
	const want = `what               value                                             source
processors         8                                                 file
cache line         64 B                                              default
L1 data            48 KiB, 12 ways, 64 sets, line 64 B, shared by 2  file
page               4 KiB                                             default
huge page          none                                              default
huge pages given   never                                             default
NUMA nodes         1                                                 default
hardware counters  not to be had                                     default
`
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}

func FuzzParse(f *testing.F) {
	var b strings.Builder
	Default().WriteTo(&b)
	f.Add(b.String())
	f.Add("ashlar topology 1\ncache 1 bytes 1 ways 1 sets 1 line 1 shared 1\nhugepage 0 always")
	f.Fuzz(func(t *testing.T, text string) {
		top, err := Parse("f", strings.NewReader(text))
		if err != nil {
			return
		}
		var first, second strings.Builder
		top.WriteTo(&first)
		again, err := Parse("f", strings.NewReader(first.String()))
		if err != nil {
			t.Fatalf("%v in what was written:\n%s", err, first.String())
		}
		if again.WriteTo(&second); first.String() != second.String() {
			t.Fatalf("written %q, read and written again %q", first.String(), second.String())
		}
	})
}

// short is a topology on one line, for tables.
func short(t Topology) string {
	var b strings.Builder
	fmt.Fprintf(&b, "line %d %v", t.Line.N, t.Line.Source)
	for _, c := range t.Caches {
		fmt.Fprintf(&b, "; %d: %d/%d/%d by %d %v", c.Level, c.Bytes, c.Ways, c.Sets, c.SharedBy, c.Source)
	}
	fmt.Fprintf(&b, "; huge %d %s %v; nodes %d", t.HugePage.N, t.HugeMode.Word, t.HugeMode.Source, t.Nodes.N)
	return b.String()
}
