package ecs

import "testing"

// Lines have at most 80 columns, and parts that are empty have none.
func TestDescriptionText(t *testing.T) {
	d := description{
		systems: []systemText{
			{name: "load", phase: "Startup"},
			{name: "move", phase: "EachFrame", sets: []string{"game", "physics"}, before: []string{"hit"}, after: []string{"steer"}, uses: []use{
				{"writes", []string{"position"}}, {"reads", []string{"velocity", "body.Mass"}}, {"with", []string{"awake"}}, {"without", []string{"frozen"}},
			}},
			{name: "hit", phase: "EachFrame", paused: true, uses: []use{{"reads", []string{"position"}}}},
			{name: "all", phase: "Render", onlyIn: []string{"bodies"}, sets: []string{"s"}, uses: []use{
				{"any of", []string{"a or b"}}, {"disabled", []string{"entity"}}, {"writes resources", []string{"game.Score"}},
			}},
		},
		tables:    []tableText{{"bodies", []string{"position", "velocity"}, 5, 1}, {"", []string{"tag"}, 1, 2}},
		resources: []string{"game.Clock"},
	}
	const want = `phase Startup
  load
phase EachFrame
  move: writes position; reads velocity, body.Mass; with awake; without frozen;
      in game, physics; before hit; after steer
  hit (paused): reads position
phase Render
  all: any of a or b; disabled entity; writes resources game.Score; only in
      bodies; in s
table of bodies of position+velocity: 5 rows in 1 chunk
table of tag: 1 row in 2 chunks
resource game.Clock
`
	if got := d.String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := (description{}).String(); got != "" {
		t.Errorf("%q of nothing", got)
	}
}
