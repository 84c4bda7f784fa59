package ecs_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

func fullStats() ecs.Stats {
	s := ecs.Stats{
		Frame: 7, Entities: 1, Tables: 2, Systems: 3,
		Components: []ecs.ComponentStats{
			{Name: "position", Type: "game.Position", Bytes: 16, Group: "bodies", Storage: ecs.Stable, Reason: "declared by its group", Entities: 5, Tables: 1},
			{Name: "poison", Type: "game.Poison", Bytes: 1, Storage: ecs.Volatile, Reason: "removed often", Since: 3, Changing: true, Entities: 1, Tables: 2, Removed: 2},
		},
		Groups: []ecs.GroupStats{{"bodies", []string{"position", "velocity"}, 5}},
		Views: []ecs.ViewStats{
			{Group: "sprites", Component: "transform", Field: "Position", Readers: 2, Built: 1, Refreshed: 2, Reused: 30, Kept: true},
			{Group: "sprites", Component: "colour", Readers: 1},
		},
		Sorts:  []ecs.SortStats{{Rows: "bodies", As: "sprites", Swapped: 1, Rounds: 2}},
		Locked: 2, Waiting: 3, Dropped: 8, Tidied: 3 << 20,
		Abandoned: "ecs: the last frame was abandoned",
		Memory:    memmgr.Stats{Chunks: 4, Payload: 1536, Arena: arena.Stats{Live: 5 << 20, Committed: 700}},
	}
	for i := range 7 {
		s.Drops = append(s.Drops, ecs.DroppedCommand{Frame: uint64(i), Entity: 5, What: "destroy", Err: errors.New("too late")})
	}
	s.Drops[6].System = "ignite"
	return s
}

// An empty part has no line, and lines have at most 80 columns.
func TestStatsText(t *testing.T) {
	drop := strings.TrimSuffix(fmt.Sprintf("  a command of system \"ignite\" in frame 6, destroy of %v: too late\n", fullStats().Drops[0].Entity), "\n")
	var early []string
	for i := 2; i < 6; i++ {
		early = append(early, fmt.Sprintf("  a command in frame %d, destroy of %v: too late", i, fullStats().Drops[0].Entity))
	}
	want := `frame 7: 1 entity, 2 tables, 3 systems
component position: game.Position, 16 bytes; fixed, declared by its group
    bodies; 5 entities in 1 table
component poison: game.Poison, 1 byte; optional, removed often; 1 entity in 2
    tables, changing over
group bodies of position, velocity: 5 members
view of transform.Position in sprites: 2 readers, kept; 1 chunk gathered, 2
    chunks refreshed, 30 chunks used again
view of colour in sprites: 1 reader, not kept; 0 chunks gathered, 0 chunks
    refreshed, 0 chunks used again
bodies sorted as sprites: 1 row swapped, 2 rounds
locks hold 2 entities
commands: 3 wait, 8 dropped
` + strings.Join(early, "\n") + "\n" + drop + `
ecs: the last frame was abandoned
words: 3.0 MiB given back
memory: 1.5 KiB of rows in 4 chunks, 5.0 MiB live, 700 B committed
`
	if got := fullStats().String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	const nothing = "frame 0: 0 entities, 0 tables, 0 systems\nmemory: 0 B of rows in 0 chunks, 0 B live, 0 B committed\n"
	if got := (ecs.Stats{}).String(); got != nothing {
		t.Errorf("%q, want %q", got, nothing)
	}
}

func TestDescriptionText(t *testing.T) {
	d := ecs.Description{
		Systems: []ecs.SystemDescription{
			{Name: "load", Phase: "Startup"},
			{Name: "move", Phase: "EachFrame", Sets: []string{"game", "physics"}, Before: []string{"hit"}, After: []string{"steer"}, Uses: []ecs.Use{
				{"writes", "position"}, {"reads", "velocity"}, {"reads", "body.Mass"}, {"with", "awake"}, {"without", "frozen"},
			}},
			{Name: "hit", Phase: "EachFrame", Paused: true, Uses: []ecs.Use{{"reads", "position"}}},
			{Name: "all", Phase: "Render", OnlyIn: []string{"bodies"}, Sets: []string{"s"}, Uses: []ecs.Use{{"any of", "a or b"}, {"disabled", "entity"}, {"writes resources", "game.Score"}}},
		},
		Tables:    []ecs.TableDescription{{"bodies", []string{"position", "velocity"}, 5, 1}, {"", []string{"tag"}, 1, 2}},
		Resources: []string{"game.Clock"},
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
	if got := (ecs.Description{}).String(); got != "" {
		t.Errorf("%q of nothing", got)
	}
}

// JSON has the content of the text: ways and errors in words.
func TestJSON(t *testing.T) {
	data, err := json.Marshal(fullStats())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"frame":7,"entities":1,"tables":2,"systems":3,"components":[{"name":"position","type":"game.Position","bytes":16,"group":"bodies","storage":"fixed",`, `"changing":true`,
		`"groups":[{"name":"bodies","owns":["position","velocity"],"members":5}]`, `"field":"Position","readers":2,`, `"sorts":[{"rows":"bodies","as":"sprites",`,
		`{"system":"ignite","frame":6,"entity":5,"what":"destroy","why":"too late"}`, `"Payload":1536`,
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %s in %s", want, data)
		}
	}
}

func TestStorageText(t *testing.T) {
	for s, want := range map[ecs.Storage]string{ecs.Counted: "counted", ecs.Stable: "fixed", ecs.Volatile: "optional", ecs.Thin: "thin", 9: "Storage(9)"} {
		if text, err := s.MarshalText(); s.String() != want || string(text) != want || err != nil {
			t.Errorf("%d: %v, want %v", s, s, want)
		}
	}
}
