package sets

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"
)

// The rivals of the sweep stay as they are, because its bars are about them: the table in docs/results/storage.md compares
// Ashlar of today with an archetype store and sparse sets of 24 November 2026. A rival that changes needs new figures there.
func TestRivalsArePinned(t *testing.T) {
	for name, want := range map[string]string{
		"tables.go":  "65b93d06dd57c151",
		"sparse.go":  "4907c6d37484da0c",
		"systems.go": "775035b77f85e7c7",
	} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "systems.go" { // their loops
			_, loops, _ := strings.Cut(string(text), "// sum2 and sum3")
			loops, _, _ = strings.Cut(loops, "// registerAll")
			text = []byte(loops)
		}
		sum := sha256.Sum256(text)
		if got := fmt.Sprintf("%x", sum[:8]); got != want {
			t.Errorf("%s has changed: %s, want %s", name, got, want)
		}
	}
}
