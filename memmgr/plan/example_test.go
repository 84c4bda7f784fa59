package plan_test

import (
	"fmt"
	"strings"

	"github.com/ashlar-go/ashlar/memmgr/plan"
	"github.com/ashlar-go/ashlar/memmgr/topology"
	"github.com/ashlar-go/ashlar/profile"
)

// What a run wrote down is enough to say what would be done about it.
func ExampleFromMap() {
	m, err := profile.ParseMap("run.map", strings.NewReader(`ashlar map 1
frame 1200
region huge 0 x-------------------------------
region huge 1 xxx-----------------------------
chunk body 0 at huge 1 0 rows 1165 bytes 65240
chunk body 1 at huge 1 1 rows 1165 bytes 65240
chunk body 2 at huge 1 2 rows 1165 bytes 65240
chunk body 3 at huge 0 0 rows 99 bytes 5544
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
	machine := topology.Default()
	fmt.Print(plan.Explain(plan.Plan(p, machine, in), plan.Advice(p, machine)))
	// Output:
	// evacuate huge region 0: 1 of its 32 slots are used, and other regions have room; gives 2.0 MiB back; 1 move, 5 KiB copied, about 426ns
}

// Without a placement, a profile says where chunks would be made.
func ExampleFromProfile() {
	groups, err := plan.FromProfile(profile.Profile{
		Components: []profile.Component{{Name: "position", Size: 24, Align: 8}, {Name: "velocity", Size: 24, Align: 8}},
		Groups:     []profile.Group{{Name: "body", Owns: []string{"position", "velocity"}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	g := groups[0]
	fmt.Printf("%s: %d columns, %d bytes a row, %d rows in a chunk, %d in a small one\n", g.Name, g.Columns, g.RowBytes, g.Capacity, g.Small)
	// Output:
	// body: 3 columns, 56 bytes a row, 1165 rows in a chunk, 34 in a small one
}
