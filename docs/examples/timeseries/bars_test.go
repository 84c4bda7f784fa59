package timeseries

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/memmgr"
)

var (
	bars   = flag.Int("bars", 0, "compare the store with plain slices in so many rounds")
	child  = flag.String("child", "", "measure one implementation and print its figures")
	series = flag.Int("series", 10_000, "series for -bars")
	length = flag.Int("length", 1_000, "rows of each for -bars")
)

// rival is one side of the comparison: the store, or slices that a good engineer would use in its
// place.
type rival interface {
	add(series int, at int64, value float64)
	sum(series int, from, to int64) float64
	retain(cut int64)
	settle() // gives back idle memory
}

func rivals() map[string]func(n int) rival {
	return map[string]func(n int) rival{
		"ashlar": func(n int) rival {
			st, err := New(memmgr.Options{})
			if err != nil {
				panic(err)
			}
			a := &onAshlar{st: st}
			for i := range n {
				a.series = append(a.series, st.Series(fmt.Sprintf("series %d", i)))
			}
			return a
		},
		"pieces":   func(n int) rival { return newPieces(n) },
		"appended": func(n int) rival { return newAppended(n) },
	}
}

type onAshlar struct {
	st     *Store
	series []*Series
}

func (a *onAshlar) add(series int, at int64, value float64) {
	if err := a.series[series].Append(at, value); err != nil {
		panic(err)
	}
}

func (a *onAshlar) sum(series int, from, to int64) (sum float64) {
	for _, values := range a.series[series].Scan(from, to) {
		part := 0.0 // in a register, where sum is the iterator's too
		for _, v := range values {
			part += v
		}
		sum += part
	}
	return sum
}

func (a *onAshlar) retain(cut int64) { a.st.Retain(cut) }

func (a *onAshlar) settle() {
	if _, err := a.st.m.Purge(); err != nil {
		panic(err)
	}
}

// pieces are slices of up to 256 rows, a list a series: nothing is copied as series
// grow, and retention drops pieces.
type pieces struct {
	byName map[string]*piecewise
	series []*piecewise
}

type piecewise struct {
	pieces [][]row
	cut    int64
}

const pieceRows = bucketRows

func newPieces(n int) *pieces {
	p := &pieces{byName: make(map[string]*piecewise)}
	for i := range n {
		s := &piecewise{}
		p.byName[fmt.Sprintf("series %d", i)] = s
		p.series = append(p.series, s)
	}
	return p
}

func (p *pieces) add(series int, at int64, value float64) {
	s := p.series[series]
	n := len(s.pieces)
	if n == 0 || len(s.pieces[n-1]) == pieceRows {
		s.pieces = append(s.pieces, make([]row, 0, pieceRows))
		n++
	}
	s.pieces[n-1] = append(s.pieces[n-1], row{at, value})
}

func (p *pieces) sum(series int, from, to int64) (sum float64) {
	s := p.series[series]
	from = max(from, s.cut)
	for _, piece := range s.pieces {
		if piece[len(piece)-1].Time < from || piece[0].Time >= to {
			continue
		}
		first, _ := slices.BinarySearchFunc(piece, from, byTime)
		end, _ := slices.BinarySearchFunc(piece, to, byTime)
		for i := range piece[first:end] {
			sum += piece[first+i].Value
		}
	}
	return sum
}

func byTime(r row, at int64) int { return int(r.Time - at) }

func (p *pieces) retain(cut int64) {
	for _, s := range p.byName {
		n := 0
		for n < len(s.pieces) && s.pieces[n][len(s.pieces[n])-1].Time < cut {
			n++
		}
		s.pieces = slices.Delete(s.pieces, 0, n)
		s.cut = cut
	}
}

func (p *pieces) settle() { debug.FreeOSMemory() }

// appended is one slice a series, which append doubles; retention moves the rest
// to the front.
type appended struct {
	byName map[string]*[]row
	series []*[]row
}

func newAppended(n int) *appended {
	p := &appended{byName: make(map[string]*[]row)}
	for i := range n {
		s := new([]row)
		p.byName[fmt.Sprintf("series %d", i)] = s
		p.series = append(p.series, s)
	}
	return p
}

func (p *appended) add(series int, at int64, value float64) {
	s := p.series[series]
	*s = append(*s, row{at, value})
}

func (p *appended) sum(series int, from, to int64) (sum float64) {
	rows := *p.series[series]
	first, _ := slices.BinarySearchFunc(rows, from, byTime)
	end, _ := slices.BinarySearchFunc(rows, to, byTime)
	for i := range rows[first:end] {
		sum += rows[first+i].Value
	}
	return sum
}

func (p *appended) retain(cut int64) {
	for _, s := range p.byName {
		n, _ := slices.BinarySearchFunc(*s, cut, byTime)
		*s = slices.Delete(*s, 0, n)
	}
}

func (p *appended) settle() { debug.FreeOSMemory() }

