package main

import (
	"bytes"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Stars stay on the canvas, move, and are drawn where they are.
func TestSky(t *testing.T) {
	pixels := func(frames int, eo ecs.Options) []byte {
		t.Helper()
		s, err := newSky(20_000, 1, eo)
		if err != nil {
			t.Fatal(err)
		}
		defer s.world.Close()
		s.screen.Pointer = Position{0, 0} // stars fly into a corner, and come to edges
		for range frames {
			if err := s.frame(); err != nil {
				t.Fatal(err)
			}
		}
		stars := ecs.QueryOf[struct {
			Pos   *Position
			Color *Color
		}](s.world)
		want, n := make([]byte, len(s.screen.Pixels)), 0
		for c := range stars.All() {
			p := *c.Pos
			if p.X < 0 || p.X >= width || p.Y < 0 || p.Y >= height {
				t.Fatalf("a star is at %v", p)
			}
			at := 4 * (int(p.Y)*width + int(p.X))
			want[at], want[at+1], want[at+2], want[at+3] = byte(*c.Color), byte(*c.Color>>8), byte(*c.Color>>16), byte(*c.Color>>24)
			n++
		}
		if n != 20_000 || !bytes.Equal(s.screen.Pixels, want) {
			t.Errorf("%d stars; after %d frames the canvas does not show them", n, frames)
		}
		return slices.Clone(s.screen.Pixels)
	}
	early, late := pixels(1, ecs.Options{}), pixels(300, ecs.Options{})
	if bytes.Equal(early, late) {
		t.Error("stars do not move")
	}
	if corner := late[3]; corner == 0 && !slices.ContainsFunc(late[:4*width], func(b byte) bool { return b != 0 }) {
		t.Error("no star has come to the upper edge")
	}
	if !bytes.Equal(late, pixels(300, ecs.Options{Memory: memmgr.Options{Stress: true}})) {
		t.Error("a run whose chunks move all the time differs")
	}
}
