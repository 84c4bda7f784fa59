package topology_test

import (
	"fmt"
	"strings"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/topology"
)

// A decision is tested for a machine that one does not have.
func ExampleParse() {
	t, err := topology.Parse("laptop", strings.NewReader(`ashlar topology 1
line 128
cache 1 bytes 128K ways 8
cache 2 bytes 12M shared 4
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	l1 := t.L1d()
	fmt.Println(l1.WayBytes(), "bytes a way, from", l1.WaysSource)
	fmt.Println(t.L2().Ways, "ways of L2, from", t.L2().WaysSource)
	fmt.Println("pages of", t.Page.N, "bytes, from", t.Page.Source)
	// Output:
	// 16384 bytes a way, from file
	// 12 ways of L2, from default
	// pages of 4096 bytes, from default
}

func ExampleDetect() {
	t := topology.Detect(topology.DetectOptions{})
	l1 := t.L1d()
	fmt.Println(l1.Ways*l1.Sets*l1.Line == l1.Bytes)
	// Output: true
}
