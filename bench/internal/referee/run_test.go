package referee

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
)

// counting is an entry whose work adds to a number, and to a log of who worked.
func counting(storage string, log *[]string, step uint64, work func()) candidate.Entry {
	return candidate.Entry{Storage: storage, Guide: storage + ".md", Open: func() candidate.Body {
		sum := uint64(0)
		return candidate.Body{
			Prepare: func() {},
			Work: func() int {
				sum += step
				*log = append(*log, storage)
				if work != nil {
					work()
				}
				return 3
			},
			Digest: func() uint64 { return sum },
		}
	}}
}

// A body may say itself how long its work took.
func TestBodyMeasuresItself(t *testing.T) {
	for _, prepare := range []func(){nil, func() {}} {
		n := time.Duration(0)
		c := candidate.Contest{Name: "c", Entities: 1, Ops: 2, Samples: 4, Turn: 4, Entries: []candidate.Entry{{Storage: "a", Open: func() candidate.Body {
			return candidate.Body{Prepare: prepare, Work: func() int { n++; return 1 }, Took: func() time.Duration { return n * time.Hour }, Digest: func() uint64 { return 0 }}
		}}}}
		found, err := Run(t.Context(), c, Options{})
		if want := 2 * float64(time.Hour); err != nil || found[0].Times[0] != want || found[0].Times[3] != want*7/4 {
			t.Errorf("%v, %v: want %v first, of the fourth work", err, found[0].Times, want)
		}
	}
}

// Every entry has as many samples, in turns of changing order, after a work that is not counted.
func TestTurnsAreShuffled(t *testing.T) {
	var log []string
	c := candidate.Contest{Name: "c", Entities: 3, Ops: 1, Samples: 40, Turn: 4,
		Entries: []candidate.Entry{counting("a", &log, 1, nil), counting("b", &log, 1, nil), counting("c", &log, 1, nil)}}
	found, err := Run(t.Context(), c, Options{Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range found {
		if len(m.Times) != 40 || m.Rows != 120 || m.Works != 2+10*5 || m.Guide != m.Storage+".md" || m.Digest != uint64(m.Works) {
			t.Errorf("%+v", m)
		}
	}
	orders := map[string]bool{}
	for turns := log[6:]; len(turns) > 0; turns = turns[15:] {
		for i := range 3 { // each turn is five works of one entry
			if block := turns[5*i : 5*i+5]; len(slices.Compact(slices.Clone(block))) != 1 {
				t.Fatal("a turn has works of several entries", block)
			}
		}
		orders[turns[0]+turns[5]+turns[10]] = true
	}
	if len(orders) < 3 {
		t.Error("orders of turns:", orders)
	}
	again := slices.Clone(log)
	log = nil
	if _, err := Run(t.Context(), c, Options{Seed: 7}); err != nil || !slices.Equal(log, again) {
		t.Error("the same seed gives another order", err)
	}
}

// Times are of works alone, and divided by the operations of a work.
func TestTimesAreOfWorks(t *testing.T) {
	var log []string
	slow := counting("slow", &log, 1, func() { time.Sleep(2 * time.Millisecond) })
	open := slow.Open
	slow.Open = func() candidate.Body {
		b := open()
		b.Prepare = func() { time.Sleep(4 * time.Millisecond) }
		return b
	}
	found, err := Run(t.Context(), candidate.Contest{Ops: 2, Samples: 5, Entries: []candidate.Entry{slow}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if least := slices.Min(found[0].Times); least < 1e6 || least > 2.9e6 {
		t.Errorf("a sample of 2 ms for two operations takes %v ns an operation", least)
	}
}

// A candidate that did other work is an error that names it.
func TestOtherWorkIsAnError(t *testing.T) {
	var log []string
	_, err := Run(t.Context(), candidate.Contest{Name: "sum", Ops: 1, Samples: 3, Entries: []candidate.Entry{counting("a", &log, 1, nil), counting("cheat", &log, 2, nil)}}, Options{})
	if err == nil || !strings.Contains(err.Error(), "cheat") || !strings.Contains(err.Error(), "sum") {
		t.Error(err)
	}
}

// An interrupted contest keeps what was measured.
func TestInterrupted(t *testing.T) {
	var log []string
	ctx, stop := context.WithCancel(t.Context())
	n := 0
	e := counting("a", &log, 1, func() {
		if n++; n == 8 {
			stop()
		}
	})
	found, err := Run(ctx, candidate.Contest{Ops: 1, Samples: 1000, Turn: 2, Entries: []candidate.Entry{e}}, Options{})
	if err != context.Canceled || len(found[0].Times) != 4 {
		t.Errorf("%v, %d samples", err, len(found[0].Times))
	}
}
