package ecs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/ashlar-go/ashlar/profile"
)

// recorded is the file that the environment names for the record of every world; "": none.
func recorded() string { return os.Getenv(profile.RecordVariable) }

// writeRecord writes the facts to the file that the environment names, and the map beside it, before the world's
// memory goes. Facts about other worlds stay.
func (w *World) writeRecord() error {
	path := recorded()
	if path == "" || w.rec == nil || w.base.Frame == 0 {
		return nil
	}
	before, err := profile.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err == nil {
		err = profile.WriteRun(path, before.WithFacts(w.Facts()), w.Map())
	}
	if err != nil {
		return fmt.Errorf("ecs: %s=%s: %w", profile.RecordVariable, path, err)
	}
	return nil
}
