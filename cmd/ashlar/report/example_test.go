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
	for _, s := range report.PprofAccess(p).Sample {
		fmt.Println(s.Location[0].Line[0].Function.Name, s.Label["system"], s.Label["mode"], s.Value)
	}
	// Output:
	// column:position [move] [write] [1000 20 16000]
}
