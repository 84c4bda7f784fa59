//go:build ashlarcheck

package contract

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// Checked builds look at an entity though nothing has counted: a word or an address that is
// another row's is found, and a right one is let pass.
func TestVerify(t *testing.T) {
	f := newFixture(t, 3)
	x := f.schema(false)
	for what, spoil := range map[string]func(a, b *Instance){
		"nothing": func(a, b *Instance) {},
		"row":     func(a, b *Instance) { a.at = b.at },
		"address": func(a, b *Instance) { x.bases[int(a.page)/int(raw.WordBytes)] += 8 },
	} {
		a, _ := x.Bind(f.es[1])
		b, _ := x.Bind(f.es[2])
		for name, access := range map[string]func() bool{
			"Valid": func() bool { return x.Valid(&a) },
			"Fill":  func() bool { return x.Fill(&a, raw.Of(new(three))) },
		} {
			spoil(&a, &b)
			said := func() (said string) {
				defer func() { said, _ = recover().(string) }()
				if !access() {
					t.Errorf("%s, %s: it does not hold", what, name)
				}
				return ""
			}()
			if strings.Contains(said, "a change was not counted") != (what != "nothing") {
				t.Errorf("%s, %s: %q", what, name, said)
			}
		}
	}
}
