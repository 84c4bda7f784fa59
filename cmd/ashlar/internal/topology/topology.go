// Package topology describes the machine's memory: caches, pages, huge pages,
// nodes. `ashlar topo` prints it. The caches are the ones that the memory manager finds, by package caches. Other facts are
// from the kernel's files or sysctl, and from cpuid. `ashlar advise` asks for [CacheBytes].
package topology

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"

	"github.com/klauspost/cpuid/v2"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/caches"
)

// CacheBytes is how much cache a processor has near it: its second level, or the first one where
// that is all, or a usual figure where none is known.
func CacheBytes(list []caches.Cache) (bytes uint64) {
	for _, c := range list {
		if c.Level <= 2 && c.Bytes > 0 {
			bytes = c.Bytes
		}
	}
	return cmp.Or(bytes, 512<<10)
}

// Report writes a table for people: this machine, with the files of root, which stands for /, and with these caches.
func Report(w io.Writer, root fs.FS, list []caches.Cache) error {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	add := func(what, value string) { fmt.Fprintf(tw, "%s\t%s\n", what, cmp.Or(value, "not known")) }
	cpu, line := &cpuid.CPU, caches.Line(root, caches.Fastest(root))
	mode, huge := hugePages(root)
	add("architecture", runtime.GOARCH)
	add("model", cmp.Or(cpu.BrandName, boardModel(root)))
	add("processors", fmt.Sprint(runtime.NumCPU()))
	add("memory", size(cmp.Or(memTotal(root), sysctl("hw.memsize"))))
	if limit := arena.MemoryLimit(root); limit != 0 {
		add("   limit", size(limit))
	}
	add("cache line", size(cmp.Or(line, sysctl("hw.cachelinesize"), uint64(max(cpu.CacheLine, 0)))))
	add("page", size(uint64(os.Getpagesize())))
	add("huge page", size(huge))
	add("huge pages given", mode)
	add("NUMA nodes", fmt.Sprint(max(len(caches.List(caches.Text(root, "sys/devices/system/node/online"))), 1)))
	for _, c := range list {
		shared := ""
		if c.Shared > 0 {
			shared = fmt.Sprintf(", shared by %d", c.Shared)
		}
		add(fmt.Sprintf("L%d %s", c.Level, c.Kind), cmp.Or(size(c.Bytes), "not known")+shared)
	}
	if len(list) == 0 {
		add("caches", "")
	}
	return tw.Flush()
}

// sysctl is a number that the kernel keeps by that name; 0 if there is none.
func sysctl(name string) (n uint64) {
	if ask := caches.Sysctl(); ask != nil {
		n, _ = ask(name)
	}
	return n
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
	const dir, bytesMax = "sys/kernel/mm/transparent_hugepage/", 1 << 30
	_, mode, _ = strings.Cut(caches.Text(root, dir+"enabled"), "[")
	mode, _, _ = strings.Cut(mode, "]")
	if bytes = caches.Number(caches.Text(root, dir+"hpage_pmd_size")); bytes > bytesMax {
		bytes = 0
	}
	return mode, bytes
}

// size is an amount of bytes for people, exact up to GiB; "" for none.
func size(n uint64) string {
	switch {
	case n == 0:
		return ""
	case n >= 1<<30:
		return fmt.Sprintf("%.4g GiB", float64(n)/(1<<30))
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}
