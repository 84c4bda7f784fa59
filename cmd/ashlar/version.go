package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
)

// versionVerb is `ashlar version`.
func versionVerb(_ context.Context, c console, args []string) error {
	if err := noWords(c, "version", args); err != nil {
		return err
	}
	info, _ := debug.ReadBuildInfo()
	_, err := fmt.Fprintln(c.out, versionOf(info))
	return err
}

// versionOf is the version of a build, or its commit where it has none. Builds without information are nil.
func versionOf(info *debug.BuildInfo) string {
	if info == nil {
		return "ashlar: built without information about its version"
	}
	of := map[string]string{}
	for _, s := range info.Settings {
		of[s.Key] = s.Value
	}
	line := "ashlar " + cmp.Or(info.Main.Version, "(devel)")
	if commit := of["vcs.revision"]; commit != "" {
		line += ", commit " + commit
		if of["vcs.modified"] == "true" {
			line += " with changes"
		}
	}
	return fmt.Sprintf("%s, %s %s/%s", line, info.GoVersion, of["GOOS"], of["GOARCH"])
}
