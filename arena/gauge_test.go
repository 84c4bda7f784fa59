package arena

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// machineOf makes a root of files.
func machineOf(files map[string]string) fstest.MapFS {
	root := fstest.MapFS{}
	for name, text := range files {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return root
}

func TestGauge(t *testing.T) {
	const some = " avg60=0.00 avg300=0.00 total=0\nfull avg10=9.00 avg60=0.00 avg300=0.00 total=0\n"
	for name, tt := range map[string]struct {
		files map[string]string
		want  Pressure
	}{
		"nothing":        {nil, Pressure{}},
		"not linux 4.20": {map[string]string{"proc/self/cgroup": "0::/\n"}, Pressure{}},
		"the second version": {map[string]string{
			"proc/self/cgroup":                           "0::/user/game\n",
			"sys/fs/cgroup/user/game/memory.max":         "1000\n",
			"sys/fs/cgroup/user/game/memory.high":        "max\n",
			"sys/fs/cgroup/user/game/memory.current":     "700\n",
			"sys/fs/cgroup/user/game/memory.stat":        "anon 1\ninactive_file 300\nactive_file 50\n",
			"sys/fs/cgroup/user/game/memory.pressure":    "some avg10=12.34" + some,
			"sys/fs/cgroup/user/memory.pressure":         "some avg10=99.00" + some,
			"proc/pressure/memory":                       "some avg10=1.00" + some,
			"sys/fs/cgroup/user/memory.max":              "max\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "7\n", // no path leads there
		}, Pressure{Used: 400, Limit: 1000, Stalled: 1234}},
		"high is below max": {map[string]string{
			"proc/self/cgroup":               "0::/a\n",
			"sys/fs/cgroup/a/memory.max":     "1000",
			"sys/fs/cgroup/a/memory.high":    "800",
			"sys/fs/cgroup/a/memory.current": "700",
		}, Pressure{Used: 700, Limit: 800}},
		"the group around it has less left": {map[string]string{
			"proc/self/cgroup":                 "0::/a/b/c\n",
			"sys/fs/cgroup/a/memory.max":       "2000",
			"sys/fs/cgroup/a/memory.current":   "1900",
			"sys/fs/cgroup/a/b/memory.max":     "1000",
			"sys/fs/cgroup/a/b/memory.current": "900",
		}, Pressure{Used: 1900, Limit: 2000}},
		"it has less left than the group around it": {map[string]string{
			"proc/self/cgroup":                 "0::/a/b\n",
			"sys/fs/cgroup/a/memory.max":       "2000",
			"sys/fs/cgroup/a/memory.current":   "1000",
			"sys/fs/cgroup/a/b/memory.max":     "1000",
			"sys/fs/cgroup/a/b/memory.current": "900",
		}, Pressure{Used: 900, Limit: 1000}},
		"a container shows its group as the root": {map[string]string{
			"proc/self/cgroup":             "0::/../../docker/0123\n",
			"sys/fs/cgroup/memory.max":     "512",
			"sys/fs/cgroup/memory.current": "5",
			"proc/pressure/memory":         "some avg10=0.00" + some,
		}, Pressure{Used: 5, Limit: 512}},
		"the first version": {map[string]string{
			"proc/self/cgroup": "9:name=systemd:/x\n4:cpu,memory:/jobs/1\n0::/\n",
			"sys/fs/cgroup/memory/jobs/1/memory.limit_in_bytes": "4096\n",
			"sys/fs/cgroup/memory/jobs/1/memory.usage_in_bytes": "4000\n",
			"sys/fs/cgroup/memory/jobs/1/memory.stat":           "inactive_file 7\ntotal_inactive_file 1000\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":        "9223372036854771712\n",
			"sys/fs/cgroup/memory/memory.usage_in_bytes":        "1\n",
			"proc/pressure/memory":                              "some avg10=0.50" + some,
		}, Pressure{Used: 3000, Limit: 4096, Stalled: 50}},
		"the first version's limit around what the mount shows": {map[string]string{
			"proc/self/cgroup":                           "4:memory:/pod/box\n",
			"proc/self/mountinfo":                        "63 51 0:32 /pod/box /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
			"sys/fs/cgroup/memory/memory.usage_in_bytes": "1500\n",
			"sys/fs/cgroup/memory/memory.stat":           "hierarchical_memory_limit 2000\ntotal_inactive_file 100\n",
		}, Pressure{Used: 1400, Limit: 2000}},
		"a group within the one that the mount shows": {map[string]string{
			"proc/self/cgroup": "4:memory:/docker/1/game\n",
			"proc/self/mountinfo": "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n" +
				"51 47 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n" +
				"63 51 0:32 /docker/1 /sys/fs/cgroup/memory ro,relatime master:9 - cgroup cgroup rw,memory\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":      "4096\n",
			"sys/fs/cgroup/memory/memory.usage_in_bytes":      "1000\n",
			"sys/fs/cgroup/memory/game/memory.limit_in_bytes": "1024\n",
			"sys/fs/cgroup/memory/game/memory.usage_in_bytes": "900\n",
		}, Pressure{Used: 900, Limit: 1024}},
		"mounted elsewhere, with another controller": {map[string]string{
			"proc/self/cgroup":                           "4:cpu,memory:/a\n",
			"proc/self/mountinfo":                        "9 1 0:3 / /groups/both rw shared:1 - cgroup none rw,cpu,memory\n",
			"groups/both/a/memory.limit_in_bytes":        "100\n",
			"groups/both/a/memory.usage_in_bytes":        "7\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9\n", // nothing is mounted there
			"sys/fs/cgroup/memory/memory.usage_in_bytes": "9\n",
		}, Pressure{Used: 7, Limit: 100}},
		"both versions, memory in the second": {map[string]string{
			"proc/self/cgroup": "4:cpu:/a\n0::/b\n",
			"proc/self/mountinfo": "9 1 0:3 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n" +
				"41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
			"sys/fs/cgroup/unified/b/memory.max":     "100\n",
			"sys/fs/cgroup/unified/b/memory.current": "7\n",
		}, Pressure{Used: 7, Limit: 100}},
		"both versions, memory in the first": {map[string]string{
			"proc/self/cgroup":                             "4:memory:/a\n0::/b\n",
			"proc/self/mountinfo":                          "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": "100\n",
			"sys/fs/cgroup/memory/a/memory.usage_in_bytes": "7\n",
			"sys/fs/cgroup/unified/b/memory.pressure":      "some avg10=2.00" + some,
		}, Pressure{Used: 7, Limit: 100, Stalled: 200}},
		"the mount shows other groups": {map[string]string{
			"proc/self/cgroup":                   "0::/other\n",
			"proc/self/mountinfo":                "9 1 0:3 /../.. /sys/fs/cgroup rw - cgroup2 none rw\nx - cgroup2\n1 2 - cgroup2 none rw\n",
			"sys/fs/cgroup/memory.max":           "100",
			"sys/fs/cgroup/memory.current":       "7",
			"sys/fs/cgroup/other/memory.max":     "50",
			"sys/fs/cgroup/other/memory.current": "49", // of somebody else of that name
		}, Pressure{Used: 7, Limit: 100}},
		"more inactive than used": {map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "9", "sys/fs/cgroup/memory.current": "5", "sys/fs/cgroup/memory.stat": "inactive_file 6",
		}, Pressure{Limit: 9}},
		"no use is told": {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "9"}, Pressure{}},
		"garbage": {map[string]string{
			"proc/self/cgroup":                "::\n0:x\n\x00:\xff:/\xff\n0::/a\n",
			"sys/fs/cgroup/a/memory.max":      "-1",
			"sys/fs/cgroup/a/memory.high":     "99999999999999999999",
			"sys/fs/cgroup/a/memory.pressure": "some avg10=NaN",
			"sys/fs/cgroup/memory.pressure":   "some avg10=1e9",
			"proc/pressure/memory":            "full avg10=5.00\nsome 5",
		}, Pressure{}},
	} {
		g := newGauge(machineOf(tt.files))
		if got := g.read(); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

// A file that vanishes or becomes garbage while the program runs counts as none, and a limit that
// is changed is seen.
func TestGaugeFiles(t *testing.T) {
	root := machineOf(map[string]string{
		"proc/self/cgroup":             "0::/\n",
		"sys/fs/cgroup/memory.max":     "1000",
		"sys/fs/cgroup/memory.current": "100",
		"proc/pressure/memory":         "some avg10=3.00 x",
	})
	g := newGauge(root)
	for i, c := range []struct {
		change func()
		want   Pressure
		limit  uint64
	}{
		{func() {}, Pressure{100, 1000, 300}, 1000},
		{func() { root["sys/fs/cgroup/memory.max"].Data = []byte("500") }, Pressure{100, 500, 300}, 500},
		{func() { root["sys/fs/cgroup/memory.max"].Data = []byte("max") }, Pressure{0, 0, 300}, 0},
		{func() { root["sys/fs/cgroup/memory.max"].Data = []byte("700") }, Pressure{100, 700, 300}, 700},
		{func() { root["sys/fs/cgroup/memory.current"].Data = nil }, Pressure{0, 0, 300}, 700},
		{func() { delete(root, "proc/pressure/memory") }, Pressure{}, 700},
		{func() { clear(root) }, Pressure{}, 0},
	} {
		c.change()
		if got, limit := g.read(), g.leastLimit(); got != c.want || limit != c.limit {
			t.Errorf("change %d: %+v and %d, want %+v and %d", i, got, limit, c.want, c.limit)
		}
	}
	var none *gauge
	if none.leastLimit() != 0 || none.read() != (Pressure{}) {
		t.Error("the nil gauge reads something")
	}
}

func TestPressureNear(t *testing.T) {
	for _, c := range []struct {
		p     Pressure
		bytes uint64
		want  bool
	}{
		{Pressure{Used: 1 << 40}, 1 << 40, false},
		{Pressure{Used: 890, Limit: 1000}, 10, false},
		{Pressure{Used: 890, Limit: 1000}, 11, true},
		{Pressure{Used: 10, Limit: 1000}, 991, true},
		{Pressure{Used: 2000, Limit: 1000}, 0, true},
		{Pressure{Limit: 1000}, ^uint64(0), true},
	} {
		if got := c.p.near(c.bytes); got != c.want {
			t.Errorf("%+v and %d more: %v", c.p, c.bytes, got)
		}
	}
}

// A refusal names the limit of the control group if it is near.
func TestRefusalNamesGroup(t *testing.T) {
	for used, want := range map[string]bool{"100": false, "99000000": true} {
		a := open(t, Options{SmallPages: true, fault: failFrom(OpCommit, 1)})
		if a.Backend() == Heap {
			t.Skip("the heap back end asks for nothing")
		}
		a.gauge, a.looked = newGauge(machineOf(map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "100000000", "sys/fs/cgroup/memory.current": used,
		})), true
		_, err := a.Alloc(Normal)
		if err == nil || strings.Contains(err.Error(), "control group is near: 99000000 of 100000000 bytes are used, 2097152 more wanted") != want {
			t.Errorf("%s used: %v", used, err)
		}
		if errors.Unwrap(err) == nil {
			t.Errorf("%v wraps nothing", err)
		}
	}
}

