package ecs

import (
	"slices"
	"testing"
)

// line is n handles of a version, whose indexes go by step.
func line(version, index, step, n int) (es []Entity) {
	for i := range n {
		es = append(es, Entity(version)<<versionShift|Entity(index+i*step))
	}
	return es
}

// Handles are cut into spans; what is no span is passed over 64 at a time.
func TestSpans(t *testing.T) {
	const up, down, none = 1, ^Entity(0), 0
	for _, tt := range []struct {
		what    string
		handles []Entity
		want    []span
	}{
		{"too few", line(1, 1, 1, 7), []span{{7, none}}},
		{"just enough", line(1, 1, 1, 8), []span{{8, up}}},
		{"down to the first", line(1, 9, -1, 9), []span{{9, down}}},
		{"one after a block of four", line(1, 1, 1, 10), []span{{10, up}}},
		{"three after a block of four", line(1, 40, -1, 13), []span{{13, down}}},
		{"up and down", slices.Concat(line(1, 10, 1, 20), line(1, 28, -1, 20)), []span{{20, up}, {20, down}}},
		{"up, and up further on", slices.Concat(line(1, 10, 1, 21), line(1, 32, 1, 8)), []span{{21, up}, {8, up}}},
		{"another version", slices.Concat(line(1, 10, 1, 11), line(2, 21, 1, 12)), []span{{11, up}, {12, up}}},
		{"a break in each place of a block", slices.Concat(line(1, 10, 1, 10), line(1, 30, 1, 11), line(1, 50, 1, 12), line(1, 70, 1, 13)), []span{{10, up}, {11, up}, {12, up}, {13, up}}},
		{"other steps", line(1, 1, 2, 70), []span{{64, none}, {6, none}}},
		{"all the same", line(1, 5, 0, 9), []span{{9, none}}},
		{"short ones, then a long one", slices.Concat(line(1, 10, 1, 7), line(1, 30, 1, 57), line(1, 100, -1, 50)), []span{{64, none}, {50, down}}},
		{"a version apart", []Entity{1<<versionShift | 7, 2<<versionShift | 8, 3<<versionShift | 9, 4<<versionShift | 10, 5<<versionShift | 11, 6<<versionShift | 12, 7<<versionShift | 13, 8<<versionShift | 14}, []span{{8, none}}},
	} {
		var got []span
		for rest := tt.handles; len(rest) > 0; rest = rest[got[len(got)-1].n:] {
			got = append(got, spanOf(rest))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.what, got, tt.want)
		}
	}
}
