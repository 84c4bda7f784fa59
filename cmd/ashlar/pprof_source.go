package main

import (
	"bufio"
	"os"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/profile"
	pprofile "github.com/google/pprof/profile"
)

// pprofSource lets the driver read what ashlar writes: profiles as accesses, maps as
// memory or moves. All other files and addresses are left to the driver.
type pprofSource struct {
	placement *string // a map by which accesses are split over chunks
	moves     *bool
}

// Fetch returns nil for what it leaves to the driver.
func (s pprofSource) Fetch(name string, _, _ time.Duration) (*pprofile.Profile, string, error) {
	switch kindOf(name) {
	case "profile":
		f, err := profile.ReadFile(name, profile.Strict)
		if err != nil {
			return nil, "", err
		}
		var m profile.Map
		if *s.placement != "" {
			if m, err = profile.ReadMapFile(*s.placement); err != nil {
				return nil, "", err
			}
		}
		return profile.PprofAccess(f.Profile, m), "", nil
	case "map":
		m, err := profile.ReadMapFile(name)
		switch {
		case err != nil:
			return nil, "", err
		case *s.moves:
			return profile.PprofMoves(m), "", nil
		}
		return profile.PprofMemory(m), "", nil
	}
	return nil, "", nil
}

// kindOf is the second word of a file that begins with ashlar, comments passed over.
func kindOf(name string) string {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return "" // the driver says what is wrong
	}
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if words := strings.Fields(strings.TrimPrefix(line, "\ufeff")); len(words) > 1 && words[0] == "ashlar" {
			return words[1]
		} else if len(words) > 0 {
			return ""
		}
	}
	return ""
}
