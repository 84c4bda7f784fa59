package layout

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// TrialVariable names a file to which each world adds a line when it is closed, with the figures of its
// frames: see Trial. `ashlar layout try` sets it for the program that it runs.
const TrialVariable = "ASHLAR_TRIAL"

// Trial is the figures of one world in one run. Only the world fills them in, and Sum. A frame lasts from the end of
// one Run to the end of the next, less the time in which the process uses no processor between the two.
type Trial struct {
	World    string        `json:"world,omitempty"`
	Layout   string        `json:"layout,omitempty"` // hash of the one that it went by
	Applied  int           `json:"applied"`          // statements about things that it has
	Stated   int           `json:"stated"`           // statements about it
	Start    time.Duration `json:"start"`            // from New to the end of the first frame
	First    time.Duration `json:"first"`            // of the first 100 frames together
	P50      time.Duration `json:"p50"`              // of a frame
	P99      time.Duration `json:"p99"`              // likewise
	Worst    time.Duration `json:"worst"`            // frame
	Resident uint64        `json:"resident"`         // bytes of chunks when it was closed
}

// Add adds the figures to a file, in one write, so that worlds of several processes may share it.
func (t Trial) Add(path string) error {
	b, err := json.Marshal(t)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("layout: %w: unset %s, or name a file that can be written", err, TrialVariable)
	}
	_, err = f.Write(append(b, '\n'))
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
