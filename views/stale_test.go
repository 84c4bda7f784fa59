package views

import (
	"strings"
	"testing"
)

// at puts places into words: a cell's letter for each row, '-' for none.
func at(cells string) (places []Place) {
	for i, c := range cells {
		p := Place(c-'a')<<rowBits | Place(i)
		if c == '-' {
			p = noPlace
		}
		places = append(places, p)
	}
	return places
}

// stamps are ticks as digits by cell; '.' is a cell without a chunk.
func stamps(values, order string) (s ownerStamps) {
	tick := func(c byte) uint64 {
		if c == '.' {
			return gone
		}
		return uint64(c - '0')
	}
	for i := range values {
		s.values, s.order = append(s.values, tick(values[i])), append(s.order, tick(order[i]))
	}
	return s
}

func TestJudge(t *testing.T) {
	// A view chunk of rows in cells a to d is gathered at tick 5, when all stamps are 1.
	tests := []struct {
		name          string
		rows          string // where they were found; empty: not noted
		values, order string // stamps now, by cell
		own           uint64
		now           int // rows
		want          Verdict
	}{
		{"nothing happened", "aabc", "1111", "1111", 1, 4, Valid},
		{"written before the gather", "aabc", "4111", "1111", 4, 4, Valid},
		{"written in its tick", "aabc", "5111", "1111", 1, 4, Places},
		{"a chunk that no row is in", "aabc", "1117", "1117", 1, 4, Valid},
		{"one of three chunks written", "aabc", "1711", "1111", 1, 4, Places},
		{"one of five", "aabcde", "711111", "111111", 1, 6, Some},
		{"two of five", "aabcde", "771111", "111111", 1, 6, Places},
		{"two of five, rows of one changed", "aabcde", "771111", "711111", 1, 6, All},
		{"all written", "aabc", "7771", "1111", 1, 4, Places},
		{"all of the only one", "aaaa", "7111", "1111", 1, 4, Places},
		{"rows of one of three changed", "aabc", "1111", "1711", 1, 4, SomeMoved},
		{"all written, rows of one changed", "aabc", "7771", "1711", 1, 4, All},
		{"a chunk gone", "aabc", "11.1", "11.1", 1, 4, SomeMoved},
		{"all gone", "aabc", "...1", "...1", 1, 4, All},
		{"own rows changed", "aabc", "1111", "1111", 7, 4, All},
		{"own rows changed in the tick of the gather", "aabc", "1111", "1111", 5, 4, All},
		{"another number of rows", "aabc", "1111", "1111", 1, 3, All},
		{"more cells", "aabc", "11111111", "11111111", 1, 4, All},
		{"a lacking row, nothing happened", "aa-", "1111", "1111", 1, 3, Valid},
		{"a lacking row, another chunk written", "aa-", "1117", "1111", 1, 3, Valid},
		{"a lacking row, rows elsewhere changed", "aa-", "1111", "1117", 1, 3, SomeMoved},
		{"a lacking row, an empty cell", "aa-", "111.", "111.", 1, 3, Valid},
		{"all lack, rows elsewhere changed", "---", "1111", "1117", 1, 3, All},
		{"no places, nothing happened", "", "1111", "1111", 1, 4, Valid},
		{"no places, something written", "", "1117", "1111", 1, 4, All},
		{"no places, rows changed", "", "1111", "1117", 1, 4, All},
		{"no places, a chunk gone", "", "111.", "111.", 1, 4, All},
	}
	var shared Changes // used over and over: nothing of one case is left for the next
	for _, tt := range tests {
		var m Mark
		var then, c Changes
		cells := "1111"
		if strings.Contains(tt.rows, "e") {
			cells = "111111"
		}
		then.find(stamps(cells, cells), 0)
		var places []Place
		rows := 4
		if tt.rows != "" {
			places, rows = at(tt.rows), len(tt.rows)
		}
		m.Note(5, rows, places, &then)
		c.find(stamps(tt.values, tt.order), m.tick)
		if got := m.Judge(tt.own, tt.now, &c); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		shared.find(stamps(tt.values, tt.order), m.tick)
		if got := m.Judge(tt.own, tt.now, &shared); got != tt.want {
			t.Errorf("%s: %v, want %v, where another case was judged before", tt.name, got, tt.want)
		}
		c.find(stamps(tt.values, tt.order), 1) // more is known to have changed: never less is done
		if got := m.Judge(tt.own, tt.now, &c); got == Valid && tt.want != Valid {
			t.Errorf("%s: valid by changes since an older tick", tt.name)
		}
		c.find(stamps(tt.values, tt.order), 6) // too late to tell
		if got := m.Judge(tt.own, tt.now, &c); got != All {
			t.Errorf("%s: %v by changes since a later tick", tt.name, got)
		}
		if m.Drop(); m.Judge(0, rows, &then) != All {
			t.Errorf("%s: valid although it was dropped", tt.name)
		}
	}
	var never Mark
	var c Changes
	c.find(stamps("1", "1"), 0)
	if never.Judge(0, 0, &c) != All {
		t.Error("the zero mark is valid")
	}
}

// A mark that is noted again is about the present rows.
func TestMarkIsNotedAgain(t *testing.T) {
	var c Changes
	c.find(stamps("1111", "1111"), 0)
	var m Mark
	for i, rows := range []string{"aab-", "aabc", "----", "c"} {
		m.Note(5, len(rows), at(rows), &c)
		if lacks := strings.Contains(rows, "-"); m.Lacks() != lacks || m.rows != len(rows) {
			t.Errorf("%d: %q: lacks %v of %d rows", i, rows, m.Lacks(), m.rows)
		}
	}
	c.find(stamps("7711", "7711"), 5)
	if got := m.Judge(1, 1, &c); got != Valid {
		t.Errorf("%v, and the row's chunk has not changed", got)
	}
}
