package trial_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/trial"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// trials are runs with frames of so many microseconds, and all else alike.
func trials(micros ...int) (list []layout.Trial) {
	for _, us := range micros {
		list = append(list, layout.Trial{P50: time.Duration(us) * time.Microsecond, P99: time.Millisecond, First: time.Second, Start: time.Second, Resident: 1 << 20})
	}
	return list
}

func TestCompare(t *testing.T) {
	for _, tt := range []struct {
		without, with []layout.Trial
		want          trial.Verdict
		ratio         float64
	}{
		{trials(100, 100, 100), trials(100, 101, 100), trial.Same, 1},
		{trials(100, 100, 100), trials(103, 103, 103), trial.Loses, 1.03},
		{trials(100, 100, 100), trials(97, 97, 97), trial.Pays, 0.97},
		{trials(100, 200, 50), trials(90, 180, 45), trial.Pays, 0.9},
		{trials(100, 100, 100, 100, 100), trials(80, 90, 110, 120, 130), trial.Same, 1.1}, // less than the spread
		{trials(100), trials(150), trial.Loses, 1.5},
		{nil, nil, trial.Unknown, 0},
		{trials(0, 0), trials(1, 1), trial.Unknown, 0},
	} {
		f := trial.Compare(tt.without, tt.with)[0]
		if f.Name != "frame" || f.Verdict != tt.want || fmt.Sprintf("%.2f", f.Ratio) != fmt.Sprintf("%.2f", tt.ratio) {
			t.Errorf("%+v, want %s %v", f, tt.want, tt.ratio)
		}
		if got := trial.Judge(trial.Compare(tt.without, tt.with)); got != tt.want && tt.want != trial.Unknown {
			t.Errorf("judged as %s, want %s", got, tt.want)
		}
	}
	slow := trials(100, 100, 100)
	for i := range slow {
		slow[i].Resident *= 2
	}
	figures := trial.Compare(trials(100, 100, 100), slow)
	if f := figures[4]; f.Name != "memory" || f.Verdict != trial.Loses || trial.Judge(figures) != trial.Loses {
		t.Errorf("%+v", figures)
	}
	slow = trials(90, 90, 90)
	for i := range slow {
		slow[i].P99 *= 2
	}
	if got := trial.Judge(trial.Compare(trials(100, 100, 100), slow)); got != trial.Loses {
		t.Errorf("a p99 that doubles is judged as %s", got)
	}
}

func TestSum(t *testing.T) {
	a := layout.Trial{Layout: "x", Applied: 1, Stated: 2, Start: 1, First: 2, P50: 3, P99: 40, Worst: 50, Resident: 6}
	b := layout.Trial{Layout: "x", Applied: 3, Stated: 3, Start: 10, First: 20, P50: 30, P99: 4, Worst: 60, Resident: 60}
	want := layout.Trial{Layout: "x", Applied: 4, Stated: 5, Start: 11, First: 22, P50: 33, P99: 40, Worst: 60, Resident: 66}
	if got := trial.Sum([]layout.Trial{a, b}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
