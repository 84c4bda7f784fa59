package plan_test

import (
	"fmt"
	"strings"

	"github.com/ashlar-go/ashlar/memmgr/plan"
	"github.com/ashlar-go/ashlar/memmgr/topology"
	"github.com/ashlar-go/ashlar/profile"
)

// What a run on the Go heap wrote down is enough to say what would be done about it.
func ExampleFromMap() {
	m, err := profile.ParseMap("run.map", strings.NewReader(`ashlar map 1
frame 1200
whole
region normal 0 x-------------------------------
region normal 1 xxx-----------------------------
chunk body 0 at normal 1 0 rows 1165 bytes 65240
chunk body 1 at normal 1 1 rows 1165 bytes 65240
chunk body 2 at normal 1 2 rows 1165 bytes 65240
chunk body 3 at normal 0 0 rows 99 bytes 5544
end
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	var p profile.Profile // of the same run, if one was recorded
	in, err := plan.FromMap(p, m)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(plan.Explain(plan.Plan(p, in), plan.Advice(p, topology.Default())))
	// Output:
	// evacuate normal region 0: 1 of its 32 slots are used, and other regions have room; gives 2.0 MiB back; 1 move, 5 KiB copied
}
