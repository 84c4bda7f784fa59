package main

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"
)

// A run of churn ends with the same state, however memory is managed.
func TestRunChurn(t *testing.T) {
	hash := ""
	for _, flags := range []string{"", "-adapt=stress", "-heap -fifo", "-adapt=stress -heap"} {
		args := append(strings.Fields("run churn -entities 4000 -frames 150 -groups 7 -seed 3"), strings.Fields(flags)...)
		status, out, errs := call(t, args...)
		if status != 0 || errs != "" {
			t.Fatalf("%q: status %d, %s", args, status, errs)
		}
		for _, want := range []string{`frame +150\n`, `population +\d+\n`, `births +\d+\n`, `seekers.4 +\d+ members, \d+ chunks?\n`, `frames/s +\d+\n`, `chunks +\d+ in use`, `storage +signal: \d+ bytes; fixed, by default; \d+ entities in \d tables?\n +fever: `, `region +0  `} {
			if !regexp.MustCompile(want).MatchString(out) {
				t.Errorf("%q: no %s in\n%s", args, want, out)
			}
		}
		got := regexp.MustCompile(`state hash +([0-9a-f]{16})\n`).FindStringSubmatch(out)
		if got == nil || hash != "" && got[1] != hash {
			t.Errorf("%q: hash %v, want %s", args, got, hash)
		} else {
			hash = got[1]
		}
	}
	if _, out, _ := call(t, strings.Fields("run churn -entities 4000 -frames 150 -groups 7 -seed 4")...); strings.Contains(out, hash) {
		t.Errorf("another seed has the hash %s too", hash)
	}
}

func TestChurnMistakes(t *testing.T) {
	for args, want := range map[string]string{
		"run churn more":             `unexpected "more"`,
		"run churn -frames -1":       "is negative",
		"run churn -entities 0":      "give 1 to",
		"run churn -groups 0":        "give 1 to",
		"run churn -groups 99999999": "give 1 to",
		"run churn -seed x":          "seed",
		"run churn -torus":           "churn has no flag -torus",
		"run churn -apart":           "churn has no flag -apart",
		"run life -frames 9 x.rle":   "life has no flag -frames",
	} {
		if status, _, errs := call(t, strings.Fields(args)...); status != 2 || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d, %q; want %q", args, status, errs, want)
		}
	}
}

func TestChurnInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var o, e bytes.Buffer
	status := run(ctx, console{nil, &o, &e, true, false, verb{}}, strings.Fields("run churn -entities 100"))
	if status != 130 || !strings.Contains(o.String(), "population  0") || !strings.Contains(e.String(), "interrupted") {
		t.Errorf("status %d\n%s\n%s", status, o.String(), e.String())
	}
}
