package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/ashlar-go/ashlar/cmd/ashlar/game"
	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/screen"
	"github.com/ashlar-go/ashlar/ecs"
)

// watchEvery is the least time for which a step is shown.
const watchEvery = time.Second / 30

// glance is the state of a step that is shown beside the picture.
type glance struct {
	unit      string
	at, steps int
	took      time.Duration // a step, in the mean of the last ones
	entities  int
	resident  string
}

func (g glance) String() string {
	return fmt.Sprintf("%s %d of %d  %s entities  %.2f ms a %s  %s resident", g.unit, g.at, g.steps, grouped(g.entities), float64(g.took.Microseconds())/1000, g.unit, g.resident)
}

// grouped formats a number with commas.
func grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// watchAll is stepAll for -watch. On a terminal it draws each step, at most thirty a second.
// Elsewhere it prints a line each second, and one at the end.
func (s *scenario) watchAll(ctx context.Context, c console) (err error) {
	var on *screen.Screen
	var columns, rows int
	shown, sized, looked := time.Time{}, time.Time{}, time.Time{}
	now := glance{unit: s.unit, steps: s.steps}
	for s.at() < s.steps {
		start := time.Now()
		if err := s.step(ctx); err != nil {
			return err
		}
		end := time.Now()
		now.at, now.entities = s.at(), s.world.Len()
		if now.took += (end.Sub(start) - now.took) / 8; now.at == 1 {
			now.took = end.Sub(start)
		}
		if end.Sub(looked) > time.Second/2 {
			now.resident, looked = residentMemory(s.world), end
		}
		last := now.at == s.steps
		if !c.screen {
			if end.Sub(shown) >= time.Second || last {
				shown = end
				fmt.Fprintln(c.out, now)
			}
			continue
		}
		if on == nil { // after the first step, so that messages of the start stay visible
			if on, err = screen.Begin(c.out); err != nil {
				return err
			}
			defer on.End()
		}
		if end.Sub(sized) > time.Second { // the window may have been resized
			columns, rows = screen.Size()
			sized = end
		}
		if err := on.Show(s.draw(columns, rows, now)); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(watchEvery - time.Since(start)):
		}
	}
	return nil
}

// residentMemory returns the resident memory of chunks and entries.
func residentMemory(w *ecs.World) string {
	n, err := w.Manager().Arena().Resident()
	if err != nil {
		return "unknown"
	}
	return mib(n)
}

// layer is the meaning of a colour.
type layer struct {
	name  string
	count func(s game.Spot) int32
	color func(level int) screen.Color // from 1, dark, to levelMost
}

const levelMost = 5

// gameLayers are the layers of game. If two are equally dense, the first is shown.
func gameLayers() [3]layer {
	return [3]layer{
		{"actors and triggers", func(s game.Spot) int32 { return s.Actors + s.Triggers }, func(l int) screen.Color { return screen.RGB(l, l/2, 0) }},
		{"debris and emitters", func(s game.Spot) int32 { return s.Debris + s.Emitters }, func(l int) screen.Color { return screen.RGB(0, l/2, l) }},
		{"props", func(s game.Spot) int32 { return s.Props }, func(l int) screen.Color { return screen.RGB(0, (l+1)/2, 0) }},
	}
}

// drawGame draws the plane from above, with two lines of text. A pixel has the colour of the layer
// that is densest there, relative to its mean density. Plan counts the entities of each pixel.
func drawGame(columns, rows int, now glance, plan func(columns, rows int) []game.Spot) []string {
	layers, legend := gameLayers(), ""
	for _, l := range layers {
		legend += screen.Text(l.color(levelMost), "■") + " " + l.name + "  "
	}
	lines := []string{now.String(), legend + "Ctrl-C ends the run"}
	rows -= len(lines)
	if rows < 1 {
		return lines
	}
	spots := plan(columns, 2*rows)
	var mean [len(layers)]float64
	for i, l := range layers {
		for _, s := range spots {
			mean[i] += float64(l.count(s)) / float64(len(spots))
		}
	}
	picture := screen.Picture(columns, rows, func(x, y int) (c screen.Color) {
		most := 0
		for i, l := range layers {
			if n := level(l.count(spots[y*columns+x]), mean[i]); n > most {
				most, c = n, l.color(n)
			}
		}
		return c
	})
	return append(picture, lines...)
}

// level returns the density of n things relative to the mean: 0 for none, 3 for the mean, and one
// more or less for each factor of two.
func level(n int32, mean float64) int {
	if n == 0 {
		return 0
	}
	return min(max(3+int(math.Round(math.Log2(float64(n)/mean))), 1), levelMost)
}