// figures are the costs of one run of one implementation.
type figures struct {
	Resident, Settled, Left  uint64        // bytes: after ingest, when idle memory went, and after retention
	Ingest, Scan, Part, Drop time.Duration // of all rows; of a series as a whole, and a tenth of it; of half
	Sum                      float64
}

// measure fills an implementation tick by tick, and reads it series by series in an order
// that no prefetcher knows.
func measure(make func(n int) rival, series, length int) (f figures) {
	before := resident()
	start := time.Now()
	r := make(series)
	for at := range length {
		for i := range series {
			r.add(i, int64(at), float64(i^at))
		}
	}
	f.Ingest = time.Since(start)
	f.Resident = resident() - before
	r.settle()
	f.Settled = resident() - before
	n := int64(length)
	for range 3 {
		start = time.Now()
		for i := range series {
			f.Sum += r.sum(i*7919%series, 0, n)
		}
		f.Scan += time.Since(start)
		start = time.Now()
		for i := range series {
			f.Sum += r.sum(i*7919%series, n/2, n/2+n/10)
		}
		f.Part += time.Since(start)
	}
	f.Scan, f.Part = f.Scan/time.Duration(3*series), f.Part/time.Duration(3*series)
	start = time.Now()
	r.retain(n / 2)
	f.Drop = time.Since(start)
	for i := range series {
		f.Sum += r.sum(i, 0, n)
	}
	r.settle()
	f.Left = resident() - before
	runtime.KeepAlive(r)
	return f
}

// resident is the memory that the process has in use; 0 where that is not known.
func resident() uint64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, pages uint64
	fmt.Sscan(string(text), &size, &pages)
	return pages * uint64(os.Getpagesize())
}

// All implementations agree.
func TestRivals(t *testing.T) {
	sums := map[string]float64{}
	for name, make := range rivals() {
		sums[name] = measure(make, 50, 3000).Sum
	}
	for name, sum := range sums {
		if sum != sums["ashlar"] || sum == 0 {
			t.Errorf("%s sums to %v, ashlar to %v", name, sum, sums["ashlar"])
		}
	}
}

// The store against plain slices: each run in a process of its own, in turn, medians.
//
//	go test ./docs/examples/timeseries -run Bars -bars 5 -v
func TestBars(t *testing.T) {
	if *child != "" {
		text, err := json.Marshal(measure(rivals()[*child], *series, *length))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("\n%s\n", text)
		return
	}
	if *bars == 0 {
		t.Skip("a comparison, not a test: ask for it by -bars 5 -v")
	}
	runs := map[string][]figures{}
	for range *bars {
		for name := range rivals() {
			runs[name] = append(runs[name], run(t, name))
		}
	}
	t.Logf("%d series of %d rows of 16 B, %d rounds, %d MiB of rows; ratios are ashlar's to slices", *series, *length, *bars, *series**length*16>>20)
	t.Logf("%-27s %9s %9s %9s %8s %10s %6s", "", "ashlar", "pieces", "appended", "/pieces", "/appended", "bar")
	for _, line := range []struct {
		what string
		bar  float64
		unit float64
		of   func(f figures) float64
	}{
		{"resident after ingest, MiB", 1.2, 1 << 20, func(f figures) float64 { return float64(f.Resident) }},
		{"… when settled, MiB", 1.2, 1 << 20, func(f figures) float64 { return float64(f.Settled) }},
		{"ingest, ns a row", 1.2, float64(*series * *length), func(f figures) float64 { return float64(f.Ingest) }},
		{"scan of a series, ns", 1.1, 1, func(f figures) float64 { return float64(f.Scan) }},
		{"scan of a tenth, ns", 1.1, 1, func(f figures) float64 { return float64(f.Part) }},
		{"retention of half, ms", 1.0, 1e6, func(f figures) float64 { return float64(f.Drop) }},
		{"resident afterwards, MiB", 1.2, 1 << 20, func(f figures) float64 { return float64(f.Left) }},
	} {
		median := func(name string) float64 {
			var vs []float64
			for _, f := range runs[name] {
				vs = append(vs, line.of(f)/line.unit)
			}
			slices.Sort(vs)
			return vs[len(vs)/2]
		}
		a, p, s := median("ashlar"), median("pieces"), median("appended")
		t.Logf("%-27s %9.2f %9.2f %9.2f %8.2f %10.2f %6.1f", line.what, a, p, s, a/p, a/s, line.bar)
	}
}

// run measures one implementation in a process of its own.
func run(t *testing.T, name string) (f figures) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestBars$", "-child", name, "-series", fmt.Sprint(*series), "-length", fmt.Sprint(*length))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out.String())
	}
	for text := range strings.Lines(out.String()) {
		if strings.HasPrefix(text, "{") {
			if err := json.Unmarshal([]byte(text), &f); err != nil {
				t.Fatal(err)
			}
			return f
		}
	}
	t.Fatalf("%s printed no figures:\n%s", name, out.String())
	return f
}
