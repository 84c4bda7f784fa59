package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/profile"
)

// reading is the facts about how one system gets one shared component.
type reading struct {
	system string
	profile.Choice
	rows    float64 // per frame
	rowTime float64 // ns per row in the timed runs; 0 if unknown
}

// readingsOf returns the readings in the order in which systems run.
func readingsOf(p profile.Profile) (list []reading) {
	for _, s := range p.Systems {
		rows, groups := walked(s)
		for _, c := range s.Choices {
			r := reading{system: s.Name, Choice: c, rows: per(rows[c.Group], p.Frames)}
			if groups == 1 && s.Timed > 0 && rows[c.Group] > 0 {
				r.rowTime = float64(s.Times.P50) / per(rows[c.Group], s.Frames)
			}
			list = append(list, r)
		}
	}
	return list
}

// reads reports whether a reading asks for a view.
func (r reading) reads(v profile.Shared) bool {
	return r.Group == v.Group && r.Component == v.Component
}

// walked returns how many rows a system walked in each group, and in how many groups.
func walked(s profile.System) (rows map[string]uint64, groups int) {
	rows = map[string]uint64{}
	for _, a := range s.Access {
		if !a.Scattered { // a column of the group's own, and each has all rows
			rows[a.Group] = max(rows[a.Group], a.Rows)
		}
	}
	return rows, len(rows)
}

// onceRead is the number of reuses per build below which a view counts as not reused.
const onceRead = 0.05

// seldomReused reports whether few chunks of a view are read as they were gathered.
func seldomReused(v profile.Shared) bool {
	return float64(v.Reused+v.Refreshed) < onceRead*float64(v.Built)
}

// viewVerdict says how the readers of a view get it. A cached view with chunks that are seldom reused
// may pay all the same, since it remembers where values are.
func viewVerdict(v profile.Shared, readers []reading) string {
	count := map[string]int{}
	for _, r := range readers {
		count[r.Use]++
	}
	var texts []string
	say := func(n int, text string) {
		if n > 0 {
			texts = append(texts, fmt.Sprintf(text, n))
		}
	}
	say(count["cached"], "cached by %d")
	say(count["gathered"], "gathered by %d")
	say(count["direct"], "passed directly to %d")
	say(v.Readers-len(readers), "unknown for %d")
	text := strings.Join(texts, ", ")
	if count["cached"] > 0 && seldomReused(v) {
		return text + ": few builds are read twice"
	}
	return dashUnless(text != "", text)
}

// stale returns the share of a view's chunks that had to be gathered in a frame. The first reader
// in a frame finds them stale, and later readers do not.
func stale(readers []reading) (share float64, ok bool) {
	var gathered, most uint64
	for _, r := range readers {
		gathered += r.Stale
		most = max(most, r.Chunks)
	}
	return min(per(gathered, most), 1), most > 0
}

// Views writes the facts of a profile about shared components, by world, by view and then by
// system.
func Views(w io.Writer, p profile.Profile) error {
	var b strings.Builder
	for _, run := range p.Runs() {
		views, uses := viewsOf(run)
		if len(run.Shared)+len(uses.rows) == 1 {
			continue
		}
		if b.Len() > 0 {
			fmt.Fprintln(&b)
		}
		fmt.Fprintln(&b, profile.InWorld(run.World, fmt.Sprintf("shared components over %d frames; figures are those of a frame", run.Frames)))
		writeTables(&b, views, uses)
	}
	if b.Len() == 0 {
		fmt.Fprintln(&b, "the profile has no shared components: record a run whose systems ask for components that their groups do not own")
	} else {
		fmt.Fprintln(&b, "\na row: the time of whole runs, which includes all components that a system shares\n–: not known")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// viewsOf returns the tables of one world: its views, and how systems use them.
func viewsOf(p profile.Profile) (views, uses table) {
	readings := readingsOf(p)
	views = newTable("<shared in", "<component", "<readers", "<built", "<refreshed", "<reused", "<reads/build", "<stale", "<bytes", "<dropped", "<verdict")
	for _, v := range p.Shared {
		readers := slices.DeleteFunc(slices.Clone(readings), func(r reading) bool { return !r.reads(v) })
		gathered := v.Built + v.Refreshed
		share, walked := stale(readers)
		views.add(legible(v.Group), legible(v.Component), fmt.Sprint(v.Readers),
			mean(v.Built, p.Frames), mean(v.Refreshed, p.Frames), mean(v.Reused, p.Frames),
			mean(gathered+v.Reused, gathered), dashUnless(walked, figure(100*share)+" %"), mean(v.Bytes, p.Frames), mean(v.Dropped, p.Frames),
			viewVerdict(v, readers))
	}
	uses = newTable("<used by", "<group", "<component", "<use", "<rows", "<a row")
	for _, r := range readings {
		uses.add(legible(r.system), legible(r.Group), legible(r.Component), r.Use, dashUnless(r.rows > 0, figure(r.rows)), dashUnless(r.rowTime > 0, figure(r.rowTime)+" ns"))
	}
	return views, uses
}

func per(sum, n uint64) float64 { return float64(sum) / float64(max(n, 1)) }

func dashUnless(known bool, text string) string {
	if !known {
		return "–"
	}
	return text
}

// duration formats a time with three significant digits, or in whole nanoseconds.
func duration(ns float64) string {
	d, unit := time.Duration(ns), time.Duration(1)
	for d.Abs() >= 1000*unit {
		unit *= 10
	}
	return d.Round(unit).String()
}
