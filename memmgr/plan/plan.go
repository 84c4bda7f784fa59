package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr/topology"
	"github.com/ashlar-go/ashlar/profile"
)

// Plan returns what pays, in the order in which it is to be done. Carrying all of it
// out gives a placement for which the plan is empty. With Intent.Off it is empty.
// The placement is not changed. It costs a few passes over chunks and regions for
// every action, and copies of them for those that are tried.
func Plan(p profile.Profile, t topology.Topology, in Placement) (plan []Action) {
	if p.Intent.Off || len(in.Chunks) == 0 {
		return nil
	}
	ks, pairs := know(&p, in.Groups)
	st := newState(&in, t, ks, pairs)
	for range roundsMax {
		n := len(plan)
		for _, decide := range [...]func(*state) (Action, bool){ranges, evacuate, tails, order, near} {
			for a, ok := decide(st); ok; a, ok = decide(st) {
				plan = append(plan, a)
				if len(plan) == in.Most {
					return plan
				}
			}
		}
		if len(plan) == n {
			break
		}
	}
	return plan
}

// ranges puts a group where its heat asks for it: outright if intent does, and
// for the memory that comes free if facts do.
func ranges(st *state) (Action, bool) {
	for g := range st.in.Groups {
		k := &st.know[g]
		to := arena.Cold
		switch {
		case k.pinned || !k.cold && !k.hot || st.avoided(Ranges, st.in.Groups[g].Name):
			continue
		case k.hot && (!st.in.Huge || st.in.Groups[g].Cache):
			continue
		case k.hot:
			to = arena.Huge
		}
		var todo []int
		for _, c := range st.chain[g] {
			if ch := &st.chunks[c]; ch.At.Range != to && st.movable(c) && !(k.hot && ch.Small) {
				todo = append(todo, c)
			}
		}
		if len(todo) == 0 {
			continue
		}
		m := st.mark()
		at := st.freeRun(to, len(todo))
		for i, c := range todo {
			st.move(c, at.next(i), st.chunks[c].Small)
		}
		why := "intent says hot"
		switch {
		case !k.asked:
			why = fmt.Sprintf("no system used it in %d or more frames", coldFrames)
			st.evacuateAll()
		case k.cold:
			why = "intent says cold"
		}
		if k.asked || paysInBytes(st.gain(m), st.cost) {
			a := st.action(st.gain(m), Ranges, st.in.Groups[g].Name, why+": to the "+to.String()+" range")
			a.Asked = k.asked
			return a, true
		}
		st.rollback(m)
	}
	return Action{}, false
}

// tailsAbout is what the one action of its kind is about.
const tailsAbout = "of groups"

// tails lays single chunks with a few rows out small, and puts the last, nearly
// empty chunks of larger groups into normal pages, all at once: it pays if regions
// come free.
func tails(st *state) (Action, bool) {
	if st.avoided(Tails, tailsAbout) {
		return Action{}, false
	}
	m, n := st.mark(), 0
	for g, chain := range st.chain {
		if len(chain) == 0 || st.know[g].hot || st.know[g].cold {
			continue
		}
		c := chain[len(chain)-1]
		ch, group := &st.chunks[c], &st.in.Groups[g]
		if ch.Small || ch.At.Range == arena.Cold || !st.movable(c) {
			continue
		}
		small := len(chain) == 1 && ch.Rows <= group.Small/2
		if small || (ch.At.Range == arena.Huge && ch.Rows <= group.Capacity/tailShare) {
			st.move(c, st.freeRun(arena.Normal, 1), small)
			n++
		}
	}
	st.evacuateAll()
	if n > 0 && paysInBytes(st.gain(m), st.cost) {
		return st.action(st.gain(m), Tails, tailsAbout, count(n, "nearly empty chunk")+" at the end of a group would fill regions, and take few pages elsewhere"), true
	}
	st.rollback(m)
	return Action{}, false
}

// Advice says in words what only code can do: rows in another order. A group
// that a system reaches through the index, and that does not fit into the caches, is
// better sorted as the group that the system walks, unless its rows lie so already. What
// a system would gain is said where the profile knows the order.
func Advice(p profile.Profile, t topology.Topology) (lines []string) {
	for _, s := range p.Systems {
		rate := rateOf(&p, &s)
		walked := ""
		for _, a := range s.Access {
			if !a.Scattered && walked == "" {
				walked = a.Group
			}
		}
		if rate == 0 || s.Frames == 0 || walked == "" {
			continue
		}
		for _, a := range s.Access {
			bytes := a.Bytes / s.Frames
			order, known := orderOf(&s, walked, a.Component)
			if !a.Scattered || a.Group == walked || linksWorth(t, bytes) == 0 || order >= orderedRows {
				continue
			}
			line := fmt.Sprintf("%s: system %s reaches %s of %s by entity, %s a run, walking %s: SortAs would put the rows in that order",
				a.Group, s.Name, a.Component, a.Group, size(bytes), walked)
			if known {
				gain := times(a.Rows/s.Frames, uint64(100-order)) * orderedGainPs / 100 / 1000
				line += fmt.Sprintf(", in which %d %% lie; about %v a run less", order, time.Duration(gain).Round(100*time.Nanosecond))
				if s.Timed > 0 {
					line += fmt.Sprintf(" of %v", (s.Time / time.Duration(min(s.Timed, sumMax))).Round(100*time.Nanosecond))
				}
			}
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// orderOf is how many of 100 rows of a component lie in the order of the group that a
// system walks, and whether its choices tell.
func orderOf(s *profile.System, walked, component string) (order int, known bool) {
	for _, c := range s.Choices {
		if c.Group == walked && (c.Component == component || strings.HasPrefix(c.Component, component+".")) {
			return c.Order, true
		}
	}
	return 0, false
}
