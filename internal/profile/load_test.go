package profile

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

// place is a program's surroundings.
type place struct {
	dir, env string
	log      bytes.Buffer
}

func newPlace(t *testing.T) *place { return &place{dir: t.TempDir()} }

func (p *place) file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func (p *place) options() LoadOptions {
	drop := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	return LoadOptions{
		Getenv: func(name string) string {
			if name != EnvironmentVariable {
				return "another variable"
			}
			return p.env
		},
		Executable: func() (string, error) { return filepath.Join(p.dir, "game"), nil },
		Log:        slog.New(slog.NewTextHandler(&p.log, &slog.HandlerOptions{ReplaceAttr: drop})),
	}
}

func layered(group, rows, choice string) string {
	return "ashlar profile 1\nframes 10\nview s c " + choice + "\ncomponent c size 8 align 8\ngroup " + group + " rows " + rows + " chunks 1 peak 1 last 1\nend\n"
}

// All layers at once: facts are added up, the last intent holds.
func TestLoadLayers(t *testing.T) {
	p := newPlace(t)
	p.file(t, "game.profile", layered("g", "20", "stream"))
	p.env = p.file(t, "env", layered("h", "30", "alias"))
	o := p.options()
	o.BuiltIn, o.BuiltInName = fstest.MapFS{"in.profile": {Data: []byte(layered("g", "10", "keep"))}}, "in.profile"
	o.Paths = []string{p.file(t, "one", layered("h", "40", "none")), p.file(t, "two", "ashlar profile 1\npin g\n")}
	o.Code = Profile{Intent: Intent{Views: []View{{"s", "d", "keep"}}}}
	l, err := Load(o)
	if err != nil {
		t.Fatal(err)
	}
	const want = `ashlar profile 1

frames 40

pin g
view s c none
view s d keep

component c size 8 align 8

group g rows 30 chunks 2 peak 1 last 1
group h rows 70 chunks 2 peak 1 last 1

end
`
	if got := written(t, &File{Profile: l.Profile}); got != want {
		t.Errorf("got\n%s", got)
	}
	var layers []Layer
	for _, s := range l.Sources {
		layers = append(layers, s.Layer)
	}
	if want := []Layer{LayerBuiltIn, LayerRecorded, LayerEnvironment, LayerOption, LayerOption, LayerCode}; !reflect.DeepEqual(layers, want) {
		t.Errorf("layers %v", layers)
	}
	line := strings.ReplaceAll(p.log.String(), p.dir+string(filepath.Separator), "")
	const logged = `level=INFO msg="ashlar: profile loaded" off=false frames=40 sources="built-in in.profile: statements 5, frames 10; ` +
		`beside the executable game.profile: statements 5, frames 10; ASHLAR_PROFILE env: statements 5, frames 10; option one: statements 5, frames 10; ` +
		`option two: statements 1, frames 0; code: statements 1, frames 0"` + "\n"
	if line != logged {
		t.Errorf("logged %s", line)
	}
}

func TestLoadNothing(t *testing.T) {
	p := newPlace(t)
	l, err := Load(p.options())
	if err != nil || !reflect.DeepEqual(l, Loaded{}) || p.log.Len() > 0 {
		t.Errorf("%+v, %v, %s", l, err, p.log.String())
	}
}

// off is honoured wherever it is said, and gets a bad file out of the way.
func TestLoadOff(t *testing.T) {
	p := newPlace(t)
	p.file(t, "game.profile", "rubbish")
	for name, change := range map[string]func(o *LoadOptions){
		"environment": func(o *LoadOptions) {
			o.Getenv = func(string) string { return "off" }
			o.Mode, o.Paths = Strict, []string{"none"}
		},
		"option": func(o *LoadOptions) { o.Mode, o.Paths = Strict, []string{"none", Off} },
		"code":   func(o *LoadOptions) { o.Code.Intent.Off = true },
		"file":   func(o *LoadOptions) { o.Paths = []string{p.file(t, "off", "ashlar profile 1\noff\n")} },
	} {
		p.log.Reset()
		o := p.options()
		change(&o)
		l, err := Load(o)
		if err != nil || !reflect.DeepEqual(l.Profile, Profile{Intent: Intent{Off: true}}) || !strings.Contains(p.log.String(), "off=true") {
			t.Errorf("%s: %+v, %v, %s", name, l, err, p.log.String())
		}
	}
}

