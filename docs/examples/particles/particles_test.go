package particles

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// plain is the same system on slices of structs.
func plain(frames int, seed uint64) Result {
	type particle struct {
		pos, vel Vec
		left     int32
	}
	kinds := [2][]particle{}
	r := rand.New(rand.NewPCG(seed, 0))
	for range frames {
		for k, o := range [2]struct{ startX, gravity, life, perFrame int }{{0, -1, 40, 900}, {100, 0, 300, 150}} {
			ps := kinds[k]
			for range o.perFrame {
				ps = append(ps, particle{Vec{X: float32(o.startX)}, Vec{r.Float32() - 0.5, r.Float32() * 10}, 1 + r.Int32N(int32(o.life))})
			}
			for i := range ps {
				p := &ps[i]
				p.pos.X += p.vel.X
				p.pos.Y += p.vel.Y + float32(o.gravity)
				p.left--
			}
			for i := len(ps) - 1; i >= 0; i-- {
				if ps[i].left == 0 {
					ps[i] = ps[len(ps)-1]
					ps = ps[:len(ps)-1]
				}
			}
			kinds[k] = ps
		}
	}
	h := fnv.New64a()
	for _, ps := range kinds {
		for _, p := range ps {
			fmt.Fprintln(h, p.pos, p.vel, p.left)
		}
	}
	return Result{Particles: len(kinds[0]) + len(kinds[1]), Digest: h.Sum64()}
}

// One run records, a person adds a line, and the next run loads it: chunks lie
// elsewhere, and particles are the same as in any run, and as on plain slices.
func TestProfileFile(t *testing.T) {
	frames := 400
	if testing.Short() {
		frames = 60
	}
	path := filepath.Join(t.TempDir(), "particles.profile")
	want := plain(frames, 1)
	run := func(name string, o Options) Result {
		t.Helper()
		o.Frames, o.Seed = frames, 1
		o.Adapt.Every = 5 // as in a run of many more frames
		r, err := Run(o)
		if err != nil {
			t.Fatal(err)
		}
		if r.Particles != want.Particles || r.Digest != want.Digest {
			t.Errorf("%s: %d particles, digest %x; want %d, %x", name, r.Particles, r.Digest, want.Particles, want.Digest)
		}
		return r
	}
	first := run("recording", Options{Record: path})
	file, err := profile.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if file.Frames != uint64(frames) {
		t.Errorf("the profile stands for %d frames, want %d", file.Frames, frames)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"component position size 8 align 4", "group smoke owns position,velocity,left rows ", "group sparks owns position,velocity,left rows ",
		`access "move sparks" sparks position write rows `, `access "age smoke" smoke left write rows `,
	} {
		if !strings.Contains(string(text), line) {
			t.Errorf("the profile does not say %q:\n%s", line, text)
		}
	}
	cold := layout.Source{Text: []byte("ashlar layout 1\ncold smoke\n")}
	second := run("with a layout", Options{Layout: cold})
	t.Logf("%d particles; in the first run %d chunks are apart, in the second %d", want.Particles, first.Cold, second.Cold)
	if first.Cold != 0 || second.Cold == 0 {
		t.Errorf("smoke was to be apart in the second run alone, and is in %d chunks and %d", first.Cold, second.Cold)
	}
	t.Setenv(layout.EnvironmentVariable, "off")
	if third := run("with off", Options{Layout: cold}); third.Cold != 0 {
		t.Errorf("the environment says off, and %d chunks are apart", third.Cold)
	}
	t.Setenv(layout.EnvironmentVariable, "")
	run("under stress", Options{Memory: memmgr.Options{Stress: true}})
	run("on the heap", Options{Memory: memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}, Layout: cold})
	if other := plain(frames, 2); other.Digest == want.Digest {
		t.Error("the digest does not depend on what particles do")
	}
}

// A file that is not there, or no layout, is an error that names it.
func TestLayoutRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "no.layout")
	if _, err := Run(Options{Layout: layout.Source{File: path}, Frames: 1}); err == nil || !strings.Contains(err.Error(), "no.layout") {
		t.Errorf("a layout that is not there: %v", err)
	}
	if err := os.WriteFile(path, []byte("hello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(Options{Layout: layout.Source{File: path}, Frames: 1}); err == nil || !strings.Contains(err.Error(), "no.layout") {
		t.Errorf("no layout: %v", err)
	}
}
