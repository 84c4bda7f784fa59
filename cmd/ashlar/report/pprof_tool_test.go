package report

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	pprofile "github.com/google/pprof/profile"
)

// pprofTool runs the real `go tool pprof` and returns its output.
func pprofTool(t *testing.T, args ...string) string {
	t.Helper()
	path, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go tool here; `ashlar pprof` has the driver in it and is tested on the same files")
	}
	c := exec.Command(path, append([]string{"tool", "pprof"}, args...)...)
	c.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir())
	var errs strings.Builder
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("go tool pprof %q: %v\n%s%s", args, err, out, errs.String())
	}
	return string(out)
}

func writePprof(t *testing.T, name string, p *pprofile.Profile) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Write(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

// The reports of the real tool have the rows that the facts ask for.
func TestPprofTool(t *testing.T) {
	p, m := recorded()
	access := writePprof(t, "access.pb.gz", PprofAccess(p))
	memory := writePprof(t, "memory.pb.gz", PprofMemory(m))
	p.Systems[0].Access[0].Bytes += 999
	p.Systems[1].Access = p.Systems[1].Access[:1]
	later := writePprof(t, "later.pb.gz", PprofAccess(p))
	for _, tt := range []struct {
		args []string
		want []string // rows, as regular expressions
	}{
		{[]string{"-top", "-unit=b", access}, []string{ // which columns cost traffic
			`16113B +49\.56% +49\.56% +16113B +49\.56% +column:position\n`,
			`16001B +49\.21% +98\.77% +16001B +49\.21% +column:velocity\n`,
			`400B .* column:mark\n`,
			`0 +0% +100% +32002B +98\.43% +system:move\n`,
			`of 32514B total`, `ashlar access of 10 frames`,
		}},
		{[]string{"-top", "-sample_index=rows", access}, []string{`1007 .* column:position\n`, `of 2057 total`}},
		{[]string{"-top", "-sample_index=chunks", "-focus=system:position", access}, []string{`5 .* column:position\n`, `10 .* column:mark\n`}},
		{[]string{"-top", "-tagfocus=pattern=scattered", "-unit=b", access}, []string{`112B .* column:position\n`}},
		{[]string{"-peek=column:position", "-unit=b", access}, []string{`16113B +100% \| +group:body`}},
		{[]string{"-peek=group:body", "-unit=b", access}, []string{`32002B .*\| +system:move`, `16001B .*\| +column:velocity`}},
		{[]string{"-top", "-tagroot=system,mode", "-unit=b", access}, []string{`16001B +49\.21% +write\n`, `32002B +98\.43% +move\n`}},
		{[]string{"-top", "-unit=b", "-diff_base=" + access, later}, []string{`999B .* column:position\n`, `-400B .* column:mark\n`, `999B .* system:move\n`}},
		{[]string{"-top", "-unit=b", access, later}, []string{`33225B .* column:position\n`, `32002B .* column:velocity\n`, `of 65627B total`}},
		{[]string{"-top", "-unit=kb", memory}, []string{`256kB .* group:body\n`, `of 704kB total`, `448kB .* range:normal\n`}},
		{[]string{"-top", "-unit=kb", "-sample_index=dirty", "-tagroot=chunk", memory}, []string{`256kB .* state:free\n`, `64kB +\S+ +body:1\n`}},
	} {
		out := pprofTool(t, tt.args...)
		for _, want := range tt.want {
			if !regexp.MustCompile(want).MatchString(out) {
				t.Errorf("go tool pprof %q: no %s in\n%s", tt.args, want, out)
			}
		}
	}
	if out := pprofTool(t, "-top", "-diff_base="+access, access); !regexp.MustCompile(`Showing nodes accounting for 0, `).MatchString(out) {
		t.Errorf("a run less itself:\n%s", out)
	}
	merged := filepath.Join(t.TempDir(), "merged.pb.gz")
	pprofTool(t, "-proto", "-output="+merged, access, later)
	f, err := os.Open(merged)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	both, err := pprofile.Parse(f)
	if err != nil {
		t.Fatal(err)
	}
	if got := sums(both, label("system"))["move"]; len(got) != 3 || got[0] != 4000 || got[1] != 120 || got[2] != 2*32002+999 {
		t.Errorf("merged: move has %d", got)
	}
}
