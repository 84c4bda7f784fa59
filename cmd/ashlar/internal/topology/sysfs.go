package topology

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/arena/caches"
)

const bytesMax = 1 << 30 // of a page

// sysfsCaches reads the caches of a processor. If sysfs lists any, caches that it
// does not list are not there, and only a missing first level is made up. Sizes that are
// missing, as on some boards, come from guess.
func sysfsCaches(root fs.FS, cpu string, guess []Cache) []Cache {
	var list []Cache
	for _, found := range caches.Sysfs(root, cpu) {
		c := Cache{Cache: found, Source: "sysfs"}
		if c.Bytes == 0 {
			i := level(guess, c.Level)
			if i < 0 {
				continue // nothing to go by
			}
			c.Bytes, c.Source = guess[i].Bytes, guess[i].Source
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		return guess
	}
	if level(list, 1) < 0 {
		list = slices.Insert(list, 0, guess[0])
	}
	return list
}

// level is which of the caches is of a level; -1 for none.
func level(list []Cache, n int) int {
	return slices.IndexFunc(list, func(c Cache) bool { return c.Level == n })
}

// boardModel is the name of a board, used if its processor has none.
func boardModel(root fs.FS) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return -1
		}
		return r
	}, caches.Text(root, "sys/firmware/devicetree/base/model"))
}

// memTotal is the memory of the machine in bytes; 0 if it is not known.
func memTotal(root fs.FS) uint64 {
	first, _, _ := strings.Cut(caches.Text(root, "proc/meminfo"), "\n")
	if words := strings.Fields(first); len(words) == 3 && words[0] == "MemTotal:" && words[2] == "kB" {
		return caches.Number(words[1] + "K")
	}
	return 0
}

// hugePages returns when memory gets huge pages, the word in brackets of "always [madvise]
// never", and how large they are.
func hugePages(root fs.FS) (mode string, bytes uint64) {
	const dir = "sys/kernel/mm/transparent_hugepage/"
	_, mode, _ = strings.Cut(caches.Text(root, dir+"enabled"), "[")
	mode, _, _ = strings.Cut(mode, "]")
	if bytes = caches.Number(caches.Text(root, dir+"hpage_pmd_size")); bytes > bytesMax {
		bytes = 0
	}
	return mode, bytes
}
