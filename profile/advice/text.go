package advice

import (
	"fmt"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/profile"
)

// String returns the line for people: the savings, the evidence of the run, and the code to write, a line each.
func (l Line) String() string {
	var saves []string
	if l.Time > 0 {
		saves = append(saves, fmt.Sprintf("%v a frame", rounded(l.Time)))
	}
	if l.Bytes > 0 {
		saves = append(saves, size(l.Bytes))
	}
	return profile.InWorld(l.World, fmt.Sprintf("%s: saves %s\n    %s\n    → %s\n", l.Rule, strings.Join(saves, " and "), l.Why, l.Code))
}

// rounded keeps two digits of a time: predictions are good for no more.
func rounded(t time.Duration) time.Duration {
	return t.Round(rounding(t))
}
