package topology

import (
	"fmt"
	"io"
	"strings"
)

// The text form, a statement a line; # begins a comment:
//
//	ashlar topology 1
//	arch amd64 from runtime
//	model "AMD EPYC" from cpuid
//	cpus 8
//	memory 16G
//	limit 2G
//	line 64
//	page 4K
//	hugepage 2M
//	hugemode madvise
//	nodes 1
//	counters 1
//	cache 1 data bytes 48K line 64 from cpuid ways 12 sets 64 from default shared 2
//
// The first line says the version. `from` says where what stands before it comes
// from, and is `file` if left out. K, M and G are 2^10, 2^20 and 2^30. What is not
// stated is as in Default, and the first cache statement replaces all default
// caches. In a cache only level and bytes are needed: its line is then the
// machine's, and ways and sets are made up to fit.

const (
	version   = 1
	textMax   = 1 << 20 // bytes of a description
	memoryMax = 1 << 53
)

// WriteTo writes the description in its text form, sources included: for every
// topology that comes from this package, Parse reads back one that is Equal.
func (t Topology) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "ashlar topology %d\n", version)
	fmt.Fprintf(&b, "arch \"%s\" from %v\n", printable(t.Arch.Text), t.Arch.Source)
	fmt.Fprintf(&b, "model \"%s\" from %v\n", printable(t.Model.Text), t.Model.Source)
	fmt.Fprintf(&b, "cpus %d from %v\n", t.CPUs.N, t.CPUs.Source)
	fmt.Fprintf(&b, "memory %d from %v\n", t.Memory.Bytes, t.Memory.Source)
	if t.Limit.Bytes != 0 {
		fmt.Fprintf(&b, "limit %d from %v\n", t.Limit.Bytes, t.Limit.Source)
	}
	fmt.Fprintf(&b, "line %d from %v\n", t.Line.N, t.Line.Source)
	fmt.Fprintf(&b, "page %d from %v\n", t.Page.N, t.Page.Source)
	fmt.Fprintf(&b, "hugepage %d from %v\n", t.HugePage.N, t.HugePage.Source)
	fmt.Fprintf(&b, "hugemode %s from %v\n", t.HugeMode.Text, t.HugeMode.Source)
	fmt.Fprintf(&b, "nodes %d from %v\n", t.Nodes.N, t.Nodes.Source)
	fmt.Fprintf(&b, "counters %d from %v\n", t.Counters.N, t.Counters.Source)
	for _, c := range t.Caches {
		fmt.Fprintf(&b, "cache %d %v bytes %d line %d from %v ways %d sets %d from %v shared %d from %v\n",
			c.Level, c.Kind, c.Bytes, c.Line, c.Source, c.Ways, c.Sets, c.WaysSource, c.SharedBy, c.SharedSource)
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}