// A file that is named has to be there and good; what nobody named is skipped and reported, or refused in strict mode.
func TestLoadBad(t *testing.T) {
	bad := map[string]string{"binary": "\x00", "prose": "Dear reader", "cut off": "ashlar profile 1\nframes 1\n", "misspelt": "ashlar profile 1\nfly\n"}
	for name, text := range bad {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			path := p.file(t, "game.profile", text)
			l, err := Load(p.options())
			if err != nil || len(l.Sources) != 1 || l.Sources[0].Skipped == nil || !strings.Contains(l.Sources[0].Skipped.Error(), path) {
				t.Errorf("beside the executable: %+v, %v", l, err)
			}
			if !strings.Contains(p.log.String(), "level=WARN") || !strings.Contains(p.log.String(), "skipped: ") {
				t.Errorf("logged %s", p.log.String())
			}
			refused := func(where string, change func(o *LoadOptions)) {
				p.log.Reset()
				o := p.options()
				change(&o)
				if l, err := Load(o); err == nil || !reflect.DeepEqual(l, Loaded{}) || p.log.Len() > 0 {
					t.Errorf("%s: %+v, %v, logged %s", where, l, err, p.log.String())
				}
			}
			refused("strictly beside the executable", func(o *LoadOptions) { o.Mode = Strict })
			named := p.file(t, "named", text)
			refused("option", func(o *LoadOptions) { o.Paths = []string{named} })
			refused("environment", func(o *LoadOptions) { o.Getenv = func(string) string { return named } })
			refused("built-in", func(o *LoadOptions) {
				o.BuiltIn, o.BuiltInName = fstest.MapFS{"in": {Data: []byte(text)}}, "in"
			})
		})
	}
}

func TestLoadMissing(t *testing.T) {
	p := newPlace(t)
	p.env = filepath.Join(p.dir, "gone")
	o := p.options()
	o.BuiltIn, o.BuiltInName = fstest.MapFS{}, "lost"
	o.Paths = []string{filepath.Join(p.dir, "missing"), p.dir}
	o.Code.Intent.Pinned = []string{""}
	_, err := Load(o)
	for _, want := range []string{"the built-in one: open lost", "gone", "(ASHLAR_PROFILE)", "missing", "(option)", "it is a directory", "profile in LoadOptions.Code: profile: pin"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
	// What is no file can be beside the executable without harm.
	p = newPlace(t)
	if err := os.Mkdir(filepath.Join(p.dir, "game.profile"), 0o700); err != nil {
		t.Fatal(err)
	}
	if l, err := Load(p.options()); err != nil || len(l.Sources) != 1 || !strings.Contains(l.Sources[0].String(), "skipped: ") {
		t.Errorf("%+v, %v", l, err)
	}
}

// A file that two layers name counts once, and nothing is looked at that is not named if that is asked for.
func TestLoadOnce(t *testing.T) {
	p := newPlace(t)
	path := p.file(t, "game.profile", layered("g", "10", "keep"))
	p.env = path
	o := p.options()
	o.Paths = []string{filepath.Join(p.dir, ".", "game.profile")}
	l, err := Load(o)
	if err != nil || len(l.Sources) != 1 || l.Profile.Frames != 10 {
		t.Errorf("%+v, %v", l, err)
	}
	o.Paths, o.Named = nil, true
	if l, err = Load(o); err != nil || !reflect.DeepEqual(l, Loaded{}) {
		t.Errorf("%+v, %v", l, err)
	}
}

// Names may stand for what is no file.
func TestLoadOpen(t *testing.T) {
	p := newPlace(t)
	p.env = "store:environment"
	o := p.options()
	o.Paths = []string{"store:option"}
	var asked []string
	o.Open = func(name string) (io.ReadCloser, error) {
		asked = append(asked, name)
		return io.NopCloser(strings.NewReader(layered("g", "10", "keep"))), nil
	}
	l, err := Load(o)
	if err != nil || l.Profile.Frames != 20 || strings.Join(asked, " ") != "store:environment store:option" || l.Sources[1].Path != "store:option" {
		t.Errorf("%+v, %v, asked for %q", l, err, asked)
	}
	o.Open = func(name string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("fly")), nil }
	if _, err := Load(o); err == nil || !strings.Contains(err.Error(), "store:option:1:1: ") || !strings.Contains(err.Error(), "(option)") {
		t.Errorf("%v", err)
	}
	o.Open = func(name string) (io.ReadCloser, error) { return nil, errors.New("closed today") }
	if _, err := Load(o); err == nil || !strings.Contains(err.Error(), "closed today (option)") {
		t.Errorf("%v", err)
	}
}