// The limit of a group is asked for where memory decides, and nowhere else.
func TestGroupedMachine(t *testing.T) {
	one := newGauge(machineOf(map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "4096"}))
	asked := 0
	ask := func() *gauge { asked++; return one }
	if m := (machine{physical: physicalUsual}).grouped(ask); m.group != 0 || asked != 0 {
		t.Errorf("a usual machine: %+v, asked %d times", m, asked)
	}
	if m := (machine{physical: physicalUsual + 1}).grouped(ask); m.group != 4096 {
		t.Errorf("a large machine: %+v", m)
	}
	usual := reserveFor(machine{}, 0)
	if reserveFor(machine{physical: physicalUsual}, 0) != usual || reserveFor(machine{physical: physicalUsual + RegionBytes}, 0) == usual {
		t.Error("physicalUsual is not where memory begins to decide")
	}
}

// Any files are a reading that makes sense.
func FuzzGauge(f *testing.F) {
	f.Add("0::/a/b\n4:memory:/x\n", "", "1000\n", "900\n", "inactive_file 5\ntotal_inactive_file 6\nhierarchical_memory_limit 7\n", "some avg10=1.00 avg60=0\n")
	f.Add("0::/../..\n", "1 2 0:1 /.. /sys/fs/cgroup rw - cgroup2 x rw\n", "max", "-1", "inactive_file", "some avg10=1e400")
	f.Add("4:memory,cpu:/a/b\n0::a", "1 2 0:1 /a /sys/fs/cgroup/a - cgroup x memory\n", "9223372036854771712", "", "inactive_file \n", "full avg10=1\nsome avg10=101")
	f.Fuzz(func(t *testing.T, groups, mounts, limit, usage, stat, stall string) {
		files := map[string]string{"proc/self/cgroup": groups, "proc/self/mountinfo": mounts, "proc/pressure/memory": stall}
		for _, dir := range []string{"", "a/", "a/b/", "memory/", "memory/x/"} {
			dir = "sys/fs/cgroup/" + dir
			files[dir+"memory.max"], files[dir+"memory.limit_in_bytes"] = limit, limit
			files[dir+"memory.current"], files[dir+"memory.usage_in_bytes"] = usage, usage
			files[dir+"memory.stat"] = stat
		}
		g := newGauge(machineOf(files))
		p := g.read()
		if p.Stalled < 0 || p.Stalled > 10000 || p.Limit == 0 && p.Used != 0 || p.Limit >= unlimited || p.Used >= unlimited || p.Limit != 0 && p.Limit != g.leastLimit() {
			t.Errorf("%+v, limit %d", p, g.leastLimit())
		}
	})
}

