package report

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
)

// look writes what a reader would stumble over into the page's only element pre.
const look = `<script>
const found = {wide: document.documentElement.scrollWidth - innerWidth, plots: 0, outside: [], over: [], paper: getComputedStyle(document.body).backgroundColor};
for (const svg of document.querySelectorAll("svg")) {
	const room = svg.getBoundingClientRect(), texts = [...svg.querySelectorAll("text")].map(t => [t.textContent, t.getBoundingClientRect()]);
	if (room.width > 100 && room.height > 50) found.plots++;
	for (const [i, [name, a]] of texts.entries()) {
		if (a.left < room.left - 1 || a.right > room.right + 1 || a.top < room.top - 1 || a.bottom > room.bottom + 1) found.outside.push(name);
		for (const [other, b] of texts.slice(i + 1))
			if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3) found.over.push(name + " and " + other);
	}
}
document.body.innerHTML = "";
const text = document.body.appendChild(document.createElement("pre"));
text.textContent = JSON.stringify(found);
</script></body>`

// A browser draws the page, on a wide and on a narrow screen, in light and in dark: plots have a size, names lie in them and apart,
// and the page is no wider than the screen.
func TestPageInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser: run it without -short; TestPage reads the page meanwhile")
	}
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil && browser == "" {
			browser = path
		}
	}
	if browser == "" {
		t.Skip("no browser here; TestPage reads the page")
	}
	page := manyRows(t)
	if strings.Count(page, "</body>") != 1 {
		t.Fatal("the page has no end")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	if err := os.WriteFile(file, []byte(strings.Replace(page, "</body>", look, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	papers := map[string]bool{}
	for _, scheme := range []int{0, 1} { // Blink's numbers of dark and light
		for _, width := range []int{1400, 500} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			out, err := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "--user-data-dir="+filepath.Join(dir, "user"),
				fmt.Sprintf("--blink-settings=preferredColorScheme=%d", scheme), fmt.Sprintf("--window-size=%d,900", width), "file://"+file).Output()
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			m := regexp.MustCompile(`<pre>(.*)</pre>`).FindSubmatch(out)
			if m == nil {
				t.Fatalf("the page has not been looked at:\n%.500s", out)
			}
			var found struct {
				Wide, Plots   float64
				Outside, Over []string
				Paper         string
			}
			if err := json.Unmarshal([]byte(strings.ReplaceAll(string(m[1]), "&amp;", "&")), &found); err != nil {
				t.Fatal(err)
			}
			if found.Plots != 3 || found.Wide > 0 || len(found.Outside)+len(found.Over) > 0 {
				t.Errorf("%d pixels wide, scheme %d: %+v", width, scheme, found)
			}
			papers[found.Paper] = true
		}
	}
	if len(papers) != 2 {
		t.Errorf("light and dark have the colours %v", papers)
	}
}

// manyRows is a page with all storages and variants, at sizes that lie close and far.
func manyRows(t *testing.T) string {
	t.Helper()
	var rows []Row
	add := func(name string, sizes []int, storages ...string) {
		for _, n := range sizes {
			for i, s := range storages {
				v := float64(n) * (1 + float64(i)/50)
				low, high := v*0.98, v*1.02
				rows = append(rows, Row{Part: "p", Name: name, Storage: s, Entities: n, MedianNS: &v, MeanNS: &v, DeviationNS: &v, Q1NS: &low, Q3NS: &high, P99NS: &high, Samples: 21, Guide: "docs/guide/first-program.md"})
			}
		}
	}
	all := []string{candidate.Ashlar, candidate.Ashlar + "+through-entries", candidate.Sparse, candidate.Archetype, candidate.Archetype + "+pool", candidate.Hybrid, candidate.Objects, candidate.Arrays}
	add("life systems by handle", []int{100, 1000, 10_000, 50_000, 500_000, 5_000_000}, all...)
	add("query2comp", []int{1, 16, 1024, 16_000, 256_000, 1_000_000}, all[:6]...)
	add("one size", []int{64}, all...)
	var b strings.Builder
	if err := HTML(&b, rows); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
