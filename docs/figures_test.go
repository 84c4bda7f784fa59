package docs

import (
	"regexp"
	"strings"
	"testing"
)

var (
	section = regexp.MustCompile(`(?m)^##+ `)
	command = regexp.MustCompile("(?m)(^(\t|    )|`)go (-C bench )?(run|test) [^\n]+")
	tableOf = regexp.MustCompile(`(?m)^\|.*[0-9].*\|$`)
	// measured is a time, or a ratio with a fraction: limits and sizes are round.
	measured = regexp.MustCompile(`\b[0-9][0-9.,]* (ns|cyc|cycles)\b|\b[0-9]+\.[0-9]+x\b|\b[0-9]+\.[0-9]+ (to|and) [0-9]+\.[0-9]+\b`)
)

// TestFigures: a table of results stands in a section with the command that makes it. A figure
// elsewhere stands in a section with a command, or with a link to results.
func TestFigures(t *testing.T) {
	tables, figures := 0, 0
	for _, page := range pages(t) {
		name := strings.ReplaceAll(page, "\\", "/")
		text := fence.ReplaceAllString(read(t, page), "")
		if strings.Contains(name, "docs/examples/") {
			continue
		}
		for i, part := range section.Split(text, -1) {
			title, _, _ := strings.Cut(part, "\n")
			if i == 0 {
				title = "the beginning"
			}
			switch {
			case strings.HasPrefix(name, "results/") || strings.Contains(name, "/results/"):
				if tableOf.MatchString(part) && title != "Machines" && !strings.HasSuffix(name, "README.md") {
					if tables++; !command.MatchString(part) {
						t.Errorf("%s, %s: a table without the command that makes it", page, title)
					}
				}
			default:
				if m := measured.FindString(part); m != "" {
					if figures++; !command.MatchString(part) && !strings.Contains(part, "results/") {
						t.Errorf("%s, %s: %q without a command and without a link to results", page, title, m)
					}
				}
			}
		}
	}
	if tables < 8 || figures < 2 {
		t.Errorf("only %d tables and %d sections with figures found", tables, figures)
	}
}
