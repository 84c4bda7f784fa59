package advice

import (
	"testing"

	"github.com/ashlar-go/ashlar/profile"
)

// A group is in use if contracts give its values, or if a system touches it however seldom.
func TestUnusedByContractAndSeldom(t *testing.T) {
	m := profile.Map{Chunks: []profile.Placed{{Group: "rocks", Bytes: 3 << 20}}}
	for name, change := range map[string]func(p *profile.Profile){
		"":            func(*profile.Profile) {},
		"by contract": func(p *profile.Profile) { p.Lookups = []profile.Lookup{{Component: "weight", Contracts: 1}} },
		"seldom": func(p *profile.Profile) {
			p.Frames = 1 << 20
			p.Systems = append(p.Systems, profile.System{Name: "once", Frames: 1, Access: []profile.Access{{Group: "rocks", Component: "weight", Rows: 1}}})
		},
	} {
		p := apples()
		p.Groups = append(p.Groups, profile.Group{Name: "rocks", Owns: []string{"weight"}})
		change(&p)
		if l := only(p, m, "unused"); (len(l) == 1) != (name == "") {
			t.Errorf("%q: %v", name, l)
		}
	}
}

// A component beside the others costs its lines where these are in more memory than the caches have.
func TestPlaced(t *testing.T) {
	p := profile.Profile{Frames: 1, Components: []profile.Component{{Name: "wide", Size: 64, Align: 8}}, Groups: []profile.Group{{Name: "g", Owns: []string{"wide"}, Rows: 1000}}}
	if within, beyond := (in{p: p, cached: 64_000}).placed("wide"), (in{p: p, cached: 63_999}).placed("wide"); within != placePs || beyond != nextPs {
		t.Errorf("%d ps in the caches, %d ps beyond", within, beyond)
	}
}
