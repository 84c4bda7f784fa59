package advice

import (
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
//	rows     a table or group that fills regions, as long as it was at most
//	sort     rows with handles to values far apart, by where these lie
//
// Where the run went by a layout, statements that a person wrote stay as they are. So do its sort and apart, and stored
// unless the store gave it up: the record does not speak for them any more. cached is as in Of. Equal records give equal
// statements.
func Layout(p profile.Profile, cached uint64) (list []layout.Statement) {
	for _, x := range inputs(p, profile.Map{}, cached) {
		about := func(s layout.Statement) string { return string(s.Word) + " " + s.Name }
		seen := make(map[string]bool)
		for _, s := range standing(x) {
			seen[about(s)] = true
			s.World = x.p.World
			list = append(list, s)
		}
		for _, rule := range [...]func(in) []layout.Statement{storage, parted, lengths, targets} {
			for _, s := range rule(x) {
				if seen[about(s)] {
					continue
				}
				seen[about(s)] = true
				s.World = x.p.World
				s.Why = layout.Advised + s.Why
				list = append(list, s)
			}
		}
	}
	return list
}

// standing finds statements of the run's layout: those of a person, and advised ones about orders of rows, groups with rows
// of their own, and ways of storing that the run ended with, or with one that costs nearly the same: a bit for an order of
// rows, or the reverse.
func standing(x in) (list []layout.Statement) {
	for _, line := range x.p.Laid {
		l, err := layout.Parse("", []byte("ashlar layout 1\n"+line))
		if err != nil || x.p.Layout == "" {
			continue
		}
		for _, s := range l.Statements {
			s.Line = 0
			why, advised := strings.CutPrefix(s.Why, layout.Advised)
			switch {
			case !advised:
			case s.Word == layout.Stored && !slices.ContainsFunc(x.p.Stored, func(o profile.Stored) bool {
				return o.Component == s.Name && (o.Reason == stated || ways[o.Way] != "")
			}):
				continue
			default:
				if before, _, found := strings.Cut(why, inFirst); found { // the run that went by it has had that gain
					why = before[:max(strings.LastIndex(before, "; "), 0)]
				}
				s.Why = layout.Advised + why
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
		adds, removes := sumOf(s.Adds), sumOf(s.Removes)
		if !is || s.Reason == stated || s.Entities == 0 && removes == 0 || s.Since > 0 && later(s.Removes, x.p.Frames) {
			continue
		}
		changes := rate(removes, x.p.Frames) + " removes"
		if adds > 0 { // an older run has none, nor has a short one
			changes = rate(adds, x.p.Frames) + " adds and " + changes
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

// beginning is how many spans of frames, each twice as long as the one before, have the first 64 frames.
const beginning = 7

// later reports whether changes that are listed by frame came late: in the first 64 frames less than half as many a frame
// as behind these. Nothing is gained then if a run begins as it ends.
func later(changes []uint64, frames uint64) bool {
	if len(changes) <= beginning {
		return false
	}
	early, late := sumOf(changes[:beginning]), sumOf(changes[beginning:])
	first := uint64(1) << (beginning - 1)
	last := min(max(frames, first), uint64(1)<<min(len(changes)-1, 63))
	return share(late, first, 2*max(last-first, 1)) > early
}

// earlyShare is how many percent of the time by which the first frames take longer than others are saved if the
// store has nothing to change over: new tables and pages take the rest (go -C bench run . -layouts -rows combinations).
const earlyShare = 75

// firstFrames is what the first 100 frames gain if these components are stored so from the start: the share of all
// changes that those have which were changed over. A run by a layout began otherwise, and speaks for nothing.
func (x in) firstFrames(list []layout.Statement) time.Duration {
	these, all := uint64(0), uint64(0)
	if x.p.Layout != "" {
		return 0
	}
	for _, s := range x.p.Stored {
		removes := sumOf(s.Removes)
		all += removes
		if s.Since > 0 && slices.ContainsFunc(list, func(l layout.Statement) bool { return l.Name == s.Component }) {
			these += removes
		}
	}
	return x.p.Early / 100 * time.Duration(min(share(earlyShare, these, all), earlyShare))
}

// rate writes a number of times a frame.
func rate(n, frames uint64) string {
	if f := float64(n) / float64(max(frames, 1)); f < 10 {
		return fmt.Sprintf("%.2g", f)
	}
	return fmt.Sprint(share(1, n, frames))
}
