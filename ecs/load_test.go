package ecs_test

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
)

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// surroundings is where a program finds its profile: an environment, and a directory
// with its executable. Its place is asked for now and then.
type surroundings struct {
	dir, env string
	asked    int
}

func (p *surroundings) options() profile.LoadOptions {
	return profile.LoadOptions{
		Log: quiet(),
		Getenv: func(name string) string {
			if name != profile.EnvironmentVariable {
				return ""
			}
			return p.env
		},
		Executable: func() (string, error) { p.asked++; return filepath.Join(p.dir, "game"), nil },
	}
}

// write puts a file there and returns its path.
func (p *surroundings) write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func around(t *testing.T) *surroundings { return &surroundings{dir: t.TempDir()} }

// layers is the sources of the loaded profile.
func layers(w *ecs.World) (list []string) {
	for _, s := range w.Profile().Sources {
		list = append(list, s.Where)
	}
	return list
}

// A profile is about the duos of these tests, and about things that they do not have.
const (
	header      = "ashlar profile 1\n"
	aboutDuos   = header + "cold duo\npin duo\n"
	aboutMore   = header + "cold duo\npin nobody\nview ghost a cached\ngroup nobody rows 1 chunks 1 peak 1 last 1\nframes 5\nsystem move frames 5\nchoice move duo gone cached frames 1 chunks 1 stale 1\nend\n"
	notAProfile = "GIF89a\x00\x01"
)

// A profile that the environment names is there once the world is; one beside the
// executable with the first frame, and it is looked for once.
func TestProfileIsLoaded(t *testing.T) {
	named := around(t)
	named.env = named.write(t, "named", aboutDuos)
	w := world(t, ecs.Options{Profile: named.options()})
	if got := layers(w); !reflect.DeepEqual(got, []string{profile.EnvironmentVariable}) {
		t.Errorf("after New: %v", got)
	}

	beside := around(t)
	beside.write(t, "game.profile", aboutDuos)
	s := newSmallest(t, ecs.Options{Profile: beside.options()})
	if got := layers(s); got != nil || beside.asked != 0 {
		t.Errorf("before the first frame: %v, asked %d times", got, beside.asked)
	}
	for range 3 {
		if err := s.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	l := s.Profile()
	if got := layers(s); !reflect.DeepEqual(got, []string{"beside the executable"}) || beside.asked != 1 || l.Dropped != 0 {
		t.Errorf("after frames: %v, asked %d times, dropped %d", got, beside.asked, l.Dropped)
	}
	if !reflect.DeepEqual(l.Profile.Hints, profile.Hints{Pinned: []string{"duo"}, Cold: []string{"duo"}}) {
		t.Errorf("loaded %+v", l.Profile.Hints)
	}

	both := around(t)
	both.write(t, "game.profile", header+"cold duo\n")
	both.env = both.write(t, "named", header+"pin duo\n")
	w = world(t, ecs.Options{Profile: both.options()})
	if l := w.Profile(); len(l.Profile.Hints.Cold) > 0 || len(l.Profile.Hints.Pinned) != 1 || len(l.Sources) != 1 {
		t.Errorf("the environment does not come before what lies beside the executable: %+v", l)
	}
}

// newSmallest is a world that has a, b and duo, and one system.
func newSmallest(t *testing.T, o ecs.Options) *ecs.World {
	t.Helper()
	w := world(t, o)
	ecs.Register[b4](w, "a")
	ecs.Register[b16](w, "b")
	ecs.GroupOf[duo](w, "duo")
	addSystem(t, w, "move", func(*readAB) {})
	return w
}

// A world that grows before its first frame, by spawning one by one or many at once,
// looks for its profile meanwhile, so that groups start where they will stay.
func TestProfileIsLoadedForManyEntities(t *testing.T) {
	for _, batch := range []int{1, 100, 5000} {
		p := around(t)
		p.write(t, "game.profile", aboutDuos)
		w := newSmallest(t, ecs.Options{Profile: p.options()})
		g := ecs.GroupOf[struct{ HP hp }](w, "solo", ecs.Register[hp](w, "hp"))
		at := 0
		for n := 0; n < 5000 && p.asked == 0; n += batch {
			at = n
			if err := g.SpawnN(make([]ecs.Entity, batch), []struct{ HP hp }{{}}); err != nil {
				t.Fatal(err)
			}
		}
		if p.asked != 1 || at > 4096 || at == 0 && batch < 512 || len(layers(w)) != 1 {
			t.Errorf("spawned by %d: asked %d times, at entity %d, from %v", batch, p.asked, at, layers(w))
		}
		if err := w.Run(t.Context()); err != nil || p.asked != 1 {
			t.Errorf("spawned by %d: the frame asked again, or failed: %v", batch, err)
		}
	}
}

// A named file has to be there and good, or New fails.
func TestProfileThatIsBad(t *testing.T) {
	p := around(t)
	for name, env := range map[string]string{
		"missing": filepath.Join(p.dir, "none"), "binary": p.write(t, "binary", notAProfile), "torn": p.write(t, "torn", header+"group duo rows 1 chunks"),
	} {
		p.env = env
		w := ecs.New(ecs.Options{Profile: p.options()})
		err := w.Err()
		if err == nil || !strings.HasPrefix(err.Error(), "ecs: ") || !strings.Contains(err.Error(), env) {
			t.Errorf("%s: New returned %v, %v", name, w, err)
		}
		if name == "missing" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p.env = ""

	// Beside the executable it is skipped; hints of code stay in force.
	p.write(t, "game.profile", notAProfile)
	off := memmgr.AdaptOptions{Off: true}
	w := newSmallest(t, ecs.Options{Profile: p.options(), Adapt: off})
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	l := w.Profile()
	if len(l.Sources) != 1 || l.Sources[0].Skipped == nil {
		t.Errorf("it was not skipped: %+v", l)
	}
	if _, on := w.Manager().Adapting(); on {
		t.Error("a bad file took away what Options.Adapt asks for")
	}

	// In strict mode no frame runs, and no entity beyond the first few is made.
	strict := ecs.Options{Profile: p.options()}
	strict.Profile.Strict = true
	w = newSmallest(t, strict)
	for range 2 {
		if err := w.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "game.profile") || w.Frame() != 0 {
			t.Errorf("strict: %v, frame %d", err, w.Frame())
		}
	}
	var err error
	n := 0
	for ; n < 5000 && err == nil; n++ {
		_, err = w.Spawn()
	}
	if err == nil || !strings.Contains(err.Error(), "game.profile") || w.Len() != n-1 {
		t.Errorf("strict: %v after %d entities of %d", err, w.Len(), n)
	}
	if es := make([]ecs.Entity, 5000); w.Check() != nil || ecs.GroupOf[struct{ HP hp }](w, "solo", ecs.Register[hp](w, "hp")).SpawnN(es, []struct{ HP hp }{{}}) == nil || es[0] != 0 {
		t.Errorf("strict: a batch is made, or half of it: %v", es[0])
	}
	// Once the file is mended, the world goes on.
	p.write(t, "game.profile", aboutDuos)
	if err := w.Run(t.Context()); err != nil || w.Frame() != 1 {
		t.Errorf("mended: %v", err)
	}
}

// A statement of a profile about things that the world does not have is dropped with a count at
// the first frame, by when they are known, or is an error in strict mode.
func TestProfileAboutAnotherProgram(t *testing.T) {
	p := around(t)
	p.env = p.write(t, "other", aboutMore)
	w := newSmallest(t, ecs.Options{Profile: p.options()})
	if n := w.Profile().Dropped; n != 0 {
		t.Errorf("before the first frame: %d", n)
	}
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	l := w.Profile()
	if l.Dropped != 2 {
		t.Errorf("%d dropped, want 2", l.Dropped)
	}
	if len(l.Profile.Hints.Pinned) != 1 || len(l.Profile.Systems) != 0 {
		t.Errorf("Profile does not return what was found: %+v", l.Profile)
	}
	ecs.Register[[1]uint64](w, "gone") // too late: it is settled with the first frame
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if again := w.Profile(); again.Dropped != l.Dropped {
		t.Errorf("dropped %d, and after a second frame %d", l.Dropped, again.Dropped)
	}

	strict := ecs.Options{Profile: p.options()}
	strict.Profile.Strict = true
	w = newSmallest(t, strict)
	ran := false
	addSystem(t, w, "ran", func(*readAB) { ran = true })
	for range 2 {
		err := w.Run(t.Context())
		if err == nil || ran || w.Frame() != 0 {
			t.Fatalf("strict: %v, ran %v", err, ran)
		}
		for _, want := range []string{"pin nobody", "view ghost a"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("strict: %q is not in %v", want, err)
			}
		}
	}
}

