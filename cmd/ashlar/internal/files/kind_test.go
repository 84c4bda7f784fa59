package files

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func zipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const accesses = "\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03" // how a file for pprof begins

func TestKindOf(t *testing.T) {
	for _, tt := range []struct {
		text string
		want Kind
	}{
		{"", empty},
		{"\ufeff", empty},
		{"ashlar profile 1\n", Profile},
		{"\ufeff# of the castle\n\n  ashlar profile 9", Profile},
		{strings.Repeat("# a comment\n", 1000) + "ashlar profile 1\n", Profile},
		{"ashlar map 1\nframe 7\n", Map},
		{"ashlar layout 1\ncold x\n", Layout},
		{"# ours\nashlar layout 2", Layout},
		{"ashlar poem 1\n", Unknown},
		{"ashlar\n", Unknown},
		{"the ashlar profile 1\n", Unknown},
		{"ashlarprofile 1\n", Unknown},
		{"# nothing but a comment\n", Unknown},
		{"hello\nashlar map 1\n", Unknown},
		{`<svg xmlns="http://www.w3.org/2000/svg">`, SVG},
		{"<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n<svg>", SVG},
		{"<?xml version=\"1.0\"?>\n<rss>", Unknown},
		{"\n<!DOCTYPE HTML><p>", Page},
		{"<html>", Page},
		{"digraph \"x\" {\n", Graph},
		{"Type: bytes\nShowing nodes accounting for 1kB", Report},
		{strings.Repeat("my notes on pprof\n", 100) + "\nShowing nodes accounting for 1kB", Unknown},
		{"\x89PNG\r\n\x1a\n", PNG},
		{"%PDF-1.7\n", PDF},
		{accesses, Pprof},
		{zipped(t, accesses), Pprof},
		{zipped(t, strings.Repeat(accesses, 100_000)), Pprof},
		{zipped(t, "notes.txt\x00\x00 and what else a tar file holds"), Unknown},
		{zipped(t, ""), Unknown},
		{"\n\x04\x20 an address list", Unknown},
		{"\n\x04", Unknown},
		{"\n\x01\x08\x01\x10\x02", Unknown},
		{"\n\x21\x08\x01\x10\x02", Unknown},
		{"\x1f\x8b\x08", Unknown},
		{"my notes\n", Unknown},
	} {
		if got := KindOf([]byte(tt.text)); got != tt.want {
			t.Errorf("%.60q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestKindOfFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.map")
	put(t, path, "ashlar map 1\n")
	for path, want := range map[string]Kind{path: Map, dir: Unknown, filepath.Join(dir, "none"): Unknown} {
		if got := KindOfFile(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func put(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
