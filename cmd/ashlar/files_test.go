package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// callWith is call with a standard input.
func callWith(t *testing.T, in io.Reader, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	status = run(t.Context(), console{in, &o, &e, false, false, verb{}}, args)
	return status, o.String(), e.String()
}

// collection is a directory with a file of each kind.
func collection(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := moved().WriteFile(filepath.Join(dir, "a.profile")); err != nil {
		t.Fatal(err)
	}
	for name, from := range map[string]string{"a.map": mapFile(t), "other.map": mapFile(t), "a.pb.gz": accessFile(t), "b.profile": filepath.Join(dir, "a.profile"), "glider.rle": patterns + "glider.rle"} {
		writeText(t, filepath.Join(dir, name), strings.Replace(readText(t, from), "bytes 32768", "bytes 320", 1)) // of 10 rows
	}
	for name, text := range map[string]string{"a.svg": "<svg>old</svg>\n", "a.layout": "ashlar layout 1\ncold debris\n", "notes": "my notes\n", "empty": ""} {
		writeText(t, filepath.Join(dir, name), text)
	}
	for name, to := range map[string]string{"link": "a.profile", "maplink": "a.map"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skipf("no links here; package files tests the rest: %v", err)
		}
	}
	return dir
}

// No verb writes over its inputs, or over a file of another kind; the message names the file's kind
// and the remedy.
func TestNothingOverwritten(t *testing.T) {
	dir := collection(t)
	t.Chdir(dir)
	before := snapshot(t, dir)
	const input, other = ", and is not replaced: name another file", " is written over it: name another file, or remove it first"
	for line, want := range map[string]string{
		"map a.map -svg a.map":                                         "a.map is an input of this command" + input,
		"map a.map -svg ./a.map":                                       "./a.map is the same file as a.map, an input of this command" + input,
		"map a.map -svg maplink":                                       "maplink is the same file as a.map, an input of this command" + input,
		"map a.map -svg other.map":                                     "other.map is a map, and no SVG picture" + other,
		"map a.map -svg a.profile":                                     "a.profile is a profile, and no SVG picture" + other,
		"map a.map -svg a.pb.gz":                                       "a.pb.gz is a pprof file, and no SVG picture" + other,
		"map a.map -svg notes":                                         "notes is a file of an unknown kind, and no SVG picture" + other,
		"advise a.profile -o a.profile":                                "a.profile:1:8: the file is an ashlar profile, not a layout",
		"advise a.profile -o b.profile":                                "b.profile:1:8: the file is an ashlar profile, not a layout",
		"advise a.profile -o a.map":                                    "a.map:1:8: the file is an ashlar map, not a layout",
		"advise a.profile -o notes":                                    "notes:1:1: the file is not a layout",
		"map a.map -svg a.layout":                                      "a.layout is a layout, and no SVG picture" + other,
		"map a.map -svg .":                                             ". is not a regular file, and only regular files are replaced",
		"map a.map -svg http://localhost/x":                            "http://localhost/x is an address, and only files are written",
		"profile merge -o a.profile a.profile b.profile":               "a.profile is an input of this command" + input,
		"profile merge -o b.profile a.profile b.profile":               "b.profile is an input of this command" + input,
		"profile merge -o link a.profile b.profile":                    "link is the same file as a.profile, an input of this command" + input,
		"profile merge -o a.map a.profile b.profile":                   "a.map is a map, and no profile" + other,
		"profile merge -o a.svg a.profile b.profile":                   "a.svg is an SVG picture, and no profile" + other,
		"profile merge -o notes a.profile b.profile":                   "notes is a file of an unknown kind, and no profile" + other,
		"run churn -entities 9 -frames 1 -record a.map":                "a.map is a map, and no profile" + other,
		"run churn -entities 9 -frames 1 -record maplink":              "maplink is a map, and no profile" + other,
		"run life glider.rle -generations 1 -record glider.rle":        "glider.rle is a file of an unknown kind, and no profile" + other,
		"PROCESS pprof -top -output=a.profile a.profile":               "a.profile is an input of this command" + input,
		"PROCESS pprof -top -output=link a.profile":                    "link is the same file as a.profile, an input of this command" + input,
		"PROCESS pprof -proto -output=a.pb.gz a.pb.gz":                 "a.pb.gz is an input of this command" + input,
		"PROCESS pprof -proto -output=a.pb.gz -base=a.pb.gz a.profile": "a.pb.gz is an input of this command" + input,
		"PROCESS pprof -top -output=a.map a.map":                       "a.map is an input of this command" + input,
		"PROCESS pprof -top -output=b.profile a.profile":               "b.profile is a profile, and no pprof report" + other,
		"PROCESS pprof -proto -output=other.map a.profile":             "other.map is a map, and no pprof file" + other,
		"PROCESS pprof -top -output=notes a.map":                       "notes is a file of an unknown kind, and no pprof report" + other,
	} {
		do, rest := call, line
		if after, ok := strings.CutPrefix(line, "PROCESS "); ok {
			do, rest = process, after
		}
		status, out, errs := do(t, strings.Fields(rest)...)
		if status != 1 || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d, %s\n%swant %s", line, status, out, errs, want)
		}
		if is := snapshot(t, dir); is != before {
			t.Fatalf("%s: the directory had\n%s\nand has\n%s", line, before, is)
		}
	}
}

