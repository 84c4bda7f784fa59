package arena_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr"
)

var errNoMore = errors.New("no more memory")

func TestRefusedReservation(t *testing.T) {
	asked := 0
	m, err := memmgr.New(memmgr.Options{Arena: arena.Options{Reserve: 1 << 30}.WithFault(func(op arena.Op, nth int, bytes uint64) error {
		if op == arena.OpReserve && nth == 1 && bytes >= 1<<30 {
			asked++
			return errNoMore
		}
		return nil
	})})
	if err == nil { // the heap back end reserves nothing
		if asked != 0 {
			t.Errorf("%d requests to reserve, and none was refused", asked)
		}
		err = errors.Join(m.Close(), errNoMore)
	}
	if !errors.Is(err, errNoMore) {
		t.Error(err)
	}
}

func TestUnknownBackend(t *testing.T) {
	m, err := memmgr.New(memmgr.Options{Arena: arena.Options{Backend: 3}})
	if m != nil || err == nil || err.Error() != "memmgr: arena: Options.Backend is 3: give Auto, OS or Heap" {
		t.Error(err)
	}
	if text := arena.Backend(200).String(); !strings.Contains(text, "200") {
		t.Error(text)
	}
}
