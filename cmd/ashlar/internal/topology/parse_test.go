package topology

import (
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
	"testing/iotest"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestReport(t *testing.T) {
	f, err := os.Open("testdata/laptop.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	top, err := Parse("laptop.txt", f)
	if err != nil {
		t.Fatal(err)
	}
	check(t, top)
	var b strings.Builder
	if err := top.Report(&b); err != nil {
		t.Fatal(err)
	}
	b.WriteString("\n" + top.String() + "\n\n")
	if _, err := top.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/laptop.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("got:\n%s\nwant (-update rewrites it):\n%s", b.String(), want)
	}
}

// What is not stated is as in Default; what follows from what is stated follows.
func TestParse(t *testing.T) {
	const nothing = "; huge 0 default none default; nodes 1 default; counters 0 default; memory 0 default"
	const caches = "; L1 data 32768=8×64×64 default,default by 1 default; L2 unified 524288=8×1024×64 default,default by 1 default; L3 unified 8388608=16×8192×64 default,default by 1 default"
	tests := []struct{ name, text, want string }{
		{"empty", "", "line 64 default" + caches + nothing},
		{"the line goes for the default caches", "line 128\n", "line 128 file; L1 data 32768=8×32×128 default,default by 1 default; L2 unified 524288=8×512×128 default,default by 1 default; " +
			"L3 unified 8388608=16×4096×128 default,default by 1 default" + nothing},
		{"a cache of bytes alone", "cache 1 bytes 48K", "line 64 file; L1 data 49152=12×64×64 file,default by 1 default" + nothing},
		{"the line may come later", "cache 1 bytes 4K ways 2 shared 3\nline 32", "line 32 file; L1 data 4096=2×64×32 file,file by 3 file" + nothing},
		{"sets give ways", "cache 1 sets 64 from cpuid bytes 32K from sysfs", "line 64 sysfs; L1 data 32768=8×64×64 sysfs,cpuid by 1 default" + nothing},
		{"the first cache gives the line", "cache 2 unified bytes 1M line 64\ncache 1 data bytes 64K line 128\n", "line 128 file; L1 data 65536=8×64×128 file,default by 1 default; " +
			"L2 unified 1048576=8×2048×64 file,default by 1 default" + nothing},
		{"comments, blanks, Windows", "# x\r\n\t\r\n  nodes\t2 # y\r\n", "line 64 default" + caches + strings.ReplaceAll(nothing, "nodes 1 default", "nodes 2 file")},
		{"a limit", "limit 2G", "line 64 default" + caches + nothing + "; limit 2147483648 file"},
		{"pages", "hugepage 1G from sysfs\nhugemode never\nmemory 8192G\ncounters 1", "line 64 default" + caches + "; huge 1073741824 sysfs never file; nodes 1 default; counters 1 file; memory 8796093022208 file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			top, err := Parse("m.txt", strings.NewReader("ashlar topology 1\n"+tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if got := short(top); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			check(t, top)
		})
	}
}

// All problems at once, each with its place.
func TestParseProblems(t *testing.T) {
	_, err := Parse("m.txt", strings.NewReader(`ashlar topology 1
cpus none
line 64 65
  warp 9
cache 1 bytes 5K ways 1 lime 1
hugemode often
line 48
model "half
nodes 1 from hearsay
nodes 2
cpus 99999999999999999999
cpus 1
memory 17179869184G
cache
cache 2 bytes 4096 bytes 4096
cache 3 ways 4
cache 2 data bytes 4096
cache 2 bytes
page 3000
arch "a\b"
`))
	want := []string{
		`m.txt:2:6: "none" is not a number from 1 to`,
		`m.txt:3:1: line takes one value`,
		`m.txt:4:3: "warp" is not known`,
		`m.txt:5:25: "lime" is not expected here`,
		`m.txt:6:10: huge pages are given "often"`,
		`m.txt:7:6: "48": it has to be a power of two`,
		`m.txt:8:7: the quote is not closed`,
		`m.txt:9:14: "hearsay" is not a source`,
		`m.txt:10:1: nodes is stated in line 9 already`,
		`m.txt:11:1: cpus is stated in line 2 already`,
		`m.txt:12:1: cpus is stated in line 2 already`,
		`m.txt:13:8: "17179869184G" is not a number`,
		`m.txt:14:1: a cache has no level`,
		`m.txt:15:20: bytes is stated twice`,
		`m.txt:16:1: a cache has no size`,
		`m.txt:17:1: the cache for data of level 2 is stated in line 15 already`,
		`m.txt:18:9: "bytes" has no value`,
		`m.txt:18:1: the cache for data of level 2 is stated in line 15 already`,
		`m.txt:19:6: "3000": it has to be a power of two`,
		`m.txt:20:6: it has characters that a name has not`,
	}
	if err == nil {
		t.Fatal("it was taken")
	}
	got := strings.Split(err.Error(), "\n")
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !strings.HasPrefix(got[i], want[i]) {
			t.Fatalf("problem %d of\n%s\nwant %d:\n%s", i, err, len(want), strings.Join(want, "\n"))
		}
	}
}

