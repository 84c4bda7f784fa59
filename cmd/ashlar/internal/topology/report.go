package topology

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Report writes a table for people: every value with its source.
func (t Topology) Report(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	row := func(what, value string, s Source) { fmt.Fprintf(tw, "%s\t%s\t%v\n", what, value, s) }
	fmt.Fprintf(tw, "what\tvalue\tsource\n")
	row("architecture", t.Arch.Text, t.Arch.Source)
	row("model", or(t.Model.Text, "not known"), t.Model.Source)
	row("processors", fmt.Sprint(t.CPUs.N), t.CPUs.Source)
	row("memory", or(size(t.Memory.Bytes), "not known"), t.Memory.Source)
	if t.Limit.Bytes != 0 {
		row("   limit", size(t.Limit.Bytes), t.Limit.Source)
	}
	row("cache line", size(uint64(t.Line.N)), t.Line.Source)
	for _, c := range t.Caches {
		row(fmt.Sprintf("L%d %v", c.Level, c.Kind), fmt.Sprintf("%s, line %d B", size(uint64(c.Bytes)), c.Line), c.Source)
		row("   ways", fmt.Sprintf("%d of %s, %d sets", c.Ways, size(uint64(c.WayBytes())), c.Sets), c.WaysSource)
		row("   shared by", fmt.Sprint(c.SharedBy), c.SharedSource)
	}
	row("page", size(uint64(t.Page.N)), t.Page.Source)
	row("huge page", or(size(uint64(t.HugePage.N)), "none"), t.HugePage.Source)
	row("huge pages given", t.HugeMode.Text, t.HugeMode.Source)
	row("NUMA nodes", fmt.Sprint(t.Nodes.N), t.Nodes.Source)
	counters := "none"
	if t.Counters.N != 0 {
		counters = "there"
	}
	row("hardware counters", counters, t.Counters.Source)
	return tw.Flush()
}

// String is the caches, the line and the page on one line, for logs.
func (t Topology) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d processors", t.Arch.Text, t.CPUs.N)
	for _, c := range t.Caches {
		fmt.Fprintf(&b, ", L%d %v %s in %d ways", c.Level, c.Kind, size(uint64(c.Bytes)), c.Ways)
	}
	fmt.Fprintf(&b, ", line %d B, page %s", t.Line.N, size(uint64(t.Page.N)))
	return b.String()
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
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
