package advice

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// Layout returns the statements of a layout that a run's record speaks for, each with its reason. A program
// that is started with them begins as that run ended:
//
//	stored   a component that the store keeps as a bit, or orders rows by, from some frame on
//	apart    a declared group that systems walk in many tables
//	rows     a long table or group, as long as it was at most
//	sort     rows with handles to values far apart, by where these lie
//	cold     rows that systems touch seldom or never, see rule unused
//
// Where the run went by a layout, its sort and apart stay, and stored unless the store gave it up: the record does not
// speak for them any more. Cold rows are found with a map alone. cached is as in Of. Equal records give equal statements.
func Layout(p profile.Profile, m profile.Map, cached uint64) (list []layout.Statement) {
	for _, x := range inputs(p, m, cached) {
		seen := make(map[string]bool)
		for _, rule := range [...]func(in) []layout.Statement{standing, storage, parted, lengths, targets, seldom} {
			for _, s := range rule(x) {
				about := string(s.Word) + " " + s.Name
				if seen[about] {
					continue
				}
				seen[about] = true
				s.World = x.p.World
				s.Why = layout.Advised + s.Why
				list = append(list, s)
			}
		}
	}
	return list
}

// standing finds statements of the run's layout: orders of rows, groups with rows of their own, and ways of storing that
// the run ended with, or with one that costs nearly the same: a bit for an order of rows, or the reverse.
func standing(x in) (list []layout.Statement) {
	for _, line := range x.p.Laid {
		l, err := layout.Parse("", []byte("ashlar layout 1\n"+line))
		if err != nil || x.p.Layout == "" {
			continue
		}
		for _, s := range l.Statements {
			if s.Word == layout.Stored && !slices.ContainsFunc(x.p.Stored, func(o profile.Stored) bool {
				return o.Component == s.Name && (o.Reason == stated || ways[o.Way] != "")
			}) {
				continue
			}
			s.Line, s.Why = 0, cmp.Or(strings.TrimPrefix(s.Why, layout.Advised), "the run went by it")
			if why, _, found := strings.Cut(s.Why, inFirst); found { // the run that went by it has had that gain
				s.Why = why[:max(strings.LastIndex(why, "; "), 0)]
			}
			list = append(list, s)
		}
	}
	return list
}

// inFirst ends the gain that is stated of ways of storing, before how many have it together.
const inFirst = " less in the first 100 frames"

// ways are those of storing a component that the store chooses by counts, as layouts name them.
var ways = map[string]string{"optional": "volatile", "ordered": "ordered"}

// storage finds components that the store has chosen another way for than a column of tables. The next run
// begins with it, and moves no row to get there.
func storage(x in) (list []layout.Statement) {
	for _, s := range x.p.Stored {
		way, is := ways[s.Way]
		if !is || s.Reason == stated || s.Entities == 0 && s.Removes == 0 {
			continue
		}
		changes := rate(s.Removes, x.p.Frames) + " removes"
		if s.Adds > 0 { // an older run has none, nor has a short one
			changes = rate(s.Adds, x.p.Frames) + " adds and " + changes
		}
		why := fmt.Sprintf("%s, %s a frame", s.Reason, changes)
		if s.Since > 0 {
			why += fmt.Sprintf("; the run stored it so from frame %d on", s.Since)
		}
		list = append(list, layout.Statement{Word: layout.Stored, Name: s.Component, Way: way, Why: why})
	}
	if gain := x.firstFrames(list); gain >= timeLeast {
		for i := range list {
			list[i].Why += fmt.Sprintf("; about %v"+inFirst, rounded(gain))
			if len(list) > 1 {
				list[i].Why += fmt.Sprintf(", all %d of these together", len(list))
			}
		}
	}
	return list
}

// earlyShare is how many percent of the time by which the first frames take longer than others are saved if the
// store has nothing to change over: new tables and pages take the rest (go -C bench run . -advice -rows stored).
const earlyShare = 75

// firstFrames is what the first 100 frames gain if these components are stored so from the start: the share of all
// changes that those have which were changed over. A run by a layout began otherwise, and speaks for nothing.
func (x in) firstFrames(list []layout.Statement) time.Duration {
	these, all := uint64(0), uint64(0)
	if x.p.Layout != "" {
		return 0
	}
	for _, s := range x.p.Stored {
		all += s.Removes
		if s.Since > 0 && slices.ContainsFunc(list, func(l layout.Statement) bool { return l.Name == s.Component }) {
			these += s.Removes
		}
	}
	return x.p.Early / 100 * time.Duration(min(share(earlyShare, these, all), earlyShare))
}

