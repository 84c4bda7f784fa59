package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
	"github.com/ashlar-go/ashlar/bench/internal/report"
)

// The whole of -quick runs: all candidates end with the same checksums, and JSON and the page come of it.
func TestQuick(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.html")
	var out, errs bytes.Buffer
	if status := run([]string{"-quick", "-rounds", "3", "-json", "-html", page}, &out, &errs); status != 0 {
		t.Fatalf("status %d:\n%s", status, errs.String())
	}
	var rows []report.Row
	if err := json.Unmarshal(out.Bytes(), &rows); err != nil {
		t.Fatal(err)
	}
	checksums, storages := map[string]string{}, map[string]bool{}
	for _, r := range rows {
		if r.Rows == 0 && r.Name != "new_world" || r.Samples == 0 || r.Machine == "" || strings.HasPrefix(r.Storage, candidate.Ashlar) != (r.Guide != "") {
			t.Errorf("%+v", r)
		}
		if r.Guide != "" {
			if _, err := os.Stat(filepath.Join("..", r.Guide)); err != nil {
				t.Error(err)
			}
		}
		key := r.Name + string(rune(r.Entities))
		if c, seen := checksums[key]; seen && c != r.Checksum {
			t.Errorf("%s of %d: checksums differ", r.Name, r.Entities)
		}
		checksums[key], storages[r.Storage] = r.Checksum, true
	}
	for _, s := range []string{candidate.Ashlar, candidate.Sparse, candidate.Archetype, candidate.Hybrid, candidate.Objects, candidate.Arrays} {
		if !storages[s] {
			t.Errorf("%s takes no part", s)
		}
	}
}

// Wrong flags are errors that name the remedy.
func TestWrongFlags(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"-json", "name one"},
		{"-html x", "name one"},
		{"", "-programs or -public"},
		{"-quick life", `"life" is no flag`},
		{"-nothing", "not defined"},
		{"-quick -rounds 1", "at least 3"},
		{"-quick -rows (", "error parsing regexp"},
		{"-quick -rows nosuch", "no contest"},
	} {
		var out, errs bytes.Buffer
		if status := run(strings.Fields(tt.args), &out, &errs); status != 2 || !strings.Contains(errs.String(), tt.want) {
			t.Errorf("%s: status %d, %s", tt.args, status, errs.String())
		}
	}
}

// BenchmarkContests runs the bodies of contests in benchstat's form. A loop of the benchmark is one Work, with its
// preparation outside of the time.
func BenchmarkContests(b *testing.B) {
	for _, e := range exhibits() {
		for _, c := range e.contests(true) {
			for _, entry := range c.Entries {
				b.Run(strings.ReplaceAll(c.Name, " ", "-")+fmt.Sprintf("/entities=%d/storage=%s", c.Entities, entry.Storage), func(b *testing.B) {
					body := entry.Open()
					if body.Close != nil {
						defer body.Close()
					}
					if body.Prepare == nil {
						for b.Loop() {
							body.Work()
						}
					} else {
						for b.Loop() {
							b.StopTimer()
							body.Prepare()
							b.StartTimer()
							body.Work()
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*c.Ops), "ns/entity")
				})
			}
		}
	}
}
