package main

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena/race"
)

const gameRun = "run game -apart -entities 3000 -frames 70 -seed 3"

const castLine = `\ncast digest ([0-9a-f]{16})\n`

// digest is the last line of a run of game, which has to end well.
func digest(t *testing.T, line string, args ...string) (last, out string) {
	t.Helper()
	args = append(strings.Fields(line), args...)
	status, out, errs := call(t, args...)
	last = found(out, `\ndigest ([0-9a-f]{16})\n$`)
	if status != 0 || last == "" {
		t.Fatalf("%q: status %d, %s\n%s", args, status, errs, out)
	}
	return last, out
}

// A run of game ends with the same digest, however memory and views are managed. Before
// it stand the columns that systems read.
func TestRunGame(t *testing.T) {
	want, out := digest(t, gameRun)
	for _, line := range []string{
		`frame +70\n`, `population +\d{4}\n`, `births +\d{4}\n`, `drawn +\d+\n`, `views +auto\n`, `frames/s +\d+\n`, `region +0  `,
		`\nsystem +median +p10 +p90 +rows +reads +of +strategy\n`,
		`\nage( +[\d.]+(µs|ms)){3} +\d{4} +life, writes +transforms +owned\n`,
		`\nmove( +\S+){3} +\d{3,4} +body, writes +bodies +owned\n +transform.Position, writes +transforms +gathered\n`,
		`cast +25\d, of which \d+ sleep far away and \d+ are held\n`, `scripts +\d+ swaps; \d+ members kept by locks\n`,
		`rechecks in 1,000 contract accesses +\d+ below 60 frames, \d+ below 600\n`,
		`refreshes in 1,000 contract accesses +\d+\.\d\d below 60 frames, \d+\.\d\d below 600\n`, `\npatrol( +\S+){3} +\d+ +walker, writes +cast +owned`,
		`\ncull .*\n +transform.Position +transforms +\S+\n +transform.Radius `,
		`\nall +[\d.]+(µs|ms)\n`,
		`percentiles of every run of each system`,
	} {
		if !regexp.MustCompile(line).MatchString(out) {
			t.Errorf("no %s in\n%s", line, out)
		}
	}
	plain := out
	advised := t.TempDir() + "/advised"
	if status, _, errs := call(t, "advise", recordGame(t), "-o", advised); status != 0 {
		t.Fatal(errs)
	}
	hostile := writeText(t, t.TempDir()+"/hostile", "ashlar layout 1\ncold transforms\nrows bodies 1000000\nsort sprites by sprite every 1\nview move transform.Position cached\nview list transform direct\nview think body.Push gathered\nnear bodies sounds\nstored life thin\n")
	variants := []string{"-adapt=stress -views=on -layout " + hostile, "-adapt=stress -heap -fifo", "-layout " + advised, "-apart=false", "-views=off", "-views=on", "-adapt=off", "-layout " + hostile}
	if race.Enabled {
		variants = variants[:3]
	}
	for _, flags := range variants {
		got, out := digest(t, gameRun, strings.Fields(flags)...)
		if got != want {
			t.Errorf("%s: digest %s, want %s", flags, got, want)
		}
		if got, want := found(out, castLine), found(plain, castLine); got != want || got == "" {
			t.Errorf("%s: the cast's digest is %q, want %q", flags, got, want)
		}
		if views := found(flags, `-views=(\w+)`); views != "" && !regexp.MustCompile(`views +`+views+`\n`).MatchString(out) {
			t.Errorf("%s: not said in\n%s", flags, out)
		}
	}
	if got, _ := digest(t, gameRun, "-seed", "4"); got == want {
		t.Error("another seed has the same digest")
	}
}

// recordGame is the profile of a run that ends as if it had not been recorded.
func recordGame(t *testing.T) string {
	t.Helper()
	path := t.TempDir() + "/game.profile"
	want, _ := digest(t, gameRun)
	if got, _ := digest(t, gameRun, "-record", path); got != want {
		t.Errorf("recording: digest %s, want %s", got, want)
	}
	if status, out, errs := call(t, "profile", "show", path); status != 0 || !strings.Contains(out, "animate") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	return path
}

func TestGameMistakes(t *testing.T) {
	for args, want := range map[string]string{
		"run game more":            `unexpected "more"`,
		"run game -frames -1":      "is negative",
		"run game -entities 0":     "give 1 to",
		"run game -views maybe":    `-views "maybe" is unknown: use auto, off or on`,
		"run game -groups 3":       "game has no flag -groups",
		"run game -torus":          "game has no flag -torus",
		"run churn -views off":     "churn has no flag -views",
		"run life -views on x.rle": "life has no flag -views",
	} {
		if status, _, errs := call(t, strings.Fields(args)...); status != 2 || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d, %q; want %q", args, status, errs, want)
		}
	}
}

// After Ctrl-C the last line is a digest too, and nothing is made up about systems
// that have not run.
func TestGameInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var o, e bytes.Buffer
	status := run(ctx, console{nil, &o, &e, true, false, verb{}}, strings.Fields("run game -entities 100"))
	if status != 130 || !strings.Contains(e.String(), "interrupted") || found(o.String(), `\ndigest ([0-9a-f]{16})\n$`) == "" || !regexp.MustCompile(`\ncull +– +– +– `).MatchString(o.String()) {
		t.Errorf("status %d\n%s\n%s", status, o.String(), e.String())
	}
}

func TestTimeEvery(t *testing.T) {
	for frames, want := range map[int]int{0: 1, 1: 1, 127: 1, 640: 10, 1 << 30: 16} {
		if got := timeEvery(frames); got != want {
			t.Errorf("%d frames: one in %d, want %d", frames, got, want)
		}
	}
}
