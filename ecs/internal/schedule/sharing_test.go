package schedule

import (
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/ecs/internal/crew"
)

// TestSharing: workers are called once a frame that has work enough, as the frame before tells. A program that idles
// between frames needs twice as much.
func TestSharing(t *testing.T) {
	const least = 100
	yes := func() bool { return true }
	for _, x := range []struct {
		name  string
		pause time.Duration // between frames of 1 ms
		work  []int         // of walks, in each frame
		want  []crew.Help   // in the third frame
	}{
		{"too little", 0, []int{99, 99}, []crew.Help{crew.None, crew.None}},
		{"little", 0, []int{300, 300}, []crew.Help{crew.Some, crew.Some}},
		{"enough in all", 0, []int{400, 400}, []crew.Help{crew.Called, crew.Some}},
		{"enough in each", 0, []int{800, 800}, []crew.Help{crew.Called, crew.Called}},
		{"a short pause", time.Millisecond, []int{400, 400}, []crew.Help{crew.Called, crew.Some}},
		{"enough in all, but idle", 2 * time.Millisecond, []int{400, 400}, []crew.Help{crew.Some, crew.Some}},
		{"more, and idle", 2 * time.Millisecond, []int{800, 800}, []crew.Help{crew.Called, crew.Some}},
		{"much in each, and idle", 2 * time.Millisecond, []int{1600, 1600}, []crew.Help{crew.Called, crew.Called}},
	} {
		var s sharing
		now := time.Unix(1000, 0)
		for frame := range 3 {
			s.beginFrame(now)
			for i, work := range x.work {
				if got := s.help(least, work, 2, yes); frame == 2 && got != x.want[i] {
					t.Errorf("%s: help %d with walk %d, want %d", x.name, got, i, x.want[i])
				}
			}
			now = now.Add(time.Millisecond)
			s.endFrame(now)
			if now = now.Add(x.pause); frame == 2 && s.idles != (x.pause > time.Millisecond) {
				t.Errorf("%s: idle is %v", x.name, s.idles)
			}
		}
	}
	var s sharing
	if s.help(least, 1<<20, 1, yes) != crew.None || s.help(least, 1<<20, 2, func() bool { return false }) != crew.None {
		t.Error("shared by one worker, or where pieces may not run at the same time")
	}
}
