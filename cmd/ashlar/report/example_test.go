package report_test

import (
	"fmt"

	"github.com/ashlar-go/ashlar/cmd/ashlar/report"
	"github.com/ashlar-go/ashlar/profile"
)

func ExamplePprofAccess() {
	p := profile.Profile{Frames: 10, Systems: []profile.System{{Name: "move", Access: []profile.Access{
		{Group: "body", Component: "position", Write: true, Rows: 1000, Chunks: 20, Bytes: 16000},
	}}}}
	m := profile.Map{Chunks: []profile.Placed{{Group: "body", Order: 0, Rows: 75}, {Group: "body", Order: 1, Rows: 25}}}
	for _, s := range report.PprofAccess(p, m).Sample {
		fmt.Println(s.Location[0].Line[0].Function.Name, s.Label["system"], s.Label["mode"], s.Label["chunk"], s.Value)
	}
	// Output:
	// column:position [move] [write] [body:0] [750 10 12000]
	// column:position [move] [write] [body:1] [250 10 4000]
}