// Off is off, wherever it is said.
func TestProfileOff(t *testing.T) {
	for where, set := range map[string]func(p *surroundings, o *ecs.Options){
		"the environment":       func(p *surroundings, o *ecs.Options) { p.env = "off" },
		"an option":             func(p *surroundings, o *ecs.Options) { o.Profile.Off = true },
		"code":                  func(p *surroundings, o *ecs.Options) { o.Profile.Code.Hints.Off = true },
		"a file":                func(p *surroundings, o *ecs.Options) { p.env = p.write(t, "off", header+"off\n") },
		"beside the executable": func(p *surroundings, o *ecs.Options) { p.write(t, "game.profile", header+"off\n") },
		"adapt options":         func(p *surroundings, o *ecs.Options) { o.Adapt.Off = true },
	} {
		p := around(t)
		o := ecs.Options{Profile: p.options()}
		set(p, &o)
		if where == "the environment" || where == "an option" { // and nothing is read
			p.write(t, "game.profile", notAProfile)
			o.Profile.Strict = true
		}
		w := newSmallest(t, o)
		if err := w.Run(t.Context()); err != nil {
			t.Errorf("%s: %v", where, err)
		}
		if st, on := w.Manager().Adapting(); on {
			t.Errorf("%s: it adapts: %+v", where, st)
		}
	}
	w := newSmallest(t, ecs.Options{Profile: around(t).options()})
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, on := w.Manager().Adapting(); !on {
		t.Error("it does not adapt, and nobody said off")
	}
}
