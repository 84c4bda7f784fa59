// Package caches finds the caches of data of a processor: their sizes, and how many processors share each.
//
//	cpuid    the processor's own word; amd64: some 4 µs a question in a virtual machine, where each leaves it
//	sysctl   darwin
//	sysfs    linux; some 20 µs a file
//
// Each source may know nothing. Nothing is read before it is asked for, and nothing is kept.
//
// All names are for engines, and may change.
package caches

import (
	"cmp"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
)

// Cache is one level of cache, as one processor sees it.
type Cache struct {
	Level  int
	Bytes  uint64 // 0: not known
	Shared int    // by so many processors; 0: not known
}

// Detect lists the caches of the processor that this goroutine runs on, or of the fastest one. It is empty if no source
// knows them.
func Detect() []Cache {
	if list := processor(); len(list) > 0 {
		return list
	}
	if list := kernel(sysctl()); len(list) > 0 {
		return list
	}
	if runtime.GOOS != "linux" {
		return nil
	}
	root := os.DirFS("/")
	return sysfs(root, fastest(root))
}

// kernel lists the caches that sysctl knows. nil knows none.
//
// perflevel0 are the fast processors. Without the word, Apple's chips answer for the slow ones, and Intel's have
// nothing else.
func kernel(ask func(name string) (value uint64, ok bool)) (list []Cache) {
	number := func(names ...string) uint64 {
		for _, name := range names {
			if n, ok := ask(name); ok && n > 0 {
				return n
			}
		}
		return 0
	}
	if ask == nil {
		return nil
	}
	for i, name := range []string{"l1dcachesize", "l2cachesize", "l3cachesize"} {
		if n := number("hw.perflevel0."+name, "hw."+name); n > 0 {
			list = append(list, Cache{Level: i + 1, Bytes: n})
			if i == 1 {
				list[len(list)-1].Shared = int(number("hw.perflevel0.cpusperl2"))
			}
		}
	}
	return list
}

const indexMax = 8 // caches that a processor may list

// sysfs lists the caches of a processor, by its directory. A file that is missing, or that makes no sense, leaves a
// figure out.
func sysfs(root fs.FS, cpu string) (list []Cache) {
	for i := range indexMax {
		dir := index(cpu, i)
		kind := strings.ToLower(readText(root, dir+"type"))
		c := Cache{Level: int(number(readText(root, dir+"level")))}
		known := slices.ContainsFunc(list, func(x Cache) bool { return x.Level == c.Level })
		if kind != "data" && kind != "unified" || c.Level < 1 || known {
			continue // a missing one, or one of instructions
		}
		if c.Bytes = number(readText(root, dir+"size")); c.Bytes > bytesMax {
			c.Bytes = 0
		}
		c.Shared = len(listOf(readText(root, dir+"shared_cpu_list")))
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b Cache) int { return cmp.Compare(a.Level, b.Level) })
	return list
}
