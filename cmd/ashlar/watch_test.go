package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/cmd/ashlar/game"
	"github.com/ashlar-go/ashlar/profile"
)

// quoted is lines as a golden file has them, which a terminal leaves alone.
func quoted(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.ReplaceAll(line, "\x1b", `\e`) + "\n")
	}
	return b.String()
}

// A picture is a function of the world.
func TestDrawGame(t *testing.T) {
	g, err := game.New(game.Options{Entities: 400, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for range 30 {
		if err := g.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	const columns, rows = 40, 12
	now := glance{unit: "frame", at: 30, steps: 1000, took: 1234567 * time.Nanosecond, entities: 1234567, resident: "1.5 MiB"}
	got := quoted(drawGame(columns, rows, now, func(wide, high int) []game.Spot {
		if wide != columns || high != 2*(rows-2) {
			t.Errorf("%d × %d pixels in %d × %d characters", wide, high, columns, rows)
		}
		return g.Plan(nil, wide, high)
	}))
	path := filepath.Join("testdata", "watch", "game.golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := readText(t, path); got != strings.ReplaceAll(want, "\r\n", "\n") {
		t.Errorf("drawn is\n%s\nwant\n%s", got, want)
	}
	if low := drawGame(columns, 2, now, nil); len(low) != 2 || !strings.HasPrefix(low[0], "frame 30 of 1000  1,234,567 entities  1.23 ms a frame  1.5 MiB resident") {
		t.Errorf("two rows have no room for a picture: %q", low)
	}
}

// One pixel has one colour: the colour of the strongest layer, measured by its mean.
func TestDrawGameColours(t *testing.T) {
	spots := []game.Spot{
		{Props: 8}, {Actors: 4}, {Debris: 4}, {Props: 8, Triggers: 4}, // upper pixels
		{}, {Props: 1}, {Emitters: 1}, {Props: 16, Actors: 1}, // lower pixels
	}
	// levels: props 4 over none; actors 5 over props 1; debris 5 over emitters 4; triggers 5 above props 4, over props 5 above actors 3
	want := `\e[38;5;28m▀\e[38;5;208m\e[48;5;22m▀\e[38;5;33m\e[48;5;32m▀\e[38;5;208m\e[48;5;34m▀` + "\n"
	if got := quoted(drawGame(4, 3, glance{}, func(int, int) []game.Spot { return spots })[:1]); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestLevel(t *testing.T) {
	for _, tt := range []struct {
		n    int32
		mean float64
		want int
	}{{0, 5, 0}, {5, 5, 3}, {10, 5, 4}, {20, 5, 5}, {1000, 5, 5}, {3, 5, 2}, {1, 5, 1}, {1, 1000, 1}, {1, 0.01, 5}, {7, 5, 3}, {8, 5, 4}} {
		if got := level(tt.n, tt.mean); got != tt.want {
			t.Errorf("%d where the mean is %v: level %d, want %d", tt.n, tt.mean, got, tt.want)
		}
	}
}

// Where nothing can be drawn, a run that is watched prints lines, and is otherwise the same.
func TestWatchLines(t *testing.T) {
	want, _ := digest(t, gameRun)
	got, out := digest(t, gameRun, "-watch")
	if got != want {
		t.Errorf("digest %s when watched, %s when not", got, want)
	}
	if !regexp.MustCompile(`(?m)^frame 70 of 70  \d,\d{3} entities  \d+\.\d\d ms a frame  \d+\.\d MiB resident$`).MatchString(out) || strings.Contains(out, "\x1b") {
		t.Errorf("no line of the last frame in\n%q", out)
	}
	if status, _, errs := call(t, "run", "churn", "-watch"); status != 2 || !strings.Contains(errs, "churn has no flag -watch") {
		t.Errorf("status %d, %s", status, errs)
	}
}

// watched runs the command on a screen, and returns the drawing, and the output afterwards.
func watched(t *testing.T, ctx context.Context, out *bytes.Buffer, args ...string) (status int, drawn []string, rest, errs string) {
	t.Helper()
	t.Setenv("COLUMNS", "50")
	t.Setenv("LINES", "10")
	var e bytes.Buffer
	status = run(ctx, console{nil, out, &e, true, true, verb{}}, args)
	begin, end := "\x1b[?1049h", "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
	text, rest, found := strings.Cut(out.String(), end)
	if !found || !strings.HasPrefix(text, begin) || strings.Contains(rest, "\x1b") {
		t.Fatalf("the terminal is not given back as it was: %q", out.String())
	}
	return status, strings.Split(text, "\x1b[?2026h")[1:], rest, e.String()
}

// Each frame is drawn, thirty a second, and the summary comes when the terminal is as it was.
func TestWatchScreen(t *testing.T) {
	var out bytes.Buffer
	start := time.Now()
	status, drawn, rest, errs := watched(t, t.Context(), &out, strings.Fields("run game -entities 500 -frames 6 -watch")...)
	took := time.Since(start)
	if status != 0 || errs != "" || len(drawn) != 6 || !strings.HasPrefix(rest, "frame ") || !strings.Contains(rest, "\ndigest ") {
		t.Fatalf("status %d, %d frames, %s\n%s", status, len(drawn), errs, rest)
	}
	for i, frame := range drawn {
		if !strings.Contains(frame, fmt.Sprintf("\x1b[9;1Hframe %d of 6  ", i+1)) || !strings.Contains(frame, "\x1b[10;1H") || strings.Contains(frame, "\x1b[11;1H") {
			t.Errorf("frame %d of ten rows is %q", i+1, frame)
		}
	}
	if took < 5*watchEvery {
		t.Errorf("6 frames took %v: nobody can watch that", took)
	}
}

// Ctrl-C gives the terminal back, and the record until then is written.
func TestWatchInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.profile")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	interrupted, stop := context.WithCancelCause(t.Context())
	context.AfterFunc(ctx, func() { stop(interruption{os.Interrupt}) })
	var out bytes.Buffer
	status, drawn, rest, errs := watched(t, interrupted, &out, strings.Fields("run game -entities 500 -frames 1000000 -watch -record "+path)...)
	if status != 130 || errs != "ashlar: interrupted\n" || len(drawn) == 0 {
		t.Fatalf("status %d, %d frames, %q", status, len(drawn), errs)
	}
	at := found(rest, `^stopped +at frame (\d+) of 1000000: interrupted\n`)
	f, err := profile.ReadFile(path)
	if err != nil || at != strconv.Itoa(len(drawn)) || strconv.FormatUint(f.Frames, 10) != at {
		t.Errorf("%d frames were drawn; stopped at %q, recorded %d, %v", len(drawn), at, f.Frames, err)
	}
}

// A terminal that is gone ends the run.
func TestWatchNoTerminal(t *testing.T) {
	var e bytes.Buffer
	if status := run(t.Context(), console{nil, full{}, &e, false, true, verb{}}, strings.Fields("run game -entities 100 -frames 5 -watch")); status != 1 || !strings.Contains(e.String(), "no space left") {
		t.Errorf("status %d, %s", status, e.String())
	}
}
