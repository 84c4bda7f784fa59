package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/ashlar-go/ashlar/bench/game"
	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/screen"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// watchEvery is how long a step is shown.
const watchEvery = time.Second / 30

// glance is what is shown of a step beside the picture.
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

// grouped is a number with commas.
func grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// watchAll is stepAll for a run that is watched. On a terminal it draws each step, thirty a second at
// most. Elsewhere it prints a line a second, and one in the end.
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
		if on == nil { // after the first step: what a world says when it begins is not drawn over
			if on, err = screen.Begin(c.out); err != nil {
				return err
			}
			defer on.End()
		}
		if end.Sub(sized) > time.Second { // a window may change
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

// residentMemory is how much memory chunks and words have in physical pages.
func residentMemory(w *ecs.World) string {
	n, err := (*memmgr.Manager)(w.Manager()).Arena().Resident()
	if err != nil {
		return "unknown"
	}
	return mib(n)
}

// layer is what a colour stands for.
type layer struct {
	name  string
	count func(s game.Spot) int32
	color func(level int) screen.Color // from 1, dark, to levelMost
}

const levelMost = 5

// gameLayers are the layers of game, those first that are shown where two are equally dense.
func gameLayers() [3]layer {
	return [3]layer{
		{"actors and triggers", func(s game.Spot) int32 { return s.Actors + s.Triggers }, func(l int) screen.Color { return screen.RGB(l, l/2, 0) }},
		{"debris and emitters", func(s game.Spot) int32 { return s.Debris + s.Emitters }, func(l int) screen.Color { return screen.RGB(0, l/2, l) }},
		{"props", func(s game.Spot) int32 { return s.Props }, func(l int) screen.Color { return screen.RGB(0, (l+1)/2, 0) }},
	}
}

// drawGame draws the plane from above, and two lines below it. A pixel has the colour of the layer
// that has most there, measured by how much of it there is everywhere. Plan counts what is there.
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

// level is how dense n things are where the mean is so many: 0 for none, 3 for as many, and one more
// or less for twice as many or half.
func level(n int32, mean float64) int {
	if n == 0 {
		return 0
	}
	return min(max(3+int(math.Round(math.Log2(float64(n)/mean))), 1), levelMost)
}
