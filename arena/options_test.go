package arena_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr"
)

var errNoMore = errors.New("no more memory")

// refuse is a fault hook that has a name: its types can be written down.
func refuse(c arena.Call) error {
	var op arena.Op = c.Op
	if op == arena.OpReserve && c.N == 1 {
		return errNoMore
	}
	return nil
}

func TestFaultHookCanBeNamed(t *testing.T) {
	m, err := memmgr.New(memmgr.Options{Arena: arena.Options{Reserve: 1 << 30, Fault: refuse}})
	if err == nil { // the heap back end reserves nothing
		if n := m.Stats().Arena.Calls[arena.OpReserve]; n != 0 {
			t.Errorf("%d requests to reserve, and none was refused", n)
		}
		err = errors.Join(m.Close(), errNoMore)
	}
	if !errors.Is(err, errNoMore) {
		t.Error(err)
	}
}

func TestUnknownBackend(t *testing.T) {
	m, err := memmgr.New(memmgr.Options{Arena: arena.Options{Backend: 3}})
	if m != nil || err == nil || err.Error() != "memmgr: Options.Arena.Backend is 3: give Auto, OS or Heap" {
		t.Error(err)
	}
	if text := arena.Backend(200).String(); !strings.Contains(text, "200") {
		t.Error(text)
	}
}
