package caches

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

const (
	cpus     = "sys/devices/system/cpu/"
	bytesMax = 1 << 30 // of a cache
	countMax = 1 << 16 // of processors or nodes
)

// index is the directory of a processor's i-th cache.
func index(cpu string, i int) string { return fmt.Sprintf("%s/cache/index%d/", cpu, i) }

// fastest is the directory of the online processor that says the highest capacity, or else frequency. It is the first
// one where none or all say the same.
func fastest(root fs.FS) string {
	best, speed := cpus+"cpu0", uint64(0)
	for i, cpu := range listOf(readText(root, cpus+"online")) {
		dir := cpus + "cpu" + strconv.Itoa(cpu)
		n := number(readText(root, dir+"/cpu_capacity"))
		if n == 0 {
			n = number(readText(root, dir+"/cpufreq/cpuinfo_max_freq"))
		}
		if i == 0 || n > speed {
			best, speed = dir, n
		}
		if i == 0 && n == 0 {
			break // it says none of them: there may be hundreds
		}
	}
	return best
}

// readText returns the trimmed contents of a small file, its first 4 KiB, or "".
func readText(root fs.FS, name string) string {
	f, err := root.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	buf := make([]byte, 4096)
	n, _ := f.Read(buf)
	return strings.TrimSpace(string(buf[:max(n, 0)]))
}

// number reads "32K", "32M" or a plain number; 0 for anything else.
func number(s string) uint64 {
	shift := 0
	for i, suffix := range []string{"K", "M"} {
		if digits, ok := strings.CutSuffix(s, suffix); ok {
			s, shift = digits, 10*(i+1)
		}
	}
	n, err := strconv.ParseUint(s, 10, 43) // 8 EiB with its suffix
	if err != nil {
		return 0
	}
	return n << shift
}

// listOf has the numbers of a list such as "0-3,8"; it is empty if the text is no list.
func listOf(s string) (list []int) {
	for part := range strings.SplitSeq(s, ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		a, err := strconv.ParseUint(low, 10, 16)
		b, err2 := strconv.ParseUint(high, 10, 16)
		if err != nil || err2 != nil || b < a || len(list) > countMax {
			return nil
		}
		for n := a; n <= b; n++ {
			list = append(list, int(n))
		}
	}
	return list
}
