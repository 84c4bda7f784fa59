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
	"github.com/ashlar-go/ashlar/internal/memmgr"
	"github.com/ashlar-go/ashlar/internal/profile"
)

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// surroundings is where a program finds its profile: an environment, and a directory
// with its executable, whose place is asked for now and then.
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

// layers is where what was loaded came from.
func layers(w *ecs.World) (list []profile.Layer) {
	l, _ := w.Profile()
	for _, s := range l.Sources {
		list = append(list, s.Layer)
	}
	return list
}

// A profile is about the duos of these tests, and about what they have not.
const (
	header      = "ashlar profile 1\n"
	aboutDuos   = header + "cold duo\npin duo\n"
	aboutMore   = header + "cold duo\npin nobody\nexpect ghost every 3\ncomponent a size 4 align 1\ncomponent gone size 8 align 8\ngroup nobody rows 1 chunks 1 peak 1 last 1\nframes 5\nend\n"
	notAProfile = "GIF89a\x00\x01"
)

// A profile that the environment names is there once the world is; one beside the
// executable with the first frame, and it is looked for once.
func TestProfileIsLoaded(t *testing.T) {
	named := around(t)
	named.env = named.write(t, "named", aboutDuos)
	w := world(t, ecs.Options{Profile: named.options()})
	if got := layers(w); !reflect.DeepEqual(got, []profile.Layer{profile.LayerEnvironment}) {
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
	l, dropped := s.Profile()
	if got := layers(s); !reflect.DeepEqual(got, []profile.Layer{profile.LayerRecorded}) || beside.asked != 1 || dropped.Total() != 0 {
		t.Errorf("after frames: %v, asked %d times, dropped %+v", got, beside.asked, dropped)
	}
	if !reflect.DeepEqual(l.Profile.Intent, profile.Intent{Pinned: []string{"duo"}, Heat: []profile.Heat{{Group: "duo", Cold: true}}}) {
		t.Errorf("loaded %+v", l.Profile.Intent)
	}

	both := around(t)
	both.write(t, "game.profile", header+"cold duo\n")
	both.env = both.write(t, "named", header+"hot duo\n")
	w = world(t, ecs.Options{Profile: both.options()})
	if l, _ := w.Profile(); l.Profile.Intent.Heat[0].Cold || len(l.Sources) != 2 {
		t.Errorf("the environment does not overrule what lies beside the executable: %+v", l)
	}
}

// newSmallest is a world that has a, b and duo, and one system.
func newSmallest(t *testing.T, o ecs.Options) *ecs.World {
	t.Helper()
	w := world(t, o)
	ok(ecs.Register[b4](w, "a"))
	ok(ecs.Register[b16](w, "b"))
	ok(ecs.GroupOf[duo](w, "duo"))
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
		g := ok(ecs.GroupOf[struct{ HP hp }](w, "solo", ok(ecs.Register[hp](w, "hp"))))
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

// What is named has to be there and good, or New fails.
func TestProfileThatIsBad(t *testing.T) {
	p := around(t)
	for name, env := range map[string]string{
		"missing": filepath.Join(p.dir, "none"), "binary": p.write(t, "binary", notAProfile), "torn": p.write(t, "torn", header+"group duo rows 1 chunks"),
	} {
		p.env = env
		w, err := ecs.New(ecs.Options{Profile: p.options()})
		if err == nil || w != nil || !strings.HasPrefix(err.Error(), "ecs: ") || !strings.Contains(err.Error(), env) {
			t.Errorf("%s: New returned %v, %v", name, w, err)
		}
		if name == "missing" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p.env = ""

	// Beside the executable it is skipped; what code asks for stays in force.
	p.write(t, "game.profile", notAProfile)
	off := memmgr.AdaptOptions{Off: true}
	w := newSmallest(t, ecs.Options{Profile: p.options(), Adapt: off})
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	l, _ := w.Profile()
	if len(l.Sources) != 1 || l.Sources[0].Skipped == nil {
		t.Errorf("it was not skipped: %+v", l)
	}
	if _, on := managerOf(w).Adapting(); on {
		t.Error("a bad file took away what Options.Adapt asks for")
	}

	// In strict mode no frame runs, and no entity beyond the first few is made.
	strict := ecs.Options{Profile: p.options()}
	strict.Profile.Mode = profile.Strict
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
	if es := make([]ecs.Entity, 5000); w.Check() != nil || ok(ecs.GroupOf[struct{ HP hp }](w, "solo", ok(ecs.Register[hp](w, "hp")))).SpawnN(es, []struct{ HP hp }{{}}) == nil || es[0] != 0 {
		t.Errorf("strict: a batch is made, or half of it: %v", es[0])
	}
	// Once the file is mended, the world goes on.
	p.write(t, "game.profile", aboutDuos)
	if err := w.Run(t.Context()); err != nil || w.Frame() != 1 {
		t.Errorf("mended: %v", err)
	}
}

// What a profile says about things that the world has not is dropped with a count at
// the first frame, by when they are known, or is an error in strict mode.
func TestProfileAboutAnotherProgram(t *testing.T) {
	p := around(t)
	p.env = p.write(t, "other", aboutMore)
	w := newSmallest(t, ecs.Options{Profile: p.options()})
	if _, dropped := w.Profile(); dropped.Total() != 0 {
		t.Errorf("before the first frame: %+v", dropped)
	}
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	l, dropped := w.Profile()
	if want := (profile.Dropped{Components: 1, Groups: 1, Intent: 2}); dropped != want {
		t.Errorf("dropped %+v, want %+v", dropped, want)
	}
	if len(l.Profile.Intent.Pinned) != 1 || l.Profile.Frames != 5 {
		t.Errorf("Profile does not return what was found: %+v", l.Profile)
	}
	ok(ecs.Register[[1]uint64](w, "gone")) // too late: it is settled with the first frame
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, again := w.Profile(); again != dropped {
		t.Errorf("dropped %+v, and after a second frame %+v", dropped, again)
	}

	strict := ecs.Options{Profile: p.options()}
	strict.Profile.Mode = profile.Strict
	w = newSmallest(t, strict)
	ran := false
	addSystem(t, w, "ran", func(*readAB) { ran = true })
	for range 2 {
		err := w.Run(t.Context())
		if err == nil || ran || w.Frame() != 0 {
			t.Fatalf("strict: %v, ran %v", err, ran)
		}
		for _, want := range []string{"pin nobody", "expect ghost", "component gone", "group nobody"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("strict: %q is not in %v", want, err)
			}
		}
	}
	ok(ecs.Register[b24](w, "gone")) // of another size: that is said too
	if err := w.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "size 24") {
		t.Errorf("strict, with a component of another size: %v", err)
	}
}

// Off is off, wherever it is said.
func TestProfileOff(t *testing.T) {
	for where, set := range map[string]func(p *surroundings, o *ecs.Options){
		"the environment":       func(p *surroundings, o *ecs.Options) { p.env = profile.Off },
		"an option":             func(p *surroundings, o *ecs.Options) { o.Profile.Paths = []string{profile.Off} },
		"code":                  func(p *surroundings, o *ecs.Options) { o.Profile.Code.Intent.Off = true },
		"a file":                func(p *surroundings, o *ecs.Options) { p.env = p.write(t, "off", header+"off\n") },
		"beside the executable": func(p *surroundings, o *ecs.Options) { p.write(t, "game.profile", header+"off\n") },
		"adapt options":         func(p *surroundings, o *ecs.Options) { o.Adapt.Off = true },
		"NoAdapt":               func(p *surroundings, o *ecs.Options) { o.NoAdapt = true },
	} {
		p := around(t)
		o := ecs.Options{Profile: p.options()}
		set(p, &o)
		if where == "the environment" || where == "an option" { // and nothing is read
			p.write(t, "game.profile", notAProfile)
			o.Profile.Mode = profile.Strict
		}
		w := newSmallest(t, o)
		if err := w.Run(t.Context()); err != nil {
			t.Errorf("%s: %v", where, err)
		}
		if st, on := managerOf(w).Adapting(); on {
			t.Errorf("%s: it adapts: %+v", where, st)
		}
	}
	w := newSmallest(t, ecs.Options{Profile: around(t).options()})
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, on := managerOf(w).Adapting(); !on {
		t.Error("it does not adapt, and nobody said off")
	}
}
