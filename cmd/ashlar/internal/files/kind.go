package files

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"strings"
)

// Kind is the kind of a file. The zero value is unknown.
type Kind string

const (
	Unknown Kind = ""
	Profile Kind = "profile"
	Map     Kind = "map"
	Layout  Kind = "layout"
	Pattern Kind = "pattern" // of cells; asked for, and never told by first bytes: every text could be one
	SVG     Kind = "SVG picture"
	Pprof   Kind = "pprof file"
	Report  Kind = "pprof report"
	Graph   Kind = "DOT graph"
	Page    Kind = "web page"
	PNG     Kind = "PNG picture"
	PDF     Kind = "PDF document"
	empty   Kind = "empty file" // may be replaced by anything
)

// headBytes is how many bytes of a file tell its kind.
const headBytes = 64 << 10

// KindOf returns the kind of a file by its first bytes.
func KindOf(head []byte) Kind {
	head = bytes.TrimPrefix(head[:min(len(head), headBytes)], []byte("\ufeff"))
	if len(head) == 0 {
		return empty
	}
	text := strings.ToLower(strings.TrimLeft(string(head), " \t\r\n"))
	switch {
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n")):
		return PNG
	case strings.HasPrefix(text, "%pdf-"):
		return PDF
	case strings.HasPrefix(text, "<svg"), strings.HasPrefix(text, "<?xml") && strings.Contains(text, "<svg"):
		return SVG
	case strings.HasPrefix(text, "<!doctype html"), strings.HasPrefix(text, "<html"):
		return Page
	case strings.HasPrefix(text, "digraph "):
		return Graph
	case strings.Contains(text[:min(len(text), 1024)], "\nshowing nodes accounting for "):
		return Report
	case isPprof(head):
		return Pprof
	}
	return ownKind(string(head))
}

// isPprof tells whether a file begins as profiles for pprof do, compressed or not: with
// a message of two numbers, a sample's type and unit.
func isPprof(head []byte) bool {
	if r, err := gzip.NewReader(bytes.NewReader(head)); err == nil {
		var first [16]byte
		n, _ := io.ReadFull(r, first[:]) // a file cut off by headBytes is no matter
		head = first[:n]
	}
	return len(head) > 4 && head[0] == 0x0a && head[1] >= 2 && head[1] < 16 && (head[2] == 0x08 || head[2] == 0x10)
}

// ownKind is the second word of a file that begins with ashlar, comments passed over.
func ownKind(text string) Kind {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if len(words) > 1 && words[0] == "ashlar" {
			switch k := Kind(words[1]); k {
			case Profile, Map, Layout:
				return k
			}
		}
		return Unknown
	}
	return Unknown
}

// KindOfFile returns the kind of a regular file; Unknown for all else, and for an unreadable one.
func KindOfFile(path string) Kind {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return Unknown
	}
	head, err := headOf(path)
	if err != nil {
		return Unknown
	}
	return KindOf(head)
}

func headOf(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, headBytes))
}

// a is a kind with its article.
func (k Kind) a() string {
	switch k {
	case SVG:
		return "an " + string(k)
	case Unknown:
		return "a file of an unknown kind"
	}
	return "a " + string(k)
}

// no is a kind that is never written.
func (k Kind) no() string {
	if k == Unknown {
		return "no other file"
	}
	return "no " + string(k)
}
