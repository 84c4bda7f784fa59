package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Help that was asked for goes to the output with status 0. Arguments that are wrong have status 2, and no file is written.
func TestArguments(t *testing.T) {
	for _, x := range []struct {
		args      []string
		status    int
		out, errs string // begin
	}{
		{[]string{"-h"}, 0, "usage: ashlarfix DIRECTORY", ""},
		{[]string{"--help"}, 0, "usage: ashlarfix DIRECTORY", ""},
		{nil, 2, "", "usage: ashlarfix DIRECTORY"},
		{[]string{"-w", "."}, 2, "", "flag provided but not defined: -w\nusage: "},
		{[]string{"no such directory"}, 1, "", "ashlarfix: lstat no such directory"},
	} {
		var out, errs bytes.Buffer
		status := run(x.args, &out, &errs)
		begins := func(b *bytes.Buffer, want string) bool {
			return strings.HasPrefix(b.String(), want) && (want != "" || b.Len() == 0)
		}
		if status != x.status || !begins(&out, x.out) || !begins(&errs, x.errs) {
			t.Errorf("%q: status %d, output %q, errors %q", x.args, status, &out, &errs)
		}
	}
}

// Files that change are named, and others keep their text.
func TestFilesAreNamed(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"new.go": "package p\n",
		"old.go": "package p\n\nimport \"github.com/ashlar-go/ashlar/ecs\"\n\nvar w, err = ecs.New(ecs.Options{})\n\nfunc f() {\n\tw, _ := ecs.New(ecs.Options{})\n\tw.Close()\n}\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	if status := run([]string{dir}, &out, &errs); status != 0 || out.String() != filepath.Join(dir, "old.go")+"\n" {
		t.Errorf("status %d, output %q, errors %q", status, &out, &errs)
	}
}