func TestParseRefused(t *testing.T) {
	const first = "ashlar topology 1\n"
	for text, want := range map[string]string{
		"":                    "m.txt:1: it is empty",
		"ELF":                 "m.txt:1: it does not begin",
		"ashlar topology x":   `m.txt:1:17: "x" is not a version`,
		"ashlar topology 2\n": "m.txt:1:17: it has version 2, and this program reads up to 1: use a newer ashlar",
		first + strings.Repeat("# x\n", textMax/4):                      "longer than",
		first + "cache 2 bytes 4K":                                      "m.txt:2: there are caches, but none of level 1 for data",
		first + "cache 1 instruction bytes 4K":                          "m.txt:2: there are caches, but none of level 1 for data",
		first + "\ncache 1 bytes 100":                                   "m.txt:3:1: its 100 bytes are no multiple of its line, 64 bytes",
		first + "cache 1 bytes 4K line 8":                               "m.txt:2:1: its line has 8 bytes",
		first + "cache 1 bytes 4K ways 3":                               "m.txt:2:1: bytes are not ways × sets × line: 4096 ≠ 3 × 21 × 64",
		first + "cache 1 bytes 4K sets 4096":                            "m.txt:2:1: bytes are not ways × sets × line",
		first + "cache 1 bytes 4K ways 1073741824 sets 1073741824":      "m.txt:2:1: bytes are not ways",
		first + strings.Repeat("warp\n", 100):                           "m.txt: and 80 problems more",
		first + "cpus 1\x00":                                            `m.txt:2:6: "1\x00" is not a number`,
		first + "model \"" + strings.Repeat("ü", nameMax+1) + "\"":      "m.txt:2:7: it has characters",
		first + "cache 1 bytes 4K from cpuid from sysfs\ncache 9 bytes": `m.txt:3:7: "9" is not a number from 1 to 8`,
	} {
		if _, err := Parse("m.txt", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: got %v, want %q", text, err, want)
		}
	}
	broken := errors.New("pulled out")
	if _, err := Parse("m.txt", iotest.ErrReader(broken)); !errors.Is(err, broken) || !strings.Contains(err.Error(), "m.txt") {
		t.Errorf("got %v, want it to wrap %v", err, broken)
	}
}

// A description that is exactly as long as may be is read; WriteTo returns what
// the writer says.
func TestLimits(t *testing.T) {
	text := "ashlar topology 1\n#" + strings.Repeat("x", textMax)
	if _, err := Parse("m", strings.NewReader(text[:textMax])); err != nil {
		t.Error(err)
	}
	if _, err := Default().WriteTo(refusing{}); !errors.Is(err, os.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

type refusing struct{}

func (refusing) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestLevels(t *testing.T) {
	check(t, Default())
	top := Default()
	if top.L1d().WayBytes() != 4096 || top.L2().Bytes != 512<<10 || top.L3().Ways != 16 {
		t.Errorf("got %v", top)
	}
	top.Caches = top.Caches[:1]
	if _, ok := top.Cache(3); ok || top.L2() != (Cache{}) || top.L3().WayBytes() != 0 || top.Equal(Default()) {
		t.Errorf("levels that are not there: %+v %+v", top.L2(), top.L3())
	}
}

// Parse never panics, and what it takes it writes and reads back the same.
func FuzzParse(f *testing.F) {
	var b strings.Builder
	if _, err := Default().WriteTo(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.String())
	f.Add("ashlar topology 1\ncache 1 bytes 1K ways 1 sets 1 line 1 shared 1\nhugepage 0 from file")
	f.Add("ashlar topology 1\nmodel \"a # b\" from sysctl # c\ncache 1 instruction bytes 3K from cpuid\ncache 1 bytes 48K")
	f.Add("ashlar topology 1\r\nline 4096\narch \"\"\nmemory 8388608G\ncache 8 sets 3 bytes 768")
	f.Fuzz(func(t *testing.T, text string) {
		top, err := Parse("f", strings.NewReader(text))
		if err == nil {
			check(t, top)
		} else if n := strings.Count(err.Error(), "\n"); n > problemsMax {
			t.Fatalf("%d lines of problems", n)
		}
	})
}