// A later layer's facts hold where they contradict; in strict mode that is an error.
func TestLoadContradiction(t *testing.T) {
	p := newPlace(t)
	o := p.options()
	o.Paths = []string{
		p.file(t, "old", "ashlar profile 1\nframes 10\ncomponent c size 8 align 8\ncomponent d size 1 align 1\ngroup g owns c rows 1 chunks 1 peak 1 last 1\n"+
			"system s frames 10\naccess s other c read rows 1 chunks 1 bytes 8\naccess s other d read rows 1 chunks 1 bytes 1\nend\n"),
		p.file(t, "new", "ashlar profile 1\nframes 5\ncomponent c size 16 align 8\ngroup g owns c,d rows 2 chunks 2 peak 2 last 2\nend\n"),
	}
	l, err := Load(o)
	if err != nil {
		t.Fatal(err)
	}
	const want = `ashlar profile 1

frames 15

component c size 16 align 8
component d size 1 align 1

group g owns c,d rows 2 chunks 2 peak 2 last 2

system s frames 10
access s other d read rows 1 chunks 1 bytes 1

end
`
	if got := written(t, &File{Profile: l.Profile}); got != want {
		t.Errorf("got\n%s", got)
	}
	if got := l.Sources[1].Overruled; got != (Dropped{Shapes: 1, Groups: 1, Accesses: 1}) {
		t.Errorf("overruled %+v", got)
	}
	if !strings.Contains(p.log.String(), "level=WARN") || !strings.Contains(p.log.String(), "overruled of earlier layers 3") {
		t.Errorf("logged %s", p.log.String())
	}
	o.Mode = Strict
	if _, err = Load(o); err == nil || !strings.Contains(err.Error(), "component c has size") || !strings.Contains(err.Error(), "option "+o.Paths[1]) {
		t.Errorf("%v", err)
	}
}

// With the program's shape, each layer is cut to what the program has.
func TestLoadShape(t *testing.T) {
	p := newPlace(t)
	o := p.options()
	o.Paths = []string{p.file(t, "p", resolvable)}
	o.Shape = new(running())
	l, err := Load(o)
	if err != nil || l.Sources[0].Dropped.Total() != 21 || len(l.Profile.Systems) != 1 {
		t.Errorf("%+v, %v", l, err)
	}
	if !strings.Contains(p.log.String(), "dropped as not in the program 21") {
		t.Errorf("logged %s", p.log.String())
	}
	o.Mode = Strict
	if _, err := Load(o); err == nil || !strings.Contains(err.Error(), o.Paths[0]+":15: component gone") {
		t.Errorf("%v", err)
	}
}

// A newer file: what this version knows of it is used and the rest counted, or it is refused.
func TestLoadNewer(t *testing.T) {
	p := newPlace(t)
	o := p.options()
	o.Paths = []string{p.file(t, "p", "ashlar profile 2\npin g\nfly\n")}
	l, err := Load(o)
	if err != nil || l.Sources[0].Unknown != 1 || !reflect.DeepEqual(l.Profile.Intent.Pinned, []string{"g"}) || !strings.Contains(p.log.String(), "dropped of a newer version 1") {
		t.Errorf("%+v, %v, %s", l, err, p.log.String())
	}
	o.Mode = Strict
	if _, err := Load(o); err == nil || !strings.Contains(err.Error(), "use a newer ashlar") {
		t.Errorf("%v", err)
	}
}
