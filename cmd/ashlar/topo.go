package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"text/tabwriter"

	"github.com/ashlar-go/ashlar/arena/caches"
)

// topoVerb is `ashlar topo`.
func topoVerb(_ context.Context, c console, args []string) error {
	if err := noWords(c, "topo", args); err != nil {
		return err
	}
	return topo(c.out, caches.Detect())
}

// topo writes the caches that the memory manager finds, and the pages of this machine.
func topo(w io.Writer, list []caches.Cache) error {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(tw, "architecture\t%s\n", runtime.GOARCH)
	fmt.Fprintf(tw, "processors\t%d\n", runtime.NumCPU())
	fmt.Fprintf(tw, "page\t%d KiB\n", os.Getpagesize()>>10)
	for _, c := range list {
		size, shared := "not known", ""
		if c.Bytes > 0 {
			size = fmt.Sprintf("%d KiB", c.Bytes>>10)
		}
		if c.Shared > 0 {
			shared = fmt.Sprintf(", shared by %d", c.Shared)
		}
		fmt.Fprintf(tw, "L%d\t%s%s\n", c.Level, size, shared)
	}
	if len(list) == 0 {
		fmt.Fprintln(tw, "caches\tnot known")
	}
	return tw.Flush()
}

// cacheBytes is how much cache a processor has near it: its second level, or the first one where
// that is all, or a usual figure where none is known.
func cacheBytes(list []caches.Cache) (bytes uint64) {
	for _, c := range list {
		if c.Level <= 2 && c.Bytes > 0 {
			bytes = c.Bytes
		}
	}
	return cmp.Or(bytes, 512<<10)
}
