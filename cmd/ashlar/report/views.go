package report

import (
	"fmt"
	"io"
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

// stale returns the share of a view's chunks that had to be gathered in a frame, in percent. The first reader
// in a frame finds them stale, and later readers do not.
func stale(v profile.Shared, readings []reading) string {
	var gathered, most uint64
	for _, r := range readings {
		if r.Group == v.Group && r.Component == v.Component {
			gathered, most = gathered+r.Stale, max(most, r.Chunks)
		}
	}
	return dashUnless(most > 0, figure(100*min(per(gathered, most), 1))+" %")
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
	views = newTable("<shared in", "<component", "<readers", "<built", "<refreshed", "<reused", "<reads/build", "<stale", "<bytes", "<dropped")
	for _, v := range p.Shared {
		gathered := v.Built + v.Refreshed
		views.add(legible(v.Group), legible(v.Component), fmt.Sprint(v.Readers),
			mean(v.Built, p.Frames), mean(v.Refreshed, p.Frames), mean(v.Reused, p.Frames),
			mean(gathered+v.Reused, gathered), stale(v, readings), mean(v.Bytes, p.Frames), mean(v.Dropped, p.Frames))
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
