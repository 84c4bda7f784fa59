package memmgr

import (
	"fmt"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
)

// careless makes chunks that somebody else has to give back.
//
//go:noinline
func careless(s *Sequence, chunks int) error {
	for range chunks * int(s.shape.Full.Capacity()) {
		if _, err := s.Append(); err != nil {
			return err
		}
	}
	return nil
}

// stacks is the text of the profile: a line a stack, with the count before it, and
// the functions below.
func stacks(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	if err := pprof.Lookup(profileChunks).WriteTo(&b, 1); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A chunk is in the runtime's profile from when it is made until it is freed, wherever
// it moves, with the stack of who wanted it.
func TestChunksAreTraced(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		o.TraceChunks = true
		m, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		p := pprof.Lookup(profileChunks)
		if p == nil || p.Count() != 0 {
			t.Fatalf("the profile at first: %v", p)
		}
		s := sequence(t, m, "kept", 8, 16)
		if err := careless(s, 5); err != nil {
			t.Fatal(err)
		}
		if n := m.Stats().Chunks; n != 5 || p.Count() != n {
			t.Fatalf("%d chunks are in use, %d in the profile", n, p.Count())
		}
		for range 3 {
			if _, err := m.Move(s.At(0).Chunk()); err != nil {
				t.Fatal(err)
			}
			if err := m.SafePoint(); err != nil {
				t.Fatal(err)
			}
		}
		text := stacks(t)
		for _, want := range []string{"memmgr.careless", "memmgr.TestChunksAreTraced", "memmgr.(*Sequence).Append"} {
			if !strings.Contains(text, want) {
				t.Errorf("no stack has %s in it:\n%s", want, text)
			}
		}
		if strings.Contains(text, "tracer") {
			t.Errorf("the stacks begin too low:\n%s", text)
		}
		s.Truncate(10)
		if _, err := m.Reclaim(^uint64(0)); err != nil {
			t.Fatal(err)
		}
		if n := m.Stats().Chunks; n != 1 || p.Count() != n {
			t.Errorf("%d chunks are left, %d in the profile", n, p.Count())
		}
		if err := careless(s, 2); err != nil { // numbers that were in use before
			t.Fatal(err)
		}
		if n := m.Stats().Chunks; n != 3 || p.Count() != n {
			t.Errorf("%d chunks are in use again, %d in the profile", n, p.Count())
		}
		m.pin(s.At(0).Chunk())
		if m.Close() == nil || p.Count() != 3 {
			t.Errorf("after a Close that was refused, %d chunks are in the profile", p.Count())
		}
		m.unpin(s.At(0).Chunk())
		if err := m.Close(); err != nil || p.Count() != 0 {
			t.Errorf("after Close (%v), %d chunks are in the profile", err, p.Count())
		}
	})
}

// Refused memory leaves nothing in the profile, and a manager that does not trace never
// puts anything there.
func TestTracingOfNothing(t *testing.T) {
	m, err := New(Options{TraceChunks: true, Arena: arena.Options{Reserve: 64 << 20, Limit: arena.RegionBytes}})
	if err != nil {
		t.Fatal(err)
	}
	s := sequence(t, m, "s", 40000)
	if err := careless(s, 1000); err == nil {
		t.Fatal("a limit had no effect")
	}
	if n := pprof.Lookup(profileChunks).Count(); n != m.Stats().Chunks {
		t.Errorf("%d chunks are in use, %d in the profile", m.Stats().Chunks, n)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	quiet := open(t, Options{})
	if err := careless(sequence(t, quiet, "s", 8), 3); err != nil {
		t.Fatal(err)
	}
	if n := pprof.Lookup(profileChunks).Count(); n != 0 {
		t.Errorf("%d chunks are in the profile that nobody traces", n)
	}
}

// Managers on many goroutines share the profile; only the forgotten one is
// left in it.
func TestTracingManyManagers(t *testing.T) {
	const managers, forgotten = 16, 7
	open := make([]*Manager, managers)
	errs := make([]error, managers)
	var wg sync.WaitGroup
	for i := range managers {
		wg.Go(func() {
			m, err := New(Options{TraceChunks: true, Arena: arena.Options{Reserve: 64 << 20}})
			if err != nil {
				errs[i] = err
				return
			}
			open[i] = m
			s, err := m.MakeSequence(fmt.Sprint(i), columns(8))
			if err == nil {
				err = careless(s, i+1)
			}
			if err == nil && i != forgotten {
				err = m.Close()
			}
			errs[i] = err
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	if n := pprof.Lookup(profileChunks).Count(); n != forgotten+1 {
		t.Errorf("%d chunks are in the profile, and %d were forgotten", n, forgotten+1)
	}
	if text := stacks(t); !strings.Contains(text, "memmgr.careless") || !strings.Contains(text, "TestTracingManyManagers") {
		t.Errorf("the stack does not lead to the one that forgot:\n%s", text)
	}
	if err := open[forgotten].Close(); err != nil {
		t.Fatal(err)
	}
	if n := pprof.Lookup(profileChunks).Count(); n != 0 {
		t.Errorf("%d chunks are in the profile after all was closed", n)
	}
}

// However many make a profile at the same moment, they all get the same one.
func TestProfileIsMadeOnce(t *testing.T) {
	for round := range 20 {
		name := fmt.Sprintf("ashlar.test.%d.%p", round, t)
		got := make([]*pprof.Profile, 8)
		var wg sync.WaitGroup
		for i := range got {
			wg.Go(func() { got[i] = profileNamed(name) })
		}
		wg.Wait()
		late := newProfile(name) // as one that had looked before all of them
		for _, p := range got {
			if p == nil || p != late || p.Name() != name {
				t.Fatalf("round %d: %v and %v", round, got, late)
			}
		}
	}
	defer func() {
		if r := recover(); !strings.Contains(fmt.Sprint(r), "NewProfile with empty name") {
			t.Errorf("a name that NewProfile refuses was swallowed: %v", r)
		}
	}()
	profileNamed("")
}
