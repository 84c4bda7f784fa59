package profile

import (
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
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

func mustParse(t *testing.T, text string) *File {
	t.Helper()
	f, err := Parse("p", strings.NewReader(text), Strict)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func written(t *testing.T, f *File) string {
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
	f, err := ReadFile("testdata/level.profile", Strict)
	if err != nil {
		t.Fatal(err)
	}
	canonical := written(t, f)
	golden(t, "level.canonical", canonical)
	if again := written(t, mustParse(t, canonical)); again != canonical {
		t.Errorf("the canonical text is written otherwise:\n%s", again)
	}
	var b strings.Builder
	if err := f.Report(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "level.report", b.String())
}

// Read what was written: the same profile, whatever it is.
func TestRoundTrip(t *testing.T) {
	r := seeded(t)
	for range 300 {
		p := invent(r, steady).Canonical()
		f := mustParse(t, written(t, &File{Profile: p}))
		if !reflect.DeepEqual(f.Profile, p) {
			t.Fatalf("wrote\n%+v\nread\n%+v", p, f.Profile)
		}
		if err := p.Check(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRoundTripNames(t *testing.T) {
	for _, name := range []string{"a", "a.b_c-d/e:f", "Größe", "日本", "🙂", "a b", "a,b", "#", `"`, `\`, "'", "`", "\x00", "\xff", "\n", "\u00a0", "\u200b", "\ufeff", "\u2028", "\ufffd", "rows", "off", "=", strings.Repeat("é", nameMax/2)} {
		p := Profile{
			Components: []Component{{name, 1, 1}},
			Groups:     []Group{{Name: name, Owns: []string{name}}},
			Systems:    []System{{Name: name, Access: []Access{{Group: name, Component: name}}, Choices: []Choice{{Group: name, Component: name, Use: "keep"}}}},
			Shared:     []Shared{{Group: name, Component: name}},
			Intent: Intent{
				Every: []Every{{name, 1}}, Together: [][]string{{name, name + "x"}}, Heat: []Heat{{name, true}}, Pinned: []string{name}, Views: []View{{name, name, "none"}},
			},
		}
		if len(name) == nameMax {
			p.Intent.Together = nil
		}
		if f := mustParse(t, written(t, &File{Profile: p})); !reflect.DeepEqual(f.Profile, p) {
			t.Errorf("%q: read\n%+v", name, f.Profile)
		}
	}
}

// What is written differently and means the same.
func TestParseSame(t *testing.T) {
	const want = "ashlar profile 1\n\nframes 2\n\nbudget time 1500us bytes 2M\ncold a\n\nend\n"
	for _, text := range []string{
		want,
		strings.ReplaceAll(want, "\n", "\r\n"),
		"\ufeff" + want,
		"\n\n" + strings.TrimSuffix(want, "\n"),
		"ashlar\tprofile  1\ncold \"a\"\n  budget bytes 2048K time 1.5ms\n\tframes 2\nend",
		"\"ashlar\" profile 1",
	} {
		if strings.HasPrefix(text, "\"") {
			if _, err := Parse("p", strings.NewReader(text), Strict); err == nil {
				t.Errorf("%q was taken", text)
			}
			continue
		}
		if got := written(t, mustParse(t, text)); got != want {
			t.Errorf("%q is\n%s", text, got)
		}
	}
}

// Every problem, with its place, at once.
func TestParseProblems(t *testing.T) {
	for _, name := range []string{"wrong1", "wrong2", "wrong3"} {
		_, err := ReadFile("testdata/"+name+".profile", Strict)
		if err == nil {
			t.Fatal("there is no error")
		}
		golden(t, name+".problems", err.Error()+"\n")
	}
}

// Files that are no profile, or not a whole one: each has a message of its own, which names file, line and remedy.
func TestParseRefused(t *testing.T) {
	const head = "ashlar profile 1\n"
	tests := []struct{ name, text, want string }{
		{"empty", "", "p:1: it is empty: a profile begins with"},
		{"blank", "\n# nothing\n\n", "p:3: it has no statement: a profile begins with"},
		{"binary", "\x1f\x8b\x08\x00", "p:1:1: byte 0x1f is none of a text: the file is binary or damaged; name another one"},
		{"binary below", head + "pin a\npin \x00", "p:3:5: byte 0x00 is none of a text"},
		{"not UTF-8", head + "pin \xe9t\xe9", "p:2:5: byte 0xe9 is none of a text"},
		{"a topology", "ashlar topology 1\n", "p:1:8: it is an ashlar topology, not a profile: name another file"},
		{"prose", "Dear reader,\n", `p:1:1: it is no profile, or not a whole one: a profile begins with "ashlar profile 1"; name another file`},
		{"cut in the version", "ashlar pro", "p:1:8: it is an ashlar pro, not a profile"},
		{"no version", "ashlar profile x\n", `p:1:16: "x" is not a version`},
		{"version 0", "ashlar profile 0\n", `p:1:16: "0" is not a version`},
		{"words behind the version", "ashlar profile 1 pin a\n", `p:1:18: "pin": nothing stands behind the version`},
		{"newer", "ashlar profile 2\nfly\n", "p:1:16: it has version 2, and this program knows up to 1: use a newer ashlar"},
		{"much newer", "ashlar profile 99999999999999999999999\n", "p:1:16: it has version 99999999999999999999999, and"},
		{"cut in a line", head + "frames 1\nsystem mo", "p:3: the file is cut off in this line: record it anew"},
		{"cut in a comment", head + "frames 1\nsystem move frames 1\n# an", "p:4: the file is cut off in this line"},
		{"cut in a letter", head + "frames 1\npin \xe2\x82", "p:3: the file is cut off in this line"},
		{"cut between lines", head + "frames 1\nsystem move frames 1\n", "p:3: it has facts and no `end`: the file is cut off below this line"},
		{"cut below frames", head + "frames 1\n", "p:2: it has facts and no `end`"},
		{"facts of no frames", head + "\nsystem move frames 1\nend\n", "p:3: facts are sums over frames, and `frames` is nowhere stated"},
		{"a long line", head + "pin " + strings.Repeat("a", lineMax) + "\npin b\nfly\n", "p:2:65536: the line has 65540 bytes, and at most 65536 are taken"},
		{"a long name", head + "pin " + strings.Repeat("a", nameMax+1), "p:2:5: a name has 1025 bytes, and at most 1024 are taken"},
		{"an empty name", head + `pin ""`, "p:2:5: a name is empty"},
		{"a long statement", head + "together " + strings.Repeat(strings.Repeat("a", 1000)+",", 17) + "b", "p:2:"},
		{"a statement too long to be written", head + "together " + longList() + "\n", "p:2: together "},
		{"a comment too long to be written", head + "pin a\n# " + strings.Repeat("x", lineMax/2) + "\npin b\n", "p:4: comment "},
		{"many statements", head + strings.Repeat("off\n", statementMax+1), "and "},
		{"huge", head + strings.Repeat("# 34567\n", fileMax/8), "p:2097152: it has more than 16777216 bytes up to here, and no profile has: name another file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Parse("p", strings.NewReader(tt.text), Strict)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("%.200v; want %s", err, tt.want)
			}
			if f != nil {
				t.Error("there is a file besides the error")
			}
			if _, ok := errors.AsType[*Problems](err); !ok {
				t.Errorf("the error is a %T", err)
			}
			if strings.Count(err.Error(), "\n") > problemsMax {
				t.Errorf("%d lines", strings.Count(err.Error(), "\n"))
			}
		})
	}
}

// longList is one line that Parse takes and whose statement is longer than one may be.
func longList() string {
	var names []string
	for i := range 40 {
		names = append(names, strings.Repeat(string(rune('A'+i)), 500))
	}
	return quoteList(names)
}

func TestParseCapsProblems(t *testing.T) {
	_, err := Parse("p", strings.NewReader("ashlar profile 1\n"+strings.Repeat("fly\n", 50)), Strict)
	ps, ok := errors.AsType[*Problems](err)
	if !ok || len(ps.First) != problemsMax || ps.More != 30 || !strings.HasSuffix(err.Error(), "\np: and 30 problems more") {
		t.Errorf("%v", err)
	}
}

func TestParseReadError(t *testing.T) {
	_, err := Parse("p", iotest.ErrReader(io.ErrClosedPipe), Lenient)
	if !errors.Is(err, io.ErrClosedPipe) || !strings.Contains(err.Error(), "reading p") {
		t.Errorf("%v", err)
	}
}

// A newer version, leniently: what is known is used, what is not is counted, and it is not written over.
func TestParseNewer(t *testing.T) {
	const text = `ashlar profile 3 sealed
frames 10
chose move body position keep
hot body warmly
cold debris
system move frames 10 watts 3
access move body position read rows 1 chunks 1 bytes 1
system ai frames 10
pin "\q"
hot debris
end
`
	f, err := Parse("p", strings.NewReader(text), Lenient)
	if err != nil {
		t.Fatal(err)
	}
	if f.Unknown != 6 || f.Frames != 10 || len(f.Systems) != 1 || f.Systems[0].Name != "ai" || !reflect.DeepEqual(f.Intent, Intent{Heat: []Heat{{"debris", true}}}) {
		t.Errorf("%d unknown, %+v", f.Unknown, f.Profile)
	}
	path := filepath.Join(t.TempDir(), "p")
	for _, err := range []error{f.WriteFile(path), func() error { _, err := f.WriteTo(io.Discard); return err }()} {
		if err == nil || !strings.Contains(err.Error(), "p: 6 statements of a newer version would be lost") {
			t.Errorf("%v", err)
		}
	}
	for text, want := range map[string]string{
		"ashlar profile 3\nframes 10\npin a\n": "p:3: it has facts and no `end`",
		"ashlar profile 3\npin \x00\n":         "p:2:5: byte 0x00",
	} {
		if _, err := Parse("p", strings.NewReader(text), Lenient); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

// Files of the strategy that is gone are read and merged as if it were keep, and written without it.
func TestParseWhole(t *testing.T) {
	const text = `ashlar profile 1
frames 3
view s c whole
system s frames 3
choice s g c whole frames 3 chunks 2 stale 1 stream 6ns keep 5ns whole 4ns
choice s g d keep frames 3 chunks 0 stale 0 whole 4ns
end
`
	want := Profile{Frames: 3, Intent: Intent{Views: []View{{"s", "c", "keep"}}}, Systems: []System{{Name: "s", Frames: 3, Choices: []Choice{
		{Group: "g", Component: "c", Use: "keep", Frames: 3, Chunks: 2, Stale: 1, Costs: Costs{Stream: 6000, Keep: 5000}},
		{Group: "g", Component: "d", Use: "keep", Frames: 3},
	}}}}
	for _, mode := range []Mode{Strict, Lenient} {
		f, err := Parse("p", strings.NewReader(text), mode)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "read", f.Profile, want)
		var out strings.Builder
		if _, err := f.WriteTo(&out); err != nil || strings.Contains(out.String(), "whole") {
			t.Errorf("%v\n%s", err, &out)
		}
	}
	if _, err := Parse("p", strings.NewReader(strings.Replace(text, "whole 4ns\nend", "whole 4\nend", 1)), Lenient); err == nil || !strings.Contains(err.Error(), `"4" is no cost of whole`) {
		t.Errorf("%v", err)
	}
}

// What can't be written is refused before a byte is.
func TestWriteRefused(t *testing.T) {
	long := strings.Repeat("n", nameMax+1)
	tests := []struct {
		f    File
		want string
	}{
		{File{Profile: Profile{Components: []Component{{"", 1, 1}}}}, "profile: component \"\": a name is empty"},
		{File{Profile: Profile{Components: []Component{{"a", 1, 1}, {"a", 2, 1}}}}, "component a: it is stated twice"},
		{File{Profile: Profile{Stored: []Stored{{"a", "thin", "x", 1, 1}, {"a", "thin", "x", 1, 1}}}}, "stored a: it is stated twice"},
		{File{Profile: Profile{Stored: []Stored{{"a", "often", "x", 1, 1}}}}, `stored a: "often" is no way`},
		{File{Profile: Profile{Stored: []Stored{{"a", "thin", "", 1, 1}}}}, "stored a: a name is empty"},
		{File{Profile: Profile{Stored: []Stored{{"", "thin", "x", 1, 1}}}}, `stored "": a name is empty`},
		{File{Profile: Profile{Components: []Component{{"a", -1, 0}}}}, "component a: its size is -1: it has to be from 0 to 2147483647 bytes\nprofile: component a: its alignment is 0"},
		{File{Profile: Profile{Groups: []Group{{Name: long}}}}, "a name has 1025 bytes"},
		{File{Profile: Profile{Groups: []Group{{Name: "g", Owns: []string{"a", "b", "a"}}}}}, "group g: a is named twice"},
		{File{Profile: Profile{Systems: []System{{Name: "s", Times: Times{P10: -1}}}}}, "system s: its times are p10 -1ns p50 0s"},
		{File{Profile: Profile{Systems: []System{{Name: "s", Access: []Access{{Group: "g"}}}}}}, `access s g "" read: a name is empty`},
		{File{Profile: Profile{Systems: []System{{Name: "s", Access: []Access{{Group: "g", Component: "c"}, {Group: "g", Component: "c"}}}}}}, "access s g c read: it is stated twice"},
		{File{Profile: Profile{Intent: Intent{Every: []Every{{"s", 0}}}}}, "expect s: every 0: one run in 1 to"},
		{File{Profile: Profile{Intent: Intent{Heat: []Heat{{"g", true}, {"g", false}}}}}, "heat g: it is stated twice"},
		{File{Profile: Profile{Intent: Intent{Pinned: []string{""}}}}, `pin "": a name is empty`},
		{File{Profile: Profile{Intent: Intent{Together: [][]string{{"a"}}}}}, "together a: it names 1"},
		{File{Profile: Profile{Intent: Intent{Together: [][]string{{"a", "b"}, {"b", "a"}}}}}, "together a,b: it is stated twice"},
		{File{Profile: Profile{Intent: Intent{Views: []View{{"s", "c", ""}}}}}, `view s c: "" is no choice`},
		{File{Profile: Profile{Intent: Intent{Budget: Budget{Time: -1}}}}, "budget: its time is negative"},
		{File{Comments: Comments{Head: []string{"no comment"}}}, `comment "no comment": one is a line`},
		{File{Comments: Comments{Tail: []string{"# a\n# b"}}}, `comment "# a\n# b": one is a line`},
		{File{Comments: Comments{Tail: []string{"# a", ""}}}, `comment "": one is a line`},
		{File{Comments: Comments{At: map[string]Comment{"off": {Behind: "# a "}}}}, `comment "# a ": one is a line`},
	}
	for _, tt := range tests {
		var b strings.Builder
		if _, err := tt.f.WriteTo(&b); err == nil || !strings.Contains(err.Error(), tt.want) || b.Len() > 0 {
			t.Errorf("%v and %d bytes; want %s", err, b.Len(), tt.want)
		}
	}
}

// A comment outlives its statement, and moves with it.
func TestComments(t *testing.T) {
	f := mustParse(t, "ashlar profile 1\n# head\n\n# of b\npin b # behind b\n# of a\npin a\n# tail\n")
	const want = "ashlar profile 1\n# head\n\n# of a\npin a\n# of b\npin b # behind b\n\n# tail\n"
	if got := written(t, f); got != want {
		t.Errorf("got\n%s", got)
	}
	f.Intent.Pinned = []string{"a"}
	const less = "ashlar profile 1\n# head\n\n# of a\npin a\n\n# of b\n# behind b\n\n# tail\n"
	got := written(t, f)
	if got != less {
		t.Errorf("without b:\n%s", got)
	}
	if again := written(t, mustParse(t, got)); again != got {
		t.Errorf("and again:\n%s", again)
	}
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	_, err := ReadFile(dir, Lenient)
	if err == nil || err.Error() != dir+": it is a directory: name the profile in it" {
		t.Errorf("%v", err)
	}
	_, err = ReadFile(filepath.Join(dir, "none"), Lenient)
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "none") || !strings.Contains(err.Error(), "record one") {
		t.Errorf("%v", err)
	}
}