// A file of its own kind, or empty, is replaced, and a missing one is made.
func TestOwnKindReplaced(t *testing.T) {
	dir := collection(t)
	t.Chdir(dir)
	for line, want := range map[string]struct{ file, has string }{
		"map a.map -svg a.svg":                              {"a.svg", "<svg xmlns="},
		"map a.map -svg new.svg":                            {"new.svg", "<svg xmlns="},
		"map a.map -svg empty":                              {"empty", "<svg xmlns="},
		"profile merge -o merged a.profile a.profile":       {"merged", "frames 6\n"},
		"PROCESS pprof -proto -output=a.pb.gz a.map":        {"a.pb.gz", "\x1f\x8b"},
		"PROCESS pprof -top -output=report a.map":           {"report", "group:body"},
		"PROCESS pprof -proto -output=new.pb.gz a.map":      {"new.pb.gz", "\x1f\x8b"},
		"run churn -entities 9 -frames 1 -record b.profile": {"b.profile", "frames 1\n"},
		// A layout is brought up to date, so this may be the one that it was.
		"advise a.profile -o a.layout":   {"a.layout", "cold debris\n"},
		"advise a.profile -o new.layout": {"new.layout", "ashlar layout 1\n"},
	} {
		do, rest := call, line
		if after, ok := strings.CutPrefix(line, "PROCESS "); ok {
			do, rest = process, after
		}
		for range 2 { // the second time over the first
			status, _, errs := do(t, strings.Fields(rest)...)
			if got := readText(t, want.file); status != 0 || !strings.Contains(got, want.has) {
				t.Errorf("%s: status %d, %s\n%q has no %q", line, status, errs, got, want.has)
			}
		}
	}
	if left, _ := filepath.Glob(".ashlar-*"); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// readers are commands that read a file NAME, and their output.
var readers = map[string]struct{ file, want string }{
	"map NAME":                                     {"a.map", `(?s)^frame 9: .*A = body`},
	"map NAME -svg -":                              {"a.map", `^<svg xmlns=`},
	"profile show NAME":                            {"a.profile", `^facts over 3 frames\n`},
	"profile check NAME":                           {"a.profile", `TITLE: good: frames 3, `},
	"profile diff NAME a.profile":                  {"a.profile", `^no differences per frame\n$`},
	"profile diff a.profile NAME":                  {"a.profile", `^no differences per frame\n$`},
	"profile merge -o - NAME a.profile":            {"a.profile", `^ashlar profile 1\n\nframes 6\n`},
	"advise NAME":                                  {"a.profile", `^profile +TITLE: 3 frames, 1 system, 0 groups\nmap +none`},
	"advise NAME -placement a.map":                 {"a.profile", `\nmap +a.map: frame 9`},
	"advise a.profile -placement NAME":             {"a.map", `\nmap +TITLE: frame 9`},
	"views NAME":                                   {"a.profile", `(?s).`},
	"run life NAME -generations 4":                 {"glider.rle", `(?s)generation +4\npopulation +5\n`},
	"run churn -frames 1 -entities 9 -layout NAME": {"a.layout", `\nlayout +TITLE [0-9a-f]{16}: 0 of 1 statement apply\n`},
	"layout show NAME":                             {"a.layout", `^layout TITLE  [0-9a-f]{16}\n`},
	"layout show NAME a.profile":                   {"a.layout", `(?s)^layout TITLE .*\ncold debris\n`},
	"layout show a.layout NAME":                    {"a.profile", `^layout a.layout `},
	"layout check NAME":                            {"a.layout", `^TITLE: good: 1 statement, hash `},
	"advise NAME -o -":                             {"a.profile", `^ashlar layout 1\n`},
	"PROCESS pprof -top NAME":                      {"a.profile", `480B .*column:position\n`},
	"PROCESS pprof -top -output=- NAME":            {"a.map", `64kB .*group:body\n`},
	"PROCESS pprof -top -unit=b NAME":              {"a.pb.gz", `480B .*column:position\n`},
	"PROCESS pprof -top -diff_base=NAME a.profile": {"a.profile", `accounting for 0, `},
}

// Where a file is read, the standard input and addresses are, too.
func TestStandardInputAndAddresses(t *testing.T) {
	dir := collection(t)
	t.Chdir(dir)
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	for line, tt := range readers {
		line, asProcess := strings.CutPrefix(line, "PROCESS ")
		for _, name := range []string{"-", server.URL + "/" + tt.file} {
			title, in := name, ""
			if name == "-" {
				title, in = "the standard input", readText(t, tt.file)
			}
			args := strings.Fields(strings.ReplaceAll(line, "NAME", name))
			var status int
			var out, errs string
			if asProcess {
				status, out, errs = processWith(t, in, args...)
			} else {
				status, out, errs = callWith(t, strings.NewReader(in), args...)
			}
			want := strings.ReplaceAll(tt.want, "TITLE", regexp.QuoteMeta(title))
			if status != 0 || !regexp.MustCompile(want).MatchString(out) {
				t.Errorf("%q: status %d, %s\n%s\nwant %s", args, status, errs, out, want)
			}
		}
	}
	for line, want := range map[string]string{
		"map ADDRESS/none":                                "ADDRESS/none: the server answers 404 Not Found: check the address",
		"map ADDRESS/a.profile":                           "ADDRESS/a.profile:1:8: the file is an ashlar profile, not a map",
		"profile show ADDRESS/":                           "ADDRESS/ is a web page, not a profile",
		"profile show -":                                  "the standard input:1:1: ",
		"profile diff - -":                                "the standard input is named twice by -",
		"advise - -placement ADDRESS/a.profile":           "ADDRESS/a.profile:1:8: the file is an ashlar profile, not a map",
		"run churn -layout ADDRESS/notes":                 "ADDRESS/notes:1:1: ",
		"run churn -layout ADDRESS/none":                  "ADDRESS/none: the server answers 404 Not Found: check the address",
		"layout show ADDRESS/":                            "ADDRESS/ is a web page, not a layout",
		"layout check - -":                                "the standard input is named twice by -",
		"run life ADDRESS/none -generations 1":            "the server answers 404",
		"PROCESS pprof -top ADDRESS/none":                 "ADDRESS/none: the server answers 404 Not Found",
		"PROCESS pprof -top ADDRESS/notes":                "ADDRESS/notes is not a profile, a map or a pprof file",
		"PROCESS pprof -top ADDRESS/debug/pprof/heap":     "server response: 404 Not Found", // left to the driver
		"PROCESS pprof -top -seconds=1 ADDRESS/a.profile": "ADDRESS/a.profile: parsing profile: unrecognized profile format",
		"PROCESS pprof -top -":                            "the standard input is not a profile, a map or a pprof file",
	} {
		line, asProcess := strings.CutPrefix(line, "PROCESS ")
		args := strings.Fields(strings.ReplaceAll(line, "ADDRESS", server.URL))
		var status int
		var errs string
		fails := 1
		if strings.HasPrefix(line, "profile ") {
			fails = trouble(args[1:])
		}
		if asProcess {
			status, _, errs = processWith(t, "no file of ours\n", args...)
		} else {
			status, _, errs = callWith(t, strings.NewReader("no file of ours\n"), args...)
		}
		if want := strings.ReplaceAll(want, "ADDRESS", server.URL); status != fails || !strings.Contains(errs, want) {
			t.Errorf("%q: status %d, %s\nwant %s", args, status, errs, want)
		}
	}
	if status, _, errs := processWith(t, readText(t, "a.map"), "pprof", "-"); status != 1 || !strings.Contains(errs, "ask for a report, such as -top") {
		t.Errorf("commands from a standard input that was a map: status %d, %s", status, errs)
	}
}
