package report

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/ashlar-go/ashlar/arena/caches"
)

// Machine describes where a result is from, in a line: processor, caches, pages, Go and commit. Facts that the
// system does not tell are left out.
func Machine() string {
	facts := []string{fmt.Sprintf("%s, %d processors", processor(), runtime.NumCPU())}
	for _, c := range caches.Detect() {
		facts = append(facts, fmt.Sprintf("L%d %d KiB", c.Level, c.Bytes>>10))
	}
	if text, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled"); err == nil {
		facts = append(facts, fmt.Sprintf("pages of %d KiB, huge %s", os.Getpagesize()>>10, chosen(string(text))))
	}
	if text, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		facts = append(facts, "Linux "+strings.TrimSpace(string(text)))
	}
	return strings.Join(append(facts, fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH), "commit "+commit()), "; ")
}

func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// chosen is the word in brackets.
func chosen(text string) string {
	_, after, _ := strings.Cut(text, "[")
	word, _, _ := strings.Cut(after, "]")
	return word
}

// commit is the one that the source is at, by git: go run leaves it out of the program.
func commit() string {
	out, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	name := strings.TrimSpace(string(out))
	if changed, err := exec.Command("git", "status", "--porcelain", "--untracked-files=no").Output(); err != nil || len(changed) > 0 {
		name += " with changes"
	}
	return name
}
