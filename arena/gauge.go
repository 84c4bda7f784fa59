package arena

import (
	"io/fs"
	"math/bits"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Pressure is how short of memory the process was when it was read.
type Pressure struct {
	Used    uint64 // bytes that the control group keeps, without pages of files that were not used lately
	Limit   uint64 // of the control group; 0 is none
	Stalled int    // hundredths of a percent of the last 10 s in which some task waited for memory
}

// near tells whether less than a tenth of the limit is left once bytes more are used.
func (p Pressure) near(bytes uint64) bool {
	return p.Limit != 0 && (p.Used > p.Limit || bytes > p.Limit-p.Used || p.Limit-p.Used-bytes < p.Limit/10)
}

// gauge reads the pressure of the control groups that the process is in. The kernel kills the
// processes of a group that exceeds its limit, so an arena can't wait for a refusal. The nil
// gauge reads nothing.
type gauge struct {
	root   fs.FS
	in     string // which groups the process is in, and mounts where they are shown
	mounts string
	groups []group
	stall  string // file that tells how long tasks waited; "" is none
}

// group is a control group with a limit: the names of its files.
type group struct {
	limits      []string // the smallest counts
	usage, stat string
	inactive    string // key in stat: bytes of pages of files that were not used lately
	around      string // key in stat: the smallest limit of the groups around it too; "" is none
}

// newGauge finds the files to read below root, which stands for /. A root of nil is that of
// the machine on linux, and nothing elsewhere. It reads some ten small files. Whatever is
// missing there or makes no sense is no limit and no pressure.
func newGauge(root fs.FS) *gauge {
	g := groupsIn(root)
	if g == nil {
		return nil
	}
	for _, dir := range groupDirs(g.in, g.mounts, "memory") {
		g.add(group{[]string{dir + "/memory.limit_in_bytes"}, dir + "/memory.usage_in_bytes", dir + "/memory.stat", "total_inactive_file", "hierarchical_memory_limit"})
	}
	for _, dir := range groupDirs(g.in, g.mounts, unified) {
		g.add(group{[]string{dir + "/memory.max", dir + "/memory.high"}, dir + "/memory.current", dir + "/memory.stat", "inactive_file", ""})
		g.watch(dir + "/memory.pressure")
	}
	g.watch("proc/pressure/memory")
	return g
}

// groupsIn reads which control groups the process is in, and where these are shown. It is nil where there are
// none.
func groupsIn(root fs.FS) *gauge {
	if root == nil {
		if runtime.GOOS != "linux" {
			return nil
		}
		root = os.DirFS("/")
	}
	g := &gauge{root: root}
	g.in, g.mounts = g.text("proc/self/cgroup"), g.text("proc/self/mountinfo")
	return g
}

// add notes a group, if it has a limit.
func (g *gauge) add(of group) {
	if g.limit(of, g.text(of.stat)) != 0 {
		g.groups = append(g.groups, of)
	}
}

// watch notes where stalls are told, in the nearest place only: the figures of groups around it include
// the waits of other programs.
func (g *gauge) watch(file string) {
	if g.stall == "" {
		if _, ok := stalled(g.text(file)); ok {
			g.stall = file
		}
	}
}

// leastLimit returns the smallest limit in force; 0 is none. It reads a file or two a limit.
func (g *gauge) leastLimit() (least uint64) {
	if g == nil {
		return 0
	}
	for _, of := range g.groups {
		least = smaller(least, g.limit(of, g.text(of.stat)))
	}
	return least
}

// read returns the pressure now, of the group that has the smallest share of its limit left.
// It reads no file where there is neither a limit nor a measure of stalls. Otherwise a file
// costs some ten microseconds. A file that has vanished since counts as none.
func (g *gauge) read() (p Pressure) {
	if g == nil {
		return p
	}
	for _, of := range g.groups {
		stat := g.text(of.stat)
		limit := g.limit(of, stat)
		used, ok := number(g.text(of.usage))
		if limit == 0 || !ok {
			continue
		}
		// The kernel drops such pages before it kills anything.
		used -= min(used, field(stat, of.inactive))
		if p.Limit == 0 || ratioLess(p.Used, p.Limit, used, limit) {
			p.Used, p.Limit = used, limit
		}
	}
	if g.stall != "" {
		p.Stalled, _ = stalled(g.text(g.stall))
	}
	return p
}

// limit is the smallest limit of a group with a file of figures named stat; 0 is none.
func (g *gauge) limit(of group, stat string) (least uint64) {
	if of.around != "" {
		least = field(stat, of.around)
	}
	for _, file := range of.limits {
		n, _ := number(g.text(file)) // "max" is none
		least = smaller(least, n)
	}
	return least
}

// text is the content of a file, or "".
func (g *gauge) text(file string) string {
	text, err := fs.ReadFile(g.root, file)
	if err != nil {
		return ""
	}
	return string(text)
}

// unlimited is where the first version of control groups begins to mean no limit.
const unlimited = 1 << 62

// number is a text of one number; ok is false if it is none, or stands for no limit.
func number(text string) (n uint64, ok bool) {
	n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 64)
	if err != nil || n >= unlimited {
		return 0, false
	}
	return n, true
}

// field is the number behind a key at the beginning of a line, or 0.
func field(text, key string) uint64 {
	for line := range strings.Lines(text) {
		if k, value, _ := strings.Cut(line, " "); k == key {
			n, _ := number(value)
			return n
		}
	}
	return 0
}

// stalled finds how much of the last 10 s some task waited, in hundredths of a percent, in
// the kernel's text: some avg10=1.25 avg60=…
func stalled(text string) (hundredths int, ok bool) {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] != "some" {
			continue
		}
		value, ok := strings.CutPrefix(words[1], "avg10=")
		percent, err := strconv.ParseFloat(value, 64)
		if !ok || err != nil || !(percent >= 0 && percent <= 100) {
			return 0, false
		}
		return int(percent*100 + 0.5), true
	}
	return 0, false
}

// smaller is the smaller of two limits, of which 0 is none.
func smaller(a, b uint64) uint64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// ratioLess tells whether a/b is less than c/d.
func ratioLess(a, b, c, d uint64) bool {
	left, low := bits.Mul64(a, d)
	right, lower := bits.Mul64(c, b)
	return left < right || left == right && low < lower
}
