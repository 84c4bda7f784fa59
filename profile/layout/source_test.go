package layout_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ashlar-go/ashlar/profile/layout"
)

// A source is asked in this order: off in the environment, Off, Text, FS, File, the environment.
func TestLoad(t *testing.T) {
	text := func(group string) []byte { return []byte("ashlar layout 1\ncold " + group + "\n") }
	path := filepath.Join(t.TempDir(), "named.layout")
	if err := os.WriteFile(path, text("file"), 0o600); err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{"a.layout": {Data: text("fs")}}
	for _, tt := range []struct {
		env        string
		s          layout.Source
		name, cold string // "": nothing is loaded
	}{
		{"", layout.Source{}, "", ""},
		{"off", layout.Source{Text: text("text"), File: path}, "", ""},
		{path, layout.Source{Off: true, Text: text("text")}, "", ""},
		{path, layout.Source{}, path, "file"},
		{"no such file", layout.Source{Text: text("text")}, "layout", "text"},
		{"", layout.Source{Text: text("text"), File: "name", FS: files}, "name", "text"},
		{"", layout.Source{FS: files, File: "a.layout"}, "a.layout", "fs"},
		{"no such file", layout.Source{File: path}, path, "file"},
	} {
		t.Setenv(layout.EnvironmentVariable, tt.env)
		l, err := tt.s.Load()
		if err != nil || l.Name != tt.name || (len(l.Statements) == 1) != (tt.cold != "") || tt.cold != "" && l.Statements[0].Name != tt.cold {
			t.Errorf("%q, %+v: %+v, %v", tt.env, tt.s, l, err)
		}
	}
	t.Setenv(layout.TrialVariable, "notes")
	for env, want := range map[string]string{path: "file", "off": "", "": "text"} {
		t.Setenv(layout.EnvironmentVariable, env)
		l, err := layout.Source{Text: text("text"), File: "name", FS: files}.Load()
		if err != nil || (len(l.Statements) == 1) != (want != "") || want != "" && l.Statements[0].Name != want {
			t.Errorf("%q in a trial: %+v, %v", env, l, err)
		}
	}
	t.Setenv(layout.TrialVariable, "")
	for env, s := range map[string]layout.Source{
		"no such file": {},
		"":             {File: "no such file"},
		path:           {FS: files, File: "no such file"},
		path + " ":     {FS: files},
	} {
		t.Setenv(layout.EnvironmentVariable, env)
		if l, err := s.Load(); err == nil || len(l.Statements) > 0 || !strings.HasPrefix(err.Error(), "layout: ") {
			t.Errorf("%q, %+v: %+v, %v", env, s, l, err)
		}
	}
}

// Lines of several runs stand in one file, each whole.
func TestTrialAdd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes")
	for i := range 3 {
		if err := (layout.Trial{World: "w", Applied: i}).Add(path); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	for i, line := range lines {
		var got layout.Trial
		if err := json.Unmarshal([]byte(line), &got); err != nil || got != (layout.Trial{World: "w", Applied: i}) {
			t.Errorf("%s: %+v, %v", line, got, err)
		}
	}
	if len(lines) != 3 {
		t.Errorf("%d lines", len(lines))
	}
	if err := (layout.Trial{}).Add(t.TempDir()); err == nil || !strings.Contains(err.Error(), layout.TrialVariable) {
		t.Errorf("a directory: %v", err)
	}
}

// Statements go above the blank lines before the next world, and a line `end` goes.
func TestReviseKeepsForm(t *testing.T) {
	const old = "ashlar layout 1\ncold a\n\n\nworld w\ncold b\n\nworld v\ncold c\nend # of it\n\n"
	got := layout.Revise(old, []layout.Statement{{Word: layout.Cold, Name: "x"}, {World: "w", Word: layout.Cold, Name: "y"}, {World: "v", Word: layout.Cold, Name: "z"}})
	const want = "ashlar layout 1\ncold a\ncold x\n\n\nworld w\ncold b\ncold y\n\nworld v\ncold c\ncold z\n"
	if got != want {
		t.Errorf("got\n%s", got)
	}
	const comment = "ashlar layout 1\n# for the renderer\n\n"
	if got, want := layout.Revise(comment, []layout.Statement{{Word: layout.Cold, Name: "x"}, {Word: layout.Cold, Name: "y"}}), comment+"cold x\ncold y\n"; got != want {
		t.Errorf("got\n%s", got)
	}
}
