package ecs_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
)

// One run in so many is timed. Where none was, times are absent.
func TestTimed(t *testing.T) {
	const frames = 10
	for _, every := range []int{1, 3, 10, 11} {
		s := newSmall(t, ecs.Options{Record: true, TimeEvery: every})
		addSystem(t, s.w, "one", func(*readAB) {})
		addSystem(t, s.w, "two", func(*without) {})
		s.frames(t, frames)
		p := s.w.Facts()
		checkFacts(t, s.w, p)
		timed := uint64(frames / every)
		if 6%every == 0 { // in the sixth frame reads by handle are counted
			timed--
		}
		for _, sys := range p.Systems {
			if sys.Frames != frames || sys.Timed != timed || sys.Times.P10 < 0 {
				t.Errorf("every %d: %+v", every, sys)
			}
		}
		var text strings.Builder
		if _, err := p.WriteTo(&text); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text.String(), " timed ") != (every <= frames) {
			t.Errorf("every %d: what is absent is in the text, or the other way round:\n%s", every, text.String())
		}
	}
	// By default, runs 2, 4, 8, 16 and 32 are timed.
	s := newSmall(t, ecs.Options{Record: true})
	addSystem(t, s.w, "one", func(*readAB) {})
	s.frames(t, 33)
	if sys := s.w.Facts().Systems[0]; sys.Timed != 5 {
		t.Errorf("by default: %+v", sys)
	}
}

// A system that panics has been noted, and the world goes on to note.
func TestRecordingAfterAPanic(t *testing.T) {
	s := newSmall(t, ecs.Options{Record: true, TimeEvery: 1})
	boom := true
	addSystem(t, s.w, "boom", func(*readAB) {
		if boom {
			panic("mine")
		}
	})
	panics(t, "mine", func() { s.w.Run(context.Background()) })
	boom = false
	if err := s.w.Run(context.Background()); !errors.Is(err, ecs.ErrAbandoned) {
		t.Errorf("the next Run: %v", err)
	}
	s.frames(t, 3)
	p := s.w.Facts()
	checkFacts(t, s.w, p)
	if p.Frames != 3 || p.Systems[0].Frames < 3 || p.Systems[0].Timed != 3 {
		t.Errorf("%d frames: %+v", p.Frames, p.Systems[0])
	}
}

// Off, nothing is noted; on, a frame allocates no more than it does off, once all has
// been seen, which is nothing where there is nothing to test for; and the work of systems is
// the same.
func TestRecordingCostsNoAllocation(t *testing.T) {
	var states []string
	var allocs []float64
	for _, o := range []ecs.Options{{}, {Record: true}, {Record: true, TimeEvery: 1}} {
		o.Adapt.Clock = standing
		s := newSmall(t, o)
		ctx := context.Background()
		frame := func() {
			if err := s.w.Run(ctx); err != nil {
				t.Fatal(err)
			}
		}
		addSystem(t, s.w, "own", func(c *writeA) {
			for i := range c.A {
				c.A[i][0] += c.B[i][0] + 1
			}
		})
		addSystem(t, s.w, "over", func(c *readAB) {}, ecs.OnlyIn(s.duos))
		addSystem(t, s.w, "rows", func(c *pointers) { c.B[0] += c.A[0] })
		s.frames(t, 3)
		if n := testing.AllocsPerRun(100, frame); n != 0 {
			t.Errorf("%+v: %v allocations a frame", o, n)
		}
		addSystem(t, s.w, "maybe", func(c *maybe) {
			for i := range c.C {
				c.C[i][2] += c.B[i][0] + 1
			}
		})
		addSystem(t, s.w, "gathered", func(c *gathered) {
			for i := range c.A {
				c.A[i][1] += c.C[i][0]
			}
		})
		addSystem(t, s.w, "without", func(c *without) {
			for i := range c.A {
				c.A[i][3]++
			}
		})
		s.frames(t, 3)
		if allocs = append(allocs, testing.AllocsPerRun(100, frame)); allocs[0] != allocs[len(allocs)-1] {
			t.Errorf("%+v: %v allocations a frame with filters, off %v", o, allocs[len(allocs)-1], allocs[0])
		}
		states = append(states, s.state())
		if p := s.w.Facts(); !o.Record && !reflect.DeepEqual(p, profile.Profile{}) {
			t.Errorf("off, there are facts: %+v", p)
		} else if o.Record && (p.Frames != s.w.Frame() || len(p.Systems) != 6) {
			t.Errorf("%d frames of %d noted, %d systems", p.Frames, s.w.Frame(), len(p.Systems))
		}
	}
	if states[0] != states[1] || states[0] != states[2] {
		t.Error("recording changed what systems did")
	}
}

// state is all rows and values, in order.
func (s *small) state() string {
	var b strings.Builder
	for e, v := range s.a.All() {
		fmt.Fprint(&b, e, *v)
	}
	for e, v := range s.b.All() {
		fmt.Fprint(&b, e, *v)
	}
	for e, v := range s.c.All() {
		fmt.Fprint(&b, e, *v)
	}
	return b.String()
}

// While a system runs, its goroutine has the system's name for a label, and the
// caller's labels afterwards, even if it panics.
func TestLabels(t *testing.T) {
	for _, o := range []ecs.Options{{}, {Record: true, TimeEvery: 1}} {
		s := newSmall(t, o)
		seen := map[string]string{}
		addSystem(t, s.w, "first-one", func(*writeC) { seen["first"] = labelsHere(t) })
		addSystem(t, s.w, "second", func(*pointers) {
			if seen["second"] == "" {
				seen["second"] = labelsHere(t)
			}
		})
		boom := false
		addSystem(t, s.w, "third", func(*writeC) {
			if boom {
				panic("mine")
			}
		})
		pprof.Do(t.Context(), pprof.Labels("caller", "me"), func(ctx context.Context) {
			if err := s.w.Run(ctx); err != nil {
				t.Fatal(err)
			}
			seen["after"] = labelsHere(t)
			cancelled, cancel := context.WithCancel(ctx)
			cancel()
			if err := s.w.Run(cancelled); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			seen["cancelled"] = labelsHere(t)
			boom = true
			panics(t, "mine", func() { s.w.Run(ctx) })
			seen["panicked"] = labelsHere(t)
		})
		seen["outside"] = labelsHere(t)
		want := map[string]string{
			"first": `{"system":"first-one"}`, "second": `{"system":"second"}`,
			"after": `{"caller":"me"}`, "cancelled": `{"caller":"me"}`, "panicked": `{"caller":"me"}`, "outside": "",
		}
		if !reflect.DeepEqual(seen, want) {
			t.Errorf("labels %v, want %v", seen, want)
		}
	}
}

// labelsHere is the labels of the goroutine that calls it, as a goroutine profile
// prints them; "" if there are none.
//
//go:noinline
func labelsHere(t *testing.T) string {
	var b strings.Builder
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		t.Error(err)
	}
	for stack := range strings.SplitSeq(b.String(), "\n\n") {
		if !strings.Contains(stack, "ecs_test.labelsHere") {
			continue
		}
		_, labels, _ := strings.Cut(stack, "# labels: ")
		labels, _, _ = strings.Cut(labels, "\n")
		return labels
	}
	t.Error("the goroutine is not in the profile")
	return ""
}
