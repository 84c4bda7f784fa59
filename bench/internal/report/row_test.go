package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
	"github.com/ashlar-go/ashlar/bench/internal/referee"
)

// around has n times near a value.
func around(v float64, n int) (times []float64) {
	for i := range n {
		times = append(times, v*(1+float64(i%5)/100))
	}
	return times
}

func found() []referee.Measured {
	wide := append(around(10, 10), around(100, 10)...)
	list := []referee.Measured{
		{Storage: candidate.Ashlar, Guide: "systems.md", Times: around(10, 20), Cycles: []float64{20, 22, 24}, Rows: 40, Digest: 0xAB},
		{Storage: candidate.Sparse, Times: around(20, 20), Rows: 40, Digest: 0xAB},
		{Storage: candidate.Archetype, Times: around(15, 20), Rows: 40, Digest: 0xAB},
		{Storage: candidate.Arrays, Times: wide, Rows: 40, Digest: 0xAB},
	}
	for i := range list {
		list[i].Turn = 5
	}
	return list
}

// A machine that is twice as slow for half of the rounds leaves no time, and the ratio as it is.
func TestDriftCancels(t *testing.T) {
	m := found()[:2]
	for i := range m {
		for k := range m[i].Times[:10] {
			m[i].Times[k] *= 2
		}
	}
	rows := Rows(candidate.Contest{Name: "n", Entities: 9}, m, "m")
	if rows[0].MedianNS != nil || rows[0].Ratio == nil || *rows[0].Ratio != 0.5 || rows[0].Z == nil {
		t.Errorf("%+v", rows[0])
	}
}

func TestRowsAreHeldAgainstTheBetterReference(t *testing.T) {
	rows := Rows(candidate.Contest{Part: "life", Name: "n", Entities: 9}, found(), "m")
	if len(rows) != 4 {
		t.Fatal(rows)
	}
	a, sparse, arch, wide := rows[0], rows[1], rows[2], rows[3]
	if a.Against != candidate.Archetype || *a.Ratio < 0.66 || *a.Ratio > 0.67 || *a.U != 0 || *a.Z > -5 || *a.P > 1e-6 || *a.Effect != 1 || *a.Cycles != 22 {
		t.Errorf("%+v", a)
	}
	if a.Guide != "docs/guide/systems.md" || a.Checksum != "00000000000000ab" || a.Rows != 40 || a.Machine != "m" || *a.MedianNS != 10.2 {
		t.Errorf("%+v", a)
	}
	if sparse.Against != candidate.Archetype || *sparse.Effect != -1 || arch.Against != candidate.Sparse || *arch.Effect != 1 {
		t.Errorf("%+v %+v", sparse, arch)
	}
	if wide.MedianNS != nil || wide.MeanNS != nil || wide.U == nil || wide.Ratio != nil || wide.Spread < 1 || wide.Cycles != nil {
		t.Errorf("a row whose spread is too wide has a figure: %+v", wide)
	}
}

func TestJSONComesBack(t *testing.T) {
	rows := Rows(candidate.Contest{Part: "life", Name: "n", Entities: 9}, found(), "m")
	var b bytes.Buffer
	if err := JSON(&b, rows); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{`"name": "n"`, `"storage": "ashlar"`, `"entities": 9`, `"median_ns": 10.2`, `"median_ns": null`, `"u": 0`, `"z": -5`} {
		if !strings.Contains(b.String(), key) {
			t.Errorf("no %s", key)
		}
	}
	var back []Row
	err := json.Unmarshal(b.Bytes(), &back)
	if err != nil || len(back) != 4 || *back[0].MedianNS != 10.2 || back[3].MedianNS != nil {
		t.Errorf("%v, %+v", err, back)
	}
	b.Reset()
	if JSON(&b, nil); strings.TrimSpace(b.String()) != "[]" {
		t.Error(b.String())
	}
}

func TestPrint(t *testing.T) {
	var b bytes.Buffer
	Head(&b)
	Print(&b, Rows(candidate.Contest{Name: "n", Entities: 9}, found(), "m"))
	for _, want := range []string{"10.2 ns", "0.67 ar", "docs/guide/systems.md", "inconclusive: 20 samples", "contest"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in:\n%s", want, b.String())
		}
	}
}

func TestMachine(t *testing.T) {
	m := Machine()
	for _, want := range []string{"processors", "go1", "commit "} {
		if !strings.Contains(m, want) {
			t.Errorf("%q lacks %q", m, want)
		}
	}
	if chosen("always [madvise] never") != "madvise" || chosen("nothing") != "" {
		t.Error("chosen")
	}
}
