package profile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// spot is a program's surroundings.
type spot struct {
	dir, env string
	log      bytes.Buffer
}

func newSpot(t *testing.T) *spot { return &spot{dir: t.TempDir()} }

func (p *spot) file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func (p *spot) options() LoadOptions {
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

const some = "ashlar profile 1\nframes 10\nview s c cached\npin g\ngroup g rows 1 chunks 1 peak 1 last 1\nsystem s frames 3\n" +
	"access s g c read rows 1 chunks 1 bytes 1\nchoice s h c direct frames 3 chunks 0 stale 0\nend\n"

// One file is read: the option, else that of the environment, else the one beside the executable. Code
// overrules it. Statements that no program acts on are passed over.
func TestLoadOrder(t *testing.T) {
	p := newSpot(t)
	o := p.options()
	for _, tt := range []struct {
		where  string
		change func()
	}{
		{"", func() {}},
		{"beside the executable", func() { p.file(t, "game.profile", some) }},
		{EnvironmentVariable, func() { p.env = p.file(t, "env", some) }},
		{"option", func() { o.File = p.file(t, "option", some) }},
	} {
		tt.change()
		l, err := Load(o)
		if err != nil || tt.where == "" && len(l.Sources) > 0 || tt.where != "" && (len(l.Sources) != 1 || l.Sources[0].Where != tt.where) {
			t.Fatalf("%s: %+v, %v", tt.where, l, err)
		}
	}
	p.log.Reset()
	o.Code.Hints.Views = []View{{"s", "c", "none"}, {"s", "d", "cached"}}
	l, err := Load(o)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "loaded", l.Profile, Profile{
		Hints: Hints{Pinned: []string{"g"}, Views: []View{{"s", "c", "none"}, {"s", "d", "cached"}}},
	})
	line := strings.ReplaceAll(p.log.String(), p.dir+string(filepath.Separator), "")
	if want := `level=INFO msg="ashlar: profile loaded" sources="option option: 2 statements; code: 2 statements"` + "\n"; line != want {
		t.Errorf("logged %s", line)
	}
	o = p.options()
	o.Named = true
	if l, err := Load(o); err != nil || !reflect.DeepEqual(l, Loaded{}) {
		t.Errorf("nothing is named: %+v, %v", l, err)
	}
}

func TestLoadNothing(t *testing.T) {
	p := newSpot(t)
	o := p.options()
	if l, err := Load(o); err != nil || !reflect.DeepEqual(l, Loaded{}) || p.log.Len() > 0 || o.Explicit() {
		t.Errorf("%+v, %v, %s", l, err, p.log.String())
	}
}

// off is honoured wherever it is said, and gets a bad file out of the way.
func TestLoadOff(t *testing.T) {
	p := newSpot(t)
	p.file(t, "game.profile", "rubbish")
	for name, change := range map[string]func(o *LoadOptions){
		"environment": func(o *LoadOptions) { o.Getenv, o.File, o.Strict = func(string) string { return "off" }, "none", true },
		"option":      func(o *LoadOptions) { o.Strict, o.Off = true, true },
		"code":        func(o *LoadOptions) { o.Code.Hints.Off = true },
		"file":        func(o *LoadOptions) { o.File = p.file(t, "off", "ashlar profile 1\noff\n") },
	} {
		p.log.Reset()
		o := p.options()
		change(&o)
		l, err := Load(o)
		if err != nil || !reflect.DeepEqual(l.Profile, Profile{Hints: Hints{Off: true}}) || !strings.Contains(p.log.String(), "its hints are off") || !o.Explicit() {
			t.Errorf("%s: %+v, %v, %s", name, l, err, p.log.String())
		}
	}
}

