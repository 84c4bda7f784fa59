package topology

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

const (
	cpus     = "sys/devices/system/cpu/"
	indexMax = 8       // caches that a processor may list
	bytesMax = 1 << 30 // of a cache or a page
	countMax = 1 << 16 // of processors or nodes
)

// sysfsCaches reads the caches of a processor. If sysfs lists any, caches that it
// does not list are not there, and only a missing first level is made up. Sizes that are
// missing, as on some boards, come from guess.
func sysfsCaches(root fs.FS, cpu string, guess []Cache) []Cache {
	var list []Cache
	for i := range indexMax {
		dir := fmt.Sprintf("%s/cache/index%d/", cpu, i)
		kind := strings.ToLower(read(root, dir+"type"))
		c := Cache{Level: int(number(read(root, dir+"level"))), Kind: kind, Bytes: number(read(root, dir+"size")), Source: "sysfs"}
		if kind != "data" && kind != "unified" || c.Level < 1 || level(list, c.Level) >= 0 {
			continue // one that is missing, or holds instructions
		}
		if c.Bytes == 0 || c.Bytes > bytesMax {
			i := level(guess, c.Level)
			if i < 0 {
				continue // nothing to go by
			}
			c.Bytes, c.Source = guess[i].Bytes, guess[i].Source
		}
		c.Shared = countList(read(root, dir+"shared_cpu_list"))
		list = append(list, c)
	}
	if len(list) == 0 {
		return guess
	}
	if level(list, 1) < 0 {
		list = append(list, guess[0])
	}
	slices.SortFunc(list, func(a, b Cache) int { return cmp.Compare(a.Level, b.Level) })
	return list
}

// level is which of the caches is of a level; -1 for none.
func level(list []Cache, n int) int {
	return slices.IndexFunc(list, func(c Cache) bool { return c.Level == n })
}

// fastest is the directory of the online processor that says the highest capacity, or
// else frequency. It is the first one where none or all say the same.
func fastest(root fs.FS) string {
	best, speed := cpus+"cpu0", uint64(0)
	for i, cpu := range listed(read(root, cpus+"online")) {
		dir := cpus + "cpu" + strconv.Itoa(cpu)
		n := number(read(root, dir+"/cpu_capacity"))
		if n == 0 {
			n = number(read(root, dir+"/cpufreq/cpuinfo_max_freq"))
		}
		if i == 0 || n > speed {
			best, speed = dir, n
		}
	}
	return best
}

// lineOf is the line of the first cache of a processor that says one, in bytes; 0 if none does.
func lineOf(root fs.FS, cpu string) uint64 {
	for i := range indexMax {
		if n := number(read(root, fmt.Sprintf("%s/cache/index%d/coherency_line_size", cpu, i))); n >= 16 && n <= 4096 && n&(n-1) == 0 {
			return n
		}
	}
	return 0
}

// boardModel is the name of a board, used if its processor has none.
func boardModel(root fs.FS) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return -1
		}
		return r
	}, read(root, "sys/firmware/devicetree/base/model"))
}

// memTotal is the memory of the machine in bytes; 0 if it is not known.
func memTotal(root fs.FS) uint64 {
	first, _, _ := strings.Cut(read(root, "proc/meminfo"), "\n")
	if words := strings.Fields(first); len(words) == 3 && words[0] == "MemTotal:" && words[2] == "kB" {
		return number(words[1] + "K")
	}
	return 0
}

// hugePages returns when memory gets huge pages, the word in brackets of "always [madvise]
// never", and how large they are.
func hugePages(root fs.FS) (mode string, bytes uint64) {
	const dir = "sys/kernel/mm/transparent_hugepage/"
	_, mode, _ = strings.Cut(read(root, dir+"enabled"), "[")
	mode, _, _ = strings.Cut(mode, "]")
	if bytes = number(read(root, dir+"hpage_pmd_size")); bytes > bytesMax {
		bytes = 0
	}
	return mode, bytes
}

// read returns the trimmed contents of a small file, its first 4 KiB, or "".
func read(root fs.FS, name string) string {
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

// listed are the numbers of a list such as "0-3,8"; none if it is not one.
func listed(s string) (list []int) {
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

func countList(s string) int { return len(listed(s)) }
