package arena

import (
	"io/fs"
	"strings"
	"time"
)

// ProcessorTime is how long the process has used processors; 0 where that is not known, or not to a microsecond.
// It costs a system call.
func ProcessorTime() time.Duration { return processorTime() }

// ProcessorLimit returns how many processors' time the control groups that the process is in leave it,
// rounded up; 0 is no limit. Root stands for /. If it is nil, that is the machine's on Linux, and
// nothing elsewhere. It reads some small files.
func ProcessorLimit(root fs.FS) (least int) {
	g := groupsIn(root)
	if g == nil {
		return 0
	}
	for _, dir := range groupDirs(g.in, g.mounts, "cpu") {
		quota, _ := number(g.text(dir + "/cpu.cfs_quota_us")) // -1 is none
		least = fewer(least, quota, g.text(dir+"/cpu.cfs_period_us"))
	}
	for _, dir := range groupDirs(g.in, g.mounts, unified) {
		share, period, _ := strings.Cut(g.text(dir+"/cpu.max"), " ")
		quota, _ := number(share) // "max" is none
		least = fewer(least, quota, period)
	}
	return least
}

// fewer is the smaller of a limit and of a quota in each period, in processors, of which 0 is none.
func fewer(least int, quota uint64, period string) int {
	n, ok := number(period)
	if !ok || n == 0 || quota == 0 {
		return least
	}
	return int(smaller(uint64(least), (quota+n-1)/n))
}
