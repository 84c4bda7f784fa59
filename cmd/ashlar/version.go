package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"runtime/debug"
)

// versionVerb is `ashlar version`.
func versionVerb(_ context.Context, c console, args []string) error {
	words, err := parse(c, flag.NewFlagSet("version", flag.ContinueOnError), "version", args)
	if err != nil {
		return err
	}
	if len(words) > 0 {
		return usage("unexpected %q: version takes no arguments", words[0])
	}
	info, _ := debug.ReadBuildInfo()
	_, err = fmt.Fprintln(c.out, versionOf(info))
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
