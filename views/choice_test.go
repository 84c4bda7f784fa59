package views

import (
	"fmt"
	"testing"
)

// The strategy follows from counts alone: a row for each condition on both sides of its limit.
func TestChoose(t *testing.T) {
	for _, tt := range []struct {
		name  string
		c     Counts
		want  Strategy
		notes bool
	}{
		{"nothing is known yet", Counts{Rows: 1000}, Gathered, true},
		{"one reader, nothing changes", Counts{Rows: 1000, Readers: 1}, Cached, true},
		{"in order", Counts{InOrder: true, Rows: 1000, Readers: 1}, Direct, true},
		{"in order, nothing is known yet", Counts{InOrder: true, Rows: 1000}, Direct, true},
		{"in order, rows come and go", Counts{InOrder: true, Rows: 1000, Readers: 1, Moved: 8}, Direct, false},
		{"one reader, rows come and go in most frames", Counts{Rows: 1000, Readers: 1, Moved: 6}, Gathered, false},
		{"in fewer", Counts{Rows: 1000, Readers: 1, Moved: 5}, Cached, true},
		{"two readers, rows come and go", Counts{Rows: 1000, Readers: 2, Moved: 8}, Cached, true},
		{"nothing is known yet but that rows come and go", Counts{Rows: 1000, Moved: 8}, Gathered, false},
		{"few rows", Counts{Rows: 63, Readers: 5}, Gathered, true},
		{"enough", Counts{Rows: 64, Readers: 5}, Cached, true},
		{"chunks for few rows", Counts{Rows: 64, Chunks: 64, Readers: 5}, Cached, true},
		{"one more", Counts{Rows: 64, Chunks: 65, Readers: 5}, Gathered, false},
		{"chunks for many rows", Counts{Rows: 1 << 20, Chunks: 1 << 17, Readers: 1}, Cached, true},
		{"one more", Counts{Rows: 1 << 20, Chunks: 1<<17 + 1, Readers: 1}, Gathered, false},
	} {
		if use := Choose(tt.c); use != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, use, tt.want)
		}
		if notes := Notes(tt.c); notes != tt.notes {
			t.Errorf("%s: notes places: %v", tt.name, notes)
		}
	}
}

func TestStrategyWords(t *testing.T) {
	for word, want := range map[string]Strategy{"": Unset, "direct": Direct, "gathered": Gathered, "none": Gathered, "cached": Cached} {
		if s, err := StrategyOf(word); s != want || err != nil {
			t.Errorf("%q is %v, %v; want %v", word, s, err, want)
		}
	}
	for _, word := range []string{"unset", "kept", "Direct"} {
		if s, err := StrategyOf(word); s != Unset || err == nil {
			t.Errorf("%q is %v, and no error", word, s)
		}
	}
	if s := fmt.Sprint(Unset, Direct, Gathered, Cached); s != "unset direct gathered cached" {
		t.Error(s)
	}
}
