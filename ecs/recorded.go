package ecs

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"

	"github.com/ashlar-go/ashlar/profile"
)

// recorded is the file that the environment names for the record of every world; "": none.
func recorded() string { return os.Getenv(profile.RecordVariable) }

// writeRecord writes the facts about a world to that file, and the map beside it. Facts about other worlds stay.
func writeRecord(facts profile.Profile, m profile.Map) error {
	path := recorded()
	before, err := profile.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err == nil {
		err = profile.WriteRun(path, before.WithFacts(facts), m)
	}
	if err != nil {
		return fmt.Errorf("ecs: %s=%s: %w", profile.RecordVariable, path, err)
	}
	return nil
}

// warn logs an error about a file that the environment asks for, unless it is nil.
func warn(log func(string), err error) {
	if log == nil {
		log = func(text string) { slog.Warn(text) }
	}
	if err != nil {
		log(err.Error())
	}
}
