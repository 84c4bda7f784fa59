package topology

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ashlar-go/ashlar/arena/caches"
)

func tree(files map[string]string) fstest.MapFS {
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text + "\n")}
	}
	return m
}

type failing struct{}

func (failing) Open(string) (fs.File, error) { return nil, fs.ErrPermission }

// Facts come from the files of the tree; one that it lacks, or that is no number, is not known.
func TestReport(t *testing.T) {
	const given = "sys/kernel/mm/transparent_hugepage/"
	for _, tt := range []struct {
		root fs.FS
		list []caches.Cache
		want []string // lines, as regular expressions
	}{
		{tree(map[string]string{
			"sys/devices/system/cpu/cpu0/cache/index0/coherency_line_size": "128",
			given + "enabled":                     "always [madvise] never",
			given + "hpage_pmd_size":              "2097152",
			"sys/devices/system/node/online":      "0-1",
			"proc/meminfo":                        "MemTotal:       24684084 kB\nMemFree: 1 kB",
			"proc/self/cgroup":                    "0::/games/life\n",
			"sys/fs/cgroup/games/life/memory.max": "2147483648\n",
		}), []caches.Cache{{Level: 1, Kind: "data", Bytes: 32 << 10, Shared: 2}, {Level: 2, Kind: "unified", Bytes: 1536 << 10}, {Level: 3, Kind: "unified"}},
			[]string{"memory +23.54 GiB", "   limit +2 GiB", "cache line +128 B", "huge page +2 MiB", "huge pages given +madvise", "NUMA nodes +2",
				"L1 data +32 KiB, shared by 2", "L2 unified +1536 KiB", "L3 unified +not known"}},
		{tree(map[string]string{given + "enabled": "maybe", given + "hpage_pmd_size": "99999999999", "sys/devices/system/node/online": "x-"}), nil,
			[]string{"huge page +not known", "huge pages given +not known", "NUMA nodes +1", "caches +not known"}},
		{failing{}, nil, []string{"page +[0-9]+ KiB", "NUMA nodes +1", "architecture +[0-9a-z]+"}},
	} {
		var b strings.Builder
		if err := Report(&b, tt.root, tt.list); err != nil {
			t.Fatal(err)
		}
		for _, want := range tt.want {
			if !regexp.MustCompile("(?m)^" + want + "$").MatchString(b.String()) {
				t.Errorf("no %q in\n%s", want, b.String())
			}
		}
	}
	if got := boardModel(tree(map[string]string{"sys/firmware/devicetree/base/model": "A phone\x00"})); got != "A phone" {
		t.Errorf("%q", got)
	}
	for text, want := range map[string]uint64{"MemTotal: 5 kB": 5 << 10, "MemTotal: many kB": 0, "MemFree: 5 kB": 0} {
		if got := memTotal(tree(map[string]string{"proc/meminfo": text})); got != want {
			t.Errorf("%s: %d", text, got)
		}
	}
}

func TestCacheBytes(t *testing.T) {
	first, second, third := caches.Cache{Level: 1, Bytes: 32 << 10}, caches.Cache{Level: 2, Bytes: 1 << 20}, caches.Cache{Level: 3, Bytes: 32 << 20}
	for _, tt := range []struct {
		list []caches.Cache
		want uint64
	}{
		{[]caches.Cache{first, second, third}, 1 << 20},
		{[]caches.Cache{first}, 32 << 10},
		{[]caches.Cache{first, {Level: 2}}, 32 << 10},
		{nil, 512 << 10},
	} {
		if got := CacheBytes(tt.list); got != tt.want {
			t.Errorf("%v: %d, want %d", tt.list, got, tt.want)
		}
	}
}
