package profile

import (
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ashlar-go/ashlar/profile/internal/text"
)

var rewriteText = flag.Bool("rewrite-text", false, "rewrite golden files of the text form")

// golden compares with a file in testdata, or rewrites it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *rewriteText {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%s: got:\n%s\nwant (-rewrite-text rewrites it):\n%s", name, got, want)
	}
}

func mustParse(t *testing.T, text string) Profile {
	t.Helper()
	p, err := Parse("p", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func written(t *testing.T, f Profile) string {
	t.Helper()
	var b strings.Builder
	n, err := f.WriteTo(&b)
	if err != nil || n != int64(b.Len()) {
		t.Fatalf("%d bytes of %d, %v", n, b.Len(), err)
	}
	return b.String()
}

// A file in an order of its own, with all statements, comments and odd names.
func TestGolden(t *testing.T) {
	f, err := ReadFile("testdata/level.profile")
	if err != nil {
		t.Fatal(err)
	}
	canonical := written(t, f)
	golden(t, "level.canonical", canonical)
	if again := written(t, mustParse(t, canonical)); again != canonical {
		t.Errorf("the canonical text is written otherwise:\n%s", again)
	}
}

// A written profile reads back the same, whatever it is.
func TestRoundTrip(t *testing.T) {
	r := seeded(t)
	for range 120 {
		p := invent(r, steady).canonical()
		if back := mustParse(t, written(t, p)); !reflect.DeepEqual(back, p) {
			t.Fatalf("wrote\n%+v\nread\n%+v", p, back)
		}
		if err := p.check(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRoundTripNames(t *testing.T) {
	for _, name := range []string{"a", "a.b_c-d/e:f", "Größe", "日本", "🙂", "a b", "a,b", "#", `"`, `\`, "'", "`", "\x00", "\xff", "\n", "\u00a0", "\u200b", "\ufeff", "\u2028", "\ufffd", "rows", "off", "=", strings.Repeat("é", 512)} {
		p := Profile{
			Components: []Component{{name, 1, 1}},
			Groups:     []Group{{Name: name, Owns: []string{name}}},
			Systems:    []System{{Name: name, Access: []Access{{Group: name, Component: name}}, Choices: []Choice{{Group: name, Component: name, Use: "cached"}}}},
			Shared:     []Shared{{Group: name, Component: name}},
			Stored:     []Stored{{Component: name, Way: "thin", Reason: name}},
			Lookups:    []Lookup{{Component: name, System: name}},
			Layout:     name,
			Laid:       []string{name},
		}
		if back := mustParse(t, written(t, p)); !reflect.DeepEqual(back, p) {
			t.Errorf("%q: read\n%+v", name, back)
		}
	}
}

// The layout of a run without a frame is a fact, too.
func TestRoundTripLayoutAlone(t *testing.T) {
	p := mustParse(t, "ashlar profile 1\nframes 0 layout 0123456789abcdef\nend\n")
	if back := mustParse(t, written(t, p)); back.Layout != "0123456789abcdef" || !back.hasFacts() {
		t.Errorf("%+v, written:\n%s", back, written(t, p))
	}
}

// Statements that are written differently and mean the same.
func TestParseSame(t *testing.T) {
	const want = "ashlar profile 1\n\nframes 2\n\nsystem a frames 2 timed 1 p10 1ms p50 1500us p90 2ms p99 2s\naccess a g c write rows 1 chunks 1 bytes 2048\n\nend\n"
	for _, text := range []string{
		want,
		strings.ReplaceAll(want, "\n", "\r\n"),
		"\ufeff" + want,
		"\n\n" + strings.TrimSuffix(want, "\n"),
		"ashlar\tprofile  1\nsystem \"a\" timed 1 p99 2000ms p90 2000us p50 1.5ms p10 1ms frames 2\n  access a g c write bytes 2048 chunks 1 rows 1\n\tframes 2\nend",
	} {
		if got := written(t, mustParse(t, text)); got != want {
			t.Errorf("%q is\n%s", text, got)
		}
	}
}

// Every problem, with its place, at once.
func TestParseProblems(t *testing.T) {
	for _, name := range []string{"wrong1", "wrong2", "wrong3"} {
		_, err := ReadFile("testdata/" + name + ".profile")
		if err == nil {
			t.Fatal("there is no error")
		}
		golden(t, name+".problems", err.Error()+"\n")
	}
}

// A mistake in a whole line, or in a last one without a fact above that needs an end, cuts nothing off.
func TestParseNotCut(t *testing.T) {
	const head = "ashlar profile 1\n"
	for _, s := range []string{head + "world", head + "frames 1\nsystem mo\n", head + "frames 1\nfly\n\n#", head + "frames 1\nend\nfly", head + "fly"} {
		if _, err := Parse("p", strings.NewReader(s)); err == nil || strings.Contains(err.Error(), "within this line") {
			t.Errorf("%q: %v", s, err)
		}
	}
}

// Files that are not a profile, or not a whole one: the message names file, line and remedy.
func TestParseRefused(t *testing.T) {
	const head = "ashlar profile 1\n"
	tests := []struct{ name, text, want string }{
		{"empty", "", "p: the file is empty: the first line of a profile is"},
		{"blank", "\n# nothing\n\n", "p:3: the file is empty"},
		{"binary", "\x1f\x8b\x08\x00", "p:1:1: byte 0x1f is not valid text: the file is binary or damaged; name another one"},
		{"binary below", head + "lookup a reads 1\ngroup \x00", "p:3:7: byte 0x00 is not valid text"},
		{"not UTF-8", head + "group \xe9t\xe9", "p:2:7: byte 0xe9 is not valid text"},
		{"a topology", "ashlar topology 1\n", "p:1:8: the file is an ashlar topology, not a profile: name another file"},
		{"prose", "Dear reader,\n", `p:1:1: the file is not a profile: the first line of one is "ashlar profile 1"; name another file`},
		{"quoted", "\"ashlar\" profile 1\n", `p:1:1: the file is not a profile`},
		{"cut in the version", "ashlar pro", "p:1:8: the file is an ashlar pro, not a profile"},
		{"no version", "ashlar profile x\n", `p:1:16: "x" is not a version`},
		{"version 0", "ashlar profile 0\n", `p:1:16: "0" is not a version`},
		{"words behind the version", "ashlar profile 1 frames 1\n", `p:1:18: unexpected "frames": only a comment may follow the version`},
		{"newer", "ashlar profile 2\nfly\n", "p:1:16: the file has version 2, and this program reads up to 1: use a newer ashlar"},
		{"much newer", "ashlar profile 99999999999999999999999\n", "p:1:16: the file has version 99999999999999999999999, and"},
		{"cut in a line", head + "frames 1\nsystem mo", "p:3:10: missing: frames"},
		{"cut in a line, and why", head + "frames 1\nsystem mo", "\np:3: the file ends within this line, without `end`: it was cut off; record it anew"},
		{"cut in a figure", head + "frames 1\nsystem move frames 1", "p:3: `end` is missing: the file is cut off below this line"},
		{"cut in a comment", head + "frames 1\nsystem move frames 1\n# an", "p:4: `end` is missing"},
		{"cut below frames", head + "frames 1\n", "p:2: `end` is missing"},
		{"facts of no frames", head + "\nsystem move frames 1\nend\n", "p: facts are sums over frames, and `frames` is not stated"},
		{"below the end", head + "frames 1\nend\nlookup a reads 1\n", "p:4:1: `end` is in line 3 already"},
		{"a long line", head + "group " + strings.Repeat("a", text.LineMax) + "\ngroup b\nfly\n", "p:2:65536: the line has more than 65536 bytes"},
		{"a long name", head + "group " + strings.Repeat("a", 1025), "p:2:7: a name has 1025 bytes, more than 1024"},
		{"an empty name", head + `group ""`, "p:2:7: a name is empty"},
		{"a statement too long to be written", head + "frames 1\ngroup g rows 1 chunks 1 peak 1 last 1 owns " + longList() + "\nend\n", "p:3:1: the line is too long once it is written"},
		{"an order above 100", head + "frames 1\nsystem s frames 1\nchoice s g c cached frames 1 chunks 1 stale 1 order 101\nend\n", `p:4:53: "101" is not a valid order: write a whole number from 0 to 100`},
		{"many statements", head + handles(text.StatementMax), "p:262145: the file has more than 262144 statements: record less"},
		{"a quoted figure", head + "frames \"1\"\nend\n", `p:2:8: "1" is not a valid number of frames`},
		{"a time before the start", head + "frames 1\nsystem s frames 1 timed 1 p10 -5us\nend\n", `p:3:31: "-5us" is not a valid time`},
		{"huge", head + strings.Repeat("# 34567\n", text.FileMax/8), "p:2097151: the file has more than 16777216 bytes: name another file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Parse("p", strings.NewReader(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("%.200v; want %s", err, tt.want)
			}
			if p.hasFacts() {
				t.Error("there is a profile besides the error")
			}
			if _, ok := errors.AsType[*text.Problems](err); !ok {
				t.Errorf("the error is a %T", err)
			}
			if strings.Count(err.Error(), "\n") > 20 {
				t.Errorf("%d lines", strings.Count(err.Error(), "\n"))
			}
		})
	}
}

// longList is a list that Parse takes in quotes; its canonical form is longer than a line may be.
func longList() string {
	var names []string
	for i := range 40 {
		names = append(names, `"`+strings.Repeat("\u00a0", 500)+strconv.Itoa(i)+`"`)
	}
	return strings.Join(names, ",")
}

// handles is so many statements.
func handles(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("handle h" + strconv.Itoa(i) + "\n")
	}
	return b.String()
}

func TestParseCapsProblems(t *testing.T) {
	_, err := Parse("p", strings.NewReader("ashlar profile 1\n"+strings.Repeat("fly\n", 50)))
	ps, ok := errors.AsType[*text.Problems](err)
	if !ok || ps.Count() != 50 || strings.Count(err.Error(), "\n") != 20 || !strings.HasSuffix(err.Error(), "\np: and 30 more problems") {
		t.Errorf("%v", err)
	}
}

func TestParseReadError(t *testing.T) {
	_, err := Parse("p", iotest.ErrReader(io.ErrClosedPipe))
	if !errors.Is(err, io.ErrClosedPipe) || !strings.Contains(err.Error(), "reading p") {
		t.Errorf("%v", err)
	}
}

// A profile that can't be written is refused before the first byte.
func TestWriteRefused(t *testing.T) {
	long := strings.Repeat("n", 1025)
	tests := []struct {
		f    Profile
		want string
	}{
		{Profile{Components: []Component{{"", 1, 1}}}, "profile: component \"\": a name is empty"},
		{Profile{Components: []Component{{"a", 1, 1}, {"a", 2, 1}}}, "component a: it is stated twice"},
		{Profile{Stored: []Stored{{Component: "a", Way: "thin", Reason: "x"}, {Component: "a", Way: "thin", Reason: "x"}}}, "stored a: it is stated twice"},
		{Profile{Stored: []Stored{{Component: "a", Way: "often", Reason: "x"}}}, `stored a: "often" is not a valid way`},
		{Profile{Stored: []Stored{{Component: "a", Way: "thin", Reason: ""}}}, "stored a: a name is empty"},
		{Profile{Stored: []Stored{{Component: "", Way: "thin", Reason: "x"}}}, `stored "": a name is empty`},
		{Profile{Components: []Component{{"a", -1, 0}}}, "component a: its size is -1: it has to be from 0 to 2147483647"},
		{Profile{Groups: []Group{{Name: long}}}, "a name has 1025 bytes"},
		{Profile{Groups: []Group{{Name: "g", Owns: []string{"a", "b", "a"}}}}, "group g: a is named twice"},
		{Profile{Systems: []System{{Name: "s", Times: Times{P10: -1}}}}, "system s: its time is negative, -1ns"},
		{Profile{Systems: []System{{Name: "s", Access: []Access{{Group: "g"}}}}}, `access s g "" read: a name is empty`},
		{Profile{Systems: []System{{Name: "s", Access: []Access{{Group: "g", Component: "c"}, {Group: "g", Component: "c"}}}}}, "access s g c read: it is stated twice"},
		{Profile{Systems: []System{{Name: "s", Choices: []Choice{{Group: "g", Component: "c"}}}}}, `choice s g c: "" is not a valid strategy`},
		{Profile{Systems: []System{{Name: "s", Choices: []Choice{{Group: "g", Component: "c", Use: "cached", Order: 101}}}}}, `choice s g c: its order is 101: it has to be from 0 to 100`},
		{Profile{Frames: 1, Layout: long}, "frames: a name has 1025 bytes"},
	}
	for _, tt := range tests {
		var b strings.Builder
		if _, err := tt.f.WriteTo(&b); err == nil || !strings.Contains(err.Error(), tt.want) || b.Len() > 0 {
			t.Errorf("%v and %d bytes; want %s", err, b.Len(), tt.want)
		}
	}
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	_, err := ReadFile(dir)
	if err == nil || err.Error() != dir+": it is a directory: name the file in it" {
		t.Errorf("%v", err)
	}
	_, err = ReadFile(filepath.Join(dir, "none"))
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "none") || !strings.Contains(err.Error(), "record one") {
		t.Errorf("%v", err)
	}
}