// A file that is named has to be there and good. The one that is not is skipped and reported, or refused if strict.
func TestLoadBad(t *testing.T) {
	for name, text := range map[string]string{
		"binary": "\x00", "prose": "Dear reader", "cut off": "ashlar profile 1\nframes 1\n", "cut off in what is passed over": "ashlar profile 1\ngroup g rows 1 chunks",
		"cut off behind its first word": "ashlar profile 1\ngroup", "cut off and indented": "ashlar profile 1\n\tgroup g",
		"misspelt": "ashlar profile 1\nfly\n", "below the end": "ashlar profile 1\nframes 1\nend\ngroup g rows 1\n", "newer": "ashlar profile 2\n",
	} {
		t.Run(name, func(t *testing.T) {
			p := newSpot(t)
			path := p.file(t, "game.profile", text)
			l, err := Load(p.options())
			if err != nil || len(l.Sources) != 1 || l.Sources[0].Skipped == nil || !strings.Contains(l.Sources[0].Skipped.Error(), path) || !l.Profile.Empty() {
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
			refused("strictly beside the executable", func(o *LoadOptions) { o.Strict = true })
			named := p.file(t, "named", text)
			refused("option", func(o *LoadOptions) { o.File = named })
			refused("environment", func(o *LoadOptions) { o.Getenv = func(string) string { return named } })
		})
	}
}

func TestLoadMissing(t *testing.T) {
	p := newSpot(t)
	for want, change := range map[string]func(o *LoadOptions){
		"gone: ":            func(o *LoadOptions) { p.env = filepath.Join(p.dir, "gone") },
		"(named by option)": func(o *LoadOptions) { o.File = filepath.Join(p.dir, "missing") },
		"it is a directory": func(o *LoadOptions) { o.File = p.dir },
		"profile in LoadOptions.Code: profile: pin": func(o *LoadOptions) { p.env, o.Code.Hints.Pinned = "", []string{""} },
	} {
		o := p.options()
		change(&o)
		if _, err := Load(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
	// A directory can be beside the executable without harm.
	p = newSpot(t)
	if err := os.Mkdir(filepath.Join(p.dir, "game.profile"), 0o700); err != nil {
		t.Fatal(err)
	}
	if l, err := Load(p.options()); err != nil || len(l.Sources) != 1 || !strings.Contains(l.Sources[0].String(), "skipped: ") {
		t.Errorf("%+v, %v", l, err)
	}
}

// Names may stand for something other than a file.
func TestLoadOpen(t *testing.T) {
	p := newSpot(t)
	o := p.options()
	o.File = "store:option"
	var asked []string
	o.Open = func(name string) (io.ReadCloser, error) {
		asked = append(asked, name)
		return io.NopCloser(strings.NewReader(some)), nil
	}
	l, err := Load(o)
	if err != nil || len(l.Profile.Hints.Pinned) != 1 || strings.Join(asked, " ") != "store:option" || l.Sources[0].Path != "store:option" {
		t.Errorf("%+v, %v, asked for %q", l, err, asked)
	}
	o.Open = func(name string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("fly")), nil }
	if _, err := Load(o); err == nil || !strings.Contains(err.Error(), "store:option:1:1: ") || !strings.Contains(err.Error(), "(named by option)") {
		t.Errorf("%v", err)
	}
	o.Open = func(name string) (io.ReadCloser, error) { return nil, errors.New("closed today") }
	if _, err := Load(o); err == nil || !strings.Contains(err.Error(), "closed today (named by option)") {
		t.Errorf("%v", err)
	}
}

// Limits apply to skipped lines, and a line may have all of its length.
func TestLoadLimits(t *testing.T) {
	const head = "ashlar profile 1\n"
	long := "pin a # " + strings.Repeat("x", text.LineMax-len("pin a # "))
	for _, tt := range []struct{ name, body, want string }{
		{"a line of all its length", long + "\nend\n", ""},
		{"a byte more", long + "x\nend\n", "2:65536: the line has more than"},
		{"a byte more, and nothing behind it", long + "x", "2:65536: the line has more than"},
		{"all statements", strings.Repeat("group g\n", text.StatementMax-2) + "end\n", ""},
		{"one more", strings.Repeat("group g\n", text.StatementMax-1) + "end\n", "the file has more than 262144 statements"},
	} {
		if _, err := read("p", strings.NewReader(head+tt.body), true); (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// recorded is a file of about 100 KB, as a run with 200 systems writes it.
func recorded(choices int) string {
	var b strings.Builder
	b.WriteString("ashlar profile 1\n\nframes 600 sampled 9\n")
	for i := range 200 {
		fmt.Fprintf(&b, "\nsystem system-%d frames 600 timed 38 p10 12us p50 13us p90 15us p99 21us\n", i)
		for j := range 4 {
			fmt.Fprintf(&b, "access system-%d table/position+velocity~fever component-%d write rows 1200000 chunks 6000 bytes 19200000\n", i, j)
		}
		if i < choices {
			fmt.Fprintf(&b, "choice system-%d brains transform.Position cached frames 400 chunks 5349 stale 5349\n", i)
		}
	}
	b.WriteString("\nend\n")
	return b.String()
}

// Lines that are skipped are counted, and lines that only look like one are not skipped.
func TestLoadCountsSkipped(t *testing.T) {
	const line = "access a b c read rows 1 chunks 1 bytes 1\n"
	lines := strings.Repeat(line, 500) // more than a buffer
	for _, tt := range []struct{ text, want string }{
		{lines + "end\n", ""},
		{lines + "pin\nend\n", "level:502:"},
		{lines + "\n" + lines + "pin\nend\n", "level:1003:"},
		{lines + "accessory a\nend\n", "level:502:"},
		{lines + "access\tpin\npin\nend\n", "level:503:"},
		{lines + "end\n" + line, "level:503:"},
		{lines + "end\n" + lines + "end\n", "level:503:"},
		{lines + "access a b", "level:502: `end` is missing"},
		{lines, "`end` is missing"},
	} {
		o := newSpot(t).options()
		o.File, o.Strict = "level", true
		o.Open = func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("ashlar profile 1\n" + tt.text)), nil
		}
		switch _, err := Load(o); {
		case tt.want == "":
			if err != nil {
				t.Error(err)
			}
		case err == nil || !strings.Contains(err.Error(), tt.want):
			t.Errorf("%.30q…: %v, want %s", tt.text[len(tt.text)-30:], err, tt.want)
		}
	}
}

// The cost of loading a recorded file follows from its hints, not from its facts: garbage that a start
// makes stays resident in parts.
func TestLoadAllocates(t *testing.T) {
	for _, tt := range []struct{ choices, allocs, bytes int }{{0, 110, 22 << 10}, {20, 110, 22 << 10}} {
		o := newSpot(t).options()
		o.Log = slog.New(slog.DiscardHandler)
		text := recorded(tt.choices)
		o.File = "recorded"
		o.Open = func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil } // files of js allocate
		var shape Shape
		for i := range 200 {
			shape.Systems = append(shape.Systems, fmt.Sprint("system-", i))
		}
		shape.Groups, shape.Components = []string{"brains"}, []string{"transform"}
		load := func() {
			l, err := Load(o)
			if err != nil || l.Sources[0].Statements != 0 {
				t.Fatalf("%+v, %v", l, err)
			}
			if p, _, lacks := Resolve(l.Profile, shape); lacks != nil || len(p.Systems) != 0 {
				t.Fatalf("%+v, %v", p, lacks)
			}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		load()
		runtime.ReadMemStats(&after)
		bytes := int(after.TotalAlloc - before.TotalAlloc)
		if allocs := int(testing.AllocsPerRun(5, load)); allocs > tt.allocs || bytes > tt.bytes {
			t.Errorf("%d choices: %d allocations, %d bytes: want at most %d, %d", tt.choices, allocs, bytes, tt.allocs, tt.bytes)
		} else {
			t.Logf("%d choices: %d allocations, %d bytes", tt.choices, allocs, bytes)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, choices := range []int{0, 20} {
		b.Run(fmt.Sprint("choices=", choices), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "recorded")
			if err := os.WriteFile(path, []byte(recorded(choices)), 0o600); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Load(LoadOptions{File: path, Named: true, Log: slog.New(slog.DiscardHandler)}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