// rowsMost is how many rows of at least rowLeast bytes a table may have that is not long: one with more is more than some
// chunks, so that it would be striped. It is no power of 2: a program of 16,384 entities has a table of a few less or more.
const rowsMost = 16_000

// lengths finds tables and groups that were long in most frames. The next run puts their first chunk where
// the others will be.
func lengths(x in) (list []layout.Statement) {
	var apart []profile.Group // that are to have rows of their own
	for _, s := range parted(x) {
		apart = append(apart, x.p.Groups[slices.IndexFunc(x.p.Groups, func(g profile.Group) bool { return g.Name == s.Name })])
	}
	for _, g := range x.p.Groups {
		mean := share(1, g.Rows, x.p.Frames)
		if g.Peak <= rowsMost || mean < g.Peak/2 {
			continue
		}
		name := leftOf(g, apart)
		if name == "" {
			continue
		}
		list = append(list, lengthOf(name, g.Peak, fmt.Sprintf("%d at most, %d on average%s", g.Peak, mean, x.grown(g))))
	}
	return append(list, x.partedLengths(apart)...)
}

func lengthOf(group string, rows uint64, why string) layout.Statement {
	return layout.Statement{Word: layout.Rows, Name: group, N: int(rounded2(rows)), Why: why}
}

// leftOf is the name of a group once other groups have rows of their own: of a table without the components of
// these; "" if none is left.
func leftOf(g profile.Group, apart []profile.Group) string {
	t, table := profile.ParseTable(g.Name)
	if !table || len(t.Fixed)+len(t.Optional) != len(g.Owns) { // or its name is cut
		return g.Name
	}
	for _, a := range apart {
		if !slices.ContainsFunc(a.Owns, func(c string) bool { return !slices.Contains(t.Fixed, c) }) {
			t.Fixed = slices.DeleteFunc(t.Fixed, func(c string) bool { return slices.Contains(a.Owns, c) })
		}
	}
	if len(t.Fixed)+len(t.Optional) == 0 {
		return ""
	}
	return t.String()
}

// partedLengths is lengths of groups that are to have rows of their own.
func (x in) partedLengths(apart []profile.Group) (list []layout.Statement) {
	for _, a := range apart {
		mean, last := uint64(0), uint64(0)
		for _, g := range x.tablesWith(a.Owns) {
			mean, last = mean+share(1, g.Rows, x.p.Frames), last+g.Last
		}
		if peak := max(mean, last); peak > rowsMost && mean >= peak/2 {
			list = append(list, lengthOf(a.Name, peak, fmt.Sprintf("%d at least at its peak, %d on average", peak, mean)))
		}
	}
	return list
}

// grown says from which frame on a group had half of its rows; "" if it was so from the beginning, or is not known.
func (x in) grown(g profile.Group) string {
	for _, s := range x.p.Growth {
		if s.Group == g.Name && s.Rows >= g.Peak/2 {
			if s.Frame > 1 {
				return fmt.Sprintf(", half of them from frame %d on", s.Frame)
			}
			break
		}
	}
	return ""
}

// seldomMost is how often in 1,000 frames a system runs that does not keep rows warm.
const seldomMost = 4

// seldom finds the rows of rule unused, and rows that only systems touch that seldom run.
func seldom(x in) (list []layout.Statement) {
	for _, r := range x.resting(seldomMost) {
		why := fmt.Sprintf("%s that no system touched in %d frames", size(r.bytes), x.p.Frames)
		if r.rate > 0 {
			why = fmt.Sprintf("%s that systems touched in %d of 1000 frames", size(r.bytes), r.rate)
		}
		list = append(list, layout.Statement{Word: layout.Cold, Name: r.Name, Why: why})
	}
	return list
}

// rate writes a number of times a frame.
func rate(n, frames uint64) string {
	if f := float64(n) / float64(max(frames, 1)); f < 10 {
		return fmt.Sprintf("%.2g", f)
	}
	return fmt.Sprint(share(1, n, frames))
}