// This machine's files can be read, whatever they say.
func TestGaugeOfThisMachine(t *testing.T) {
	g := newGauge(nil)
	if g == nil {
		t.Skip("pressure and control groups are read on Linux alone; their texts are read by FuzzGauge everywhere")
	}
	p := g.read()
	if _, err := os.ReadFile("/proc/pressure/memory"); err == nil && g.stall == "" {
		t.Errorf("the kernel tells how long tasks wait, and the gauge has not seen it: %+v", p)
	}
	if p.Limit != 0 && p.Used == 0 {
		t.Errorf("%+v", p)
	}
}

// counted counts the files that are opened.
type counted struct {
	fs.FS
	opened int
}

func (c *counted) Open(name string) (fs.File, error) {
	c.opened++
	return c.FS.Open(name)
}

// A hierarchy that is mounted twice is read once.
func TestGaugeReadsGroupsOnce(t *testing.T) {
	line := "9 1 0:3 / /sys/fs/cgroup rw - cgroup2 none rw\n"
	root := &counted{FS: machineOf(map[string]string{
		"proc/self/cgroup": "0::/a\n", "proc/self/mountinfo": line + line, "sys/fs/cgroup/a/memory.max": "9", "sys/fs/cgroup/a/memory.current": "5",
	})}
	g := newGauge(root)
	found := root.opened
	if p := g.read(); p != (Pressure{Used: 5, Limit: 9}) || root.opened-found > 4 {
		t.Errorf("%+v: %d files opened", p, root.opened-found)
	}
}

// Without a limit and without a measure of stalls no file is read.
func TestGaugeReadsNothing(t *testing.T) {
	root := &counted{FS: machineOf(map[string]string{
		"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "max", "sys/fs/cgroup/a/memory.current": "100",
	})}
	g := newGauge(root)
	found := root.opened
	if p := g.read(); p != (Pressure{}) || g.leastLimit() != 0 || root.opened != found || found == 0 {
		t.Errorf("%+v: %d files opened, and then %d", p, found, root.opened-found)
	}
}
