package advice_test

import (
	"fmt"
	"strings"

	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/advice"
)

// A program asks for advice on a run's record.
func ExampleOf() {
	p, err := profile.Parse("game.profile", strings.NewReader(`ashlar profile 1

frames 600

component transform size 64 align 4

group sprites owns sprite rows 24000000 chunks 12000 peak 40000 last 40000
group transforms owns transform rows 24000000 chunks 30000 peak 40000 last 40000

system list frames 600 timed 60 p10 780us p50 800us p90 860us p99 1ms
access list sprites sprite read rows 24000000 chunks 12000 bytes 384000000
access list transforms transform read scattered rows 24000000 chunks 30000 bytes 1536000000
choice list sprites transform gathered frames 600 chunks 0 stale 0 order 90

end
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range advice.Of(p, profile.Map{}, 1<<20) {
		fmt.Println(a.Rule, a.System, a.Code)
	}
	// Output:
	// groups list Leave out GroupOf for sprites and transforms; spawn with SpawnerOf
	// field list In the struct of list: Field []F `ashlar:"transform.Field"`
}
