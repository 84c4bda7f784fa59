package main

import (
	"context"
	"flag"

	"github.com/ashlar-go/ashlar/cmd/ashlar/report"
)

const viewsSynopsis = "views FILE"

// viewsVerb is `ashlar views`.
func viewsVerb(ctx context.Context, c console, args []string) error {
	flags := flag.NewFlagSet("views", flag.ContinueOnError)
	words, err := parse(c, flags, viewsSynopsis, args)
	if err != nil {
		return err
	}
	if len(words) != 1 {
		return usage("views needs one file, a profile that a run has recorded: %s", viewsSynopsis)
	}
	p, err := readProfile(ctx, c.files(), words[0])
	if err != nil {
		return err
	}
	return report.Views(c.out, p)
}
