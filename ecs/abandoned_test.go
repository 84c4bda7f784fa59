package ecs_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// A frame in which a system panics is abandoned: the next Run says so, once, with what had
// run, and runs nothing; the one after it begins a new frame, in which every system gets
// every batch once. Commands that were asked for are made.
func TestAbandonedFrame(t *testing.T) {
	for name, o := range map[string]ecs.Options{
		"chunks": {}, "recorded": {Record: true, TimeEvery: 1}, "stress": {Memory: memmgr.Options{Stress: true}},
	} {
		t.Run(name, func(t *testing.T) {
			o.Memory.Arena = unstriped().Memory.Arena
			w := world(t, o)
			p := ecs.Register[w16](w, "wide")
			other := ecs.Register[hp](w, "hp")
			g := ecs.Apart(ecs.GroupOf[struct{ W w16 }](w, "wides"))
			const rows = 20_000
			es := make([]ecs.Entity, rows)
			ok(0, g.SpawnN(es, []struct{ W w16 }{{}}))
			type all struct {
				W   []w16
				Cmd *ecs.Commands
			}
			var before, seen, after, batches int
			breakAt := -1
			ecs.System(w, "before", func(c *all) { before += len(c.W) })
			ecs.System(w, "middle", func(c *all) {
				if batches == breakAt {
					panic("mine")
				}
				if batches++; batches == 1 {
					other.Later(c.Cmd).Add(es[0], hp{int32(w.Frame())})
				}
				seen += len(c.W)
			})
			ecs.System(w, "after", func(c *all) { after += len(c.W) })
			run := func() (err error, panicked any) {
				before, seen, after, batches = 0, 0, 0, 0
				defer func() { panicked = recover() }()
				return w.Run(t.Context()), nil
			}
			if err, r := run(); err != nil || r != nil || before != rows || seen != rows || after != rows {
				t.Fatal(err, r, before, seen, after)
			}
			count := batches
			if count < 3 {
				t.Fatalf("only %d batches", count)
			}
			ok(0, other.Remove(es[0]))
			for _, breakAt = range []int{0, 1, count - 1} {
				if _, r := run(); r != "mine" || after != 0 || before != rows {
					t.Fatalf("panicked with %v, %d rows before and %d after", r, before, after)
				}
				broke := batches
				err, r := run()
				if !errors.Is(err, ecs.ErrAbandoned) || r != nil || before+seen+after != 0 {
					t.Fatalf("the next Run: %v, %v, %d rows", err, r, before+seen+after)
				}
				for _, want := range []string{`system "middle" panicked in frame 2`, "after " + plural(broke, "batch", "batches"), "1 of 3 systems had run", "begins a new frame"} {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("no %q in %v", want, err)
					}
				}
				if w.Frame() != 1 {
					t.Errorf("%d frames are finished", w.Frame())
				}
			}
			breakAt = -1
			if err, r := run(); err != nil || r != nil || before != rows || seen != rows || after != rows || batches != count {
				t.Errorf("the Run after that: %v, %v, %d rows, %d, %d in %d batches of %d", err, r, before, seen, after, batches, count)
			}
			if w.Frame() != 2 || w.Commands().Len() != 0 || other.Get(es[0]) == nil || p.Len() != rows {
				t.Errorf("frame %d, %d commands wait, hp %v", w.Frame(), w.Commands().Len(), other.Get(es[0]))
			}
		})
	}
}

func plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", more)
}

