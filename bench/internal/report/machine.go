package report

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Machine describes where a result is from, in a line: processor, caches, pages, Go and commit. Facts that the
// system does not tell are left out.
func Machine() string {
	facts := []string{fmt.Sprintf("%s, %d processors", processor(), runtime.NumCPU())}
	facts = append(facts, caches()...)
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

// caches lists the first processor's, such as "L1d 32K".
func caches() (list []string) {
	dirs, _ := filepath.Glob("/sys/devices/system/cpu/cpu0/cache/index*")
	for _, dir := range dirs {
		fact := func(name string) string {
			text, _ := os.ReadFile(filepath.Join(dir, name))
			return strings.TrimSpace(string(text))
		}
		if kind := fact("type"); kind == "Data" || kind == "Unified" {
			list = append(list, fmt.Sprintf("L%s %s", fact("level"), fact("size")))
		}
	}
	return list
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
