package timeseries

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr"
)

// row is a row of the plain model: a map of series to slices.
type row struct {
	Time  int64
	Value float64
}

func open(t testing.TB, o memmgr.Options) *Store {
	t.Helper()
	st, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(st.Manager().Check(), st.Close()); err != nil {
			t.Error(err)
		}
	})
	return st
}

func add(t testing.TB, st *Store, name string, r row) {
	t.Helper()
	if err := st.Series(name).Append(r.Time, r.Value); err != nil {
		t.Fatal(err)
	}
}

func scan(s *Series, from, to int64) (rows []row) {
	for times, values := range s.Scan(from, to) {
		for i := range times {
			rows = append(rows, row{times[i], values[i]})
		}
	}
	return rows
}

// between is the result of a scan of the model.
func between(rows []row, from, to int64) (out []row) {
	for _, r := range rows {
		if from <= r.Time && r.Time < to {
			out = append(out, r)
		}
	}
	return out
}

// Random rows, scans and cuts against the model: few long series and many short ones.
func TestStoreAgainstModel(t *testing.T) {
	for name, o := range map[string]memmgr.Options{"default": {}, "stress": {Stress: true}} {
		t.Run(name, func(t *testing.T) {
			st := open(t, o)
			r := rand.New(rand.NewPCG(1, 1))
			model := map[string][]row{}
			var now, cut int64 // of both
			clock, steps := time.Unix(1, 0), 400
			if testing.Short() {
				steps = 100
			}
			for step := range steps {
				for range 500 {
					series := fmt.Sprintf("long %d", r.IntN(3))
					if r.IntN(8) == 0 {
						series = fmt.Sprintf("short %d", r.IntN(100))
					}
					now += r.Int64N(3)
					v := row{now, r.Float64()}
					add(t, st, series, v)
					model[series] = append(model[series], v)
				}
				for series, rows := range model {
					from, to := r.Int64N(now+2), r.Int64N(now+2)
					if got, want := scan(st.Find(series), from, to), between(rows, max(from, cut), to); !slices.Equal(got, want) {
						t.Fatalf("step %d: %q from %d to %d has %d rows, want %d", step, series, from, to, len(got), len(want))
					}
				}
				if step%9 == 8 {
					cut += r.Int64N(now - cut)
					st.Retain(cut)
					st.Retain(cut - 5) // a cut is not taken back
				}
				if step%5 == 4 {
					clock = clock.Add(time.Second)
					if err := st.Idle(clock); err != nil {
						t.Fatal(err)
					}
				}
			}
			seen := 0
			for _, rows := range model {
				seen += len(between(rows, cut, now+1))
			}
			// Further chunks: in each series a bucket that was cut in part, and one with
			// room; and the ones between these.
			if most := 2*seen + 2*bucketRows*len(model); st.rows.Len() > most || st.rows.Len() < seen {
				t.Errorf("there is room for %d rows, and %d are to be seen: at most %d", st.rows.Len(), seen, most)
			}
		})
	}
}

// A series that gets a row now and then does not keep the chunks of one that gets many.
func TestSlowSeries(t *testing.T) {
	st := open(t, memmgr.Options{})
	const window = 20_000
	for now := range int64(10 * window) {
		add(t, st, "fast", row{now, 1})
		if now%(window/4) == 0 {
			add(t, st, "slow", row{now, 2})
			st.Retain(now - window)
		}
	}
	if n := len(scan(st.Find("slow"), 0, 1<<40)); n != 5 {
		t.Errorf("%d rows of the slow series are left, want 5", n)
	}
	if n := st.rows.Len(); n > 3*window {
		t.Errorf("the chunks hold %d rows, where %d are new enough", n, window)
	}
}

func TestStoreRefuses(t *testing.T) {
	st := open(t, memmgr.Options{Arena: arena.Options{Limit: 2 << 20}})
	add(t, st, "cpu", row{5, 1})
	cpu := st.Find("cpu")
	if err := cpu.Append(4, 1); err == nil || !strings.Contains(err.Error(), "order of time") {
		t.Errorf("a row before the newest: %v", err)
	}
	rows := 1
	for ; ; rows++ {
		if err := cpu.Append(int64(5+rows), 2); err != nil {
			if !errors.Is(err, arena.ErrLimit) {
				t.Error(err)
			}
			break
		}
	}
	if n := len(scan(cpu, 0, 1<<40)); n != rows || n < 100_000 {
		t.Errorf("%d rows of %d", n, rows)
	}
	st.Retain(40_000)
	add(t, st, "cpu", row{int64(5 + rows), 2}) // there is room again
	st.Retain(1 << 50)
	st.Retain(1 << 49) // a cut is not taken back
	if err := cpu.Append(1<<50-1, 1); err == nil || !strings.Contains(err.Error(), "cut at") {
		t.Errorf("a row before the cut: %v", err)
	}
	add(t, st, "cpu", row{1 << 50, 3})
	if got := scan(cpu, 0, 1<<60); len(got) != 1 || got[0].Value != 3 {
		t.Errorf("after the cut: %v", got)
	}
	if st.Find("disk") != nil {
		t.Error("Find made a series")
	}
}