// How many batches had run is told whatever the system goes over.
func TestAbandonedAfterBatches(t *testing.T) {
	w := world(t, ecs.Options{})
	red, blue := ecs.Register[hp](w, "red"), ecs.Register[hp](w, "blue")
	ecs.Register[frozen](w, "frozen")
	reds := ecs.Apart(ecs.GroupOf[struct{ R hp }](w, "reds", red))
	blues := ecs.Apart(ecs.GroupOf[struct{ B hp }](w, "blues", blue))
	for range 3 {
		ok(reds.Spawn(struct{ R hp }{}))
		ok(blues.Spawn(struct{ B hp }{}))
	}
	at, left := "", 0
	meet := func(system string, rows int) {
		if system == at {
			if left == 0 {
				panic("mine")
			}
			left--
		}
	}
	type slice struct {
		R []hp `ashlar:"red"`
	}
	type row struct {
		R *hp `ashlar:"red"`
	}
	type filtered struct {
		R []hp `ashlar:"red"`
		_ ecs.Without[frozen]
	}
	ecs.System(w, "over", func(c *slice) { meet("over", len(c.R)) }, ecs.OnlyIn(reds, blues))
	ecs.System(w, "rows", func(c *row) { meet("rows", 1) })
	ecs.System(w, "filtered", func(c *filtered) { meet("filtered", len(c.R)) })
	ecs.System(w, "goexit", func(c *slice) {
		if at == "goexit" {
			runtime.Goexit()
		}
	})
	asked := ecs.When(func() bool { meet("asked", 0); return true })
	ecs.System(w, "asked", func(c *slice) {}, asked)
	ok(0, w.Run(t.Context()))
	for _, c := range []struct {
		system string
		left   int
		want   string
	}{
		{"over", 1, `"over" panicked in frame 2, after 1 batch`},
		{"over", 0, `"over" panicked in frame 3, after 0 batches`},
		{"rows", 2, `"rows" panicked in frame 4, after 2 rows`},
		{"rows", 1, `"rows" panicked in frame 5, after 1 row`},
		{"filtered", 0, `"filtered" panicked in frame 6, after 0 batches`},
		{"goexit", 0, `"goexit" panicked in frame 7, after 0 batches`},
		{"asked", 0, `"asked" panicked in frame 8, after 0 batches`},
	} {
		at, left = c.system, c.left
		done := make(chan bool)
		go func() {
			defer close(done)
			defer func() { recover() }()
			w.Run(t.Context())
		}()
		<-done
		at = ""
		if err := w.Run(t.Context()); !errors.Is(err, ecs.ErrAbandoned) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.system, err)
		}
		ok(0, w.Run(t.Context()))
	}
}

// A frame in which a system panics can be gone on with, behind that system: the others run
// once, commands are made, and the frame counts. The messages about it are the same.
func TestContinuedFrame(t *testing.T) {
	w := world(t, ecs.Options{})
	h := ecs.Register[hp](w, "hp")
	e := ok(w.Spawn())
	var log []string
	fail := map[string]bool{}
	for _, s := range []struct {
		name  string
		phase ecs.Phase
	}{{"setup", ecs.Startup}, {"step", ecs.Fixed}, {"move", ecs.EachFrame}, {"hit", ecs.EachFrame}, {"draw", ecs.Render}} {
		ecs.System(w, s.name, func(c *struct{ Cmd *ecs.Commands }) {
			log = append(log, s.name)
			if fail[s.name] {
				h.Later(c.Cmd).Put(e, hp{int32(len(log))})
				panic("mine")
			}
		}, ecs.InPhase(s.phase))
	}
	run := func(want string, f func() error) (err error) {
		t.Helper()
		log = nil
		defer func() {
			t.Helper()
			recover()
			if got := strings.Join(log, " "); got != want {
				t.Errorf("%q ran, want %q", got, want)
			}
		}()
		return f()
	}
	frame := func() error { return w.RunFor(t.Context(), 2*time.Second/60) }
	goOn := func() error { return w.Continue(t.Context()) }
	if err := goOn(); err == nil || !strings.Contains(err.Error(), "no system has panicked") || w.Stats().Abandoned != "" {
		t.Errorf("nothing to go on with: %v", err)
	}
	fail["setup"], fail["hit"] = true, true
	run("setup", frame)
	if err := w.Stats().Abandoned; !strings.Contains(err, ecs.ErrAbandoned.Error()) || !strings.Contains(err, `"setup" panicked in frame 1, after 0 calls; 0 of 6 systems had run before it`) {
		t.Error(err)
	}
	run("step step move hit", goOn)
	if err := w.Stats().Abandoned; !strings.Contains(err, ecs.ErrAbandoned.Error()) || !strings.Contains(err, `"hit" panicked in frame 1, after 0 calls; 4 of 6 systems had run before it`) {
		t.Error(err)
	}
	if h.Get(e) == nil || h.Get(e).V != 1 {
		t.Error("what was asked for before the panic is not made")
	}
	if err := run("draw", goOn); err != nil || w.Frame() != 1 || h.Get(e).V != 4 || w.Stats().Abandoned != "" {
		t.Errorf("%v, frame %d, %v", err, w.Frame(), h.Get(e))
	}
	if err := goOn(); err == nil {
		t.Error("gone on with twice")
	}
	clear(fail)
	if err := run("step step move hit draw", frame); err != nil || w.Frame() != 2 {
		t.Errorf("%v, frame %d", err, w.Frame())
	}
	fail["move"] = true
	run("step step move", frame)
	if err := run("", frame); !errors.Is(err, ecs.ErrAbandoned) || w.Stats().Abandoned != "" {
		t.Errorf("given up: %v", err)
	}
	clear(fail)
	if err := run("step step step step move hit draw", frame); err != nil || w.Frame() != 3 {
		t.Errorf("%v, frame %d", err, w.Frame())
	}
	ok(0, w.Close())
	if err := goOn(); !errors.Is(err, ecs.ErrClosed) {
		t.Error(err)
	}
}
