package profile

import (
	"fmt"
	"math"

	"github.com/ashlar-go/ashlar/internal/profile/text"
)

// frames is how many frames the facts are sums of. A profile that has facts states it.
type frames uint64

func framesOf(p *Profile) []statement {
	if !p.hasFacts() {
		return nil
	}
	return []statement{frames(p.Frames)}
}

func readFrames(c *text.Cursor) statement {
	return frames(c.Number("number of frames", math.MaxUint64))
}

func (n frames) subject() string { return "frames" }
func (n frames) rest() string    { return fmt.Sprintf(" %d", uint64(n)) }
func (n frames) problem() string { return "" }
func (n frames) into(p *Profile) { p.Frames = uint64(n) }

func (n frames) merge(with statement) (statement, bool) {
	return frames(add(uint64(n), uint64(with.(frames)))), true
}

// compared: the same work done for longer is no difference.
func (n frames) compared(uint64) (string, []Figure) { return "", nil }

// add stays at the highest value, which keeps it associative.
func add(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}
