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
		Unseen: 1,
		Components: []ecs.ComponentStats{
			{Name: "position", Bytes: 16, Group: "bodies", Storage: ecs.Stable, Reason: "declared by its group", Entities: 5, Tables: 1},
			{Name: "poison", Bytes: 1, Storage: ecs.Volatile, Reason: "removed often", Entities: 1, Tables: 2},
		},
		Waiting: 3, Dropped: 8,
		Abandoned: "ecs: the last frame was abandoned",
		Memory:    memmgr.Stats{Chunks: 4, Payload: 1536, Arena: arena.Stats{Live: 5 << 20, Committed: 700}},
	}
	for i := range 7 {
		d := ecs.Drop{Frame: uint64(i), Entity: 5, What: "destroy", Err: errors.New("too late")}
		if i == 6 {
			d.System = "ignite"
		}
		s.Drops = append(s.Drops, ecs.ErrorOf(d))
	}
	return s
}

// An empty part has no line, and lines have at most 80 columns.
func TestStatsText(t *testing.T) {
	drop := strings.TrimSuffix(fmt.Sprintf("  a command of system \"ignite\" in frame 6, destroy of %v: too late\n", ecs.Entity(5)), "\n")
	var early []string
	for i := 2; i < 6; i++ {
		early = append(early, fmt.Sprintf("  a command in frame %d, destroy of %v: too late", i, ecs.Entity(5)))
	}
	want := `1 entity without a handle that was seen
component position: 16 bytes; fixed, declared by its group bodies; 5 entities in
    1 table
component poison: 1 byte; optional, removed often; 1 entity in 2 tables
commands: 3 wait, 8 dropped
` + strings.Join(early, "\n") + "\n" + drop + `
ecs: the last frame was abandoned
memory: 1.5 KiB of rows in 4 chunks, 5.0 MiB live, 700 B committed
`
	if got := fullStats().String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	const nothing = "memory: 0 B of rows in 0 chunks, 0 B live, 0 B committed\n"
	if got := (ecs.Stats{}).String(); got != nothing {
		t.Errorf("%q, want %q", got, nothing)
	}
}

// JSON has the content of the text: ways and errors in words.
func TestJSON(t *testing.T) {
	data, err := json.Marshal(fullStats())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"unseen":1,"components":[{"name":"position","bytes":16,"group":"bodies","storage":"fixed",`,
		`"a command of system \"ignite\" in frame 6, destroy of 5v0: too late"`, `"Payload":1536`,
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
