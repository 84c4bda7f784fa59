package legs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Phase is the systems of a phase with their legs, to be shown.
type Phase struct {
	Name    string
	Systems []System
	Legs    []Leg
	// Times are the usual times of systems; 0: not known.
	Times []time.Duration
}

// timed tells whether all systems have a time.
func timed(phases []Phase) bool {
	for _, p := range phases {
		if slices.Contains(p.Times, 0) {
			return false
		}
	}
	return true
}

// Path is the longest chain of systems of a leg in which each waits for the one before, by the sum of their costs.
// Systems are counted from the leg's first.
func Path(l Leg, cost func(system int) time.Duration) (systems []int, sum time.Duration) {
	n := l.End - l.First
	sums, before := make([]time.Duration, n), make([]int, n)
	last := -1
	for i := range n {
		before[i] = -1
		for _, w := range l.Waits[i] {
			if before[i] < 0 || sums[w.On] > sums[before[i]] {
				before[i] = w.On
			}
		}
		if sums[i] = cost(l.First + i); before[i] >= 0 {
			sums[i] += sums[before[i]]
		}
		if last < 0 || sums[i] > sums[last] {
			last = i
		}
	}
	for i := last; i >= 0; i = before[i] {
		systems = append(systems, i)
	}
	slices.Reverse(systems)
	return systems, sums[last]
}

// Beside are the systems of a leg that may run at the same time as one of it: neither waits for the other.
func Beside(l Leg, system int) (list []int) {
	n := l.End - l.First
	waits := make([]bool, n) // for the system, or the system for it
	var back func(i int)
	back = func(i int) {
		for _, w := range l.Waits[i] {
			if !waits[w.On] {
				waits[w.On] = true
				back(w.On)
			}
		}
	}
	back(system)
	behind := make([]bool, n)
	behind[system] = true
	for i := system + 1; i < n; i++ {
		behind[i] = slices.ContainsFunc(l.Waits[i], func(w Wait) bool { return behind[w.On] })
	}
	for i := range n {
		if !waits[i] && !behind[i] {
			list = append(list, i)
		}
	}
	return list
}

// plan is phases with their critical path.
type plan struct {
	phases    []Phase
	timed     bool
	path      []string
	on        map[[3]int]bool // phase, leg and system, counted from the leg's first: on the path
	sum, all  time.Duration
	count, of int
}

// planOf finds the critical path: the longest of each leg, by times if all are known, else by numbers of systems.
func planOf(phases []Phase) (x plan) {
	x = plan{phases: phases, timed: timed(phases), on: make(map[[3]int]bool)}
	for p, phase := range phases {
		cost := func(i int) time.Duration {
			if x.timed {
				return phase.Times[i]
			}
			return 1
		}
		for k, l := range phase.Legs {
			systems, sum := Path(l, cost)
			for _, i := range systems {
				x.on[[3]int{p, k, i}] = true
				x.path = append(x.path, phase.Systems[l.First+i].Name)
			}
			x.sum, x.count = x.sum+sum, x.count+len(systems)
		}
		for i := range phase.Systems {
			x.all += cost(i)
			x.of++
		}
	}
	return x
}

// Text is the phases for people: which systems may overlap, which wait for which and why, where safe points stand, and
// the critical path.
func Text(phases []Phase) string {
	var b strings.Builder
	for _, p := range phases {
		fmt.Fprintf(&b, "%s\n", p.Name)
		for _, l := range p.Legs {
			fmt.Fprintf(&b, "  safe point: %s\n", l.Reason())
			for i := range l.End - l.First {
				p.system(&b, l, i)
			}
		}
	}
	x := planOf(phases)
	if x.of == 0 {
		return "no systems\n"
	}
	fmt.Fprintf(&b, "critical path: %s: %d of %d systems", strings.Join(x.path, " → "), x.count, x.of)
	if x.timed {
		fmt.Fprintf(&b, ", %v of %v", short(x.sum), short(x.all))
	}
	b.WriteByte('\n')
	return b.String()
}

// system is a system as lines.
func (p *Phase) system(b *strings.Builder, l Leg, i int) {
	name := func(i int) string { return p.Systems[l.First+i].Name }
	fmt.Fprintf(b, "    %s", name(i))
	if d := p.Times[l.First+i]; d > 0 {
		fmt.Fprintf(b, "  %v", short(d))
	}
	b.WriteByte('\n')
	for _, w := range l.Waits[i] {
		fmt.Fprintf(b, "      waits for %s, which %s\n", name(w.On), w)
	}
	var names []string
	for _, k := range Beside(l, i) {
		names = append(names, name(k))
	}
	if len(names) > 0 {
		fmt.Fprintf(b, "      beside %s\n", strings.Join(names, ", "))
	}
}

// short is a duration of three digits.
func short(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for range len(strconv.FormatInt(int64(d), 10)) - 3 {
		unit *= 10
	}
	return d.Round(unit)
}

// DOT is the phases as a graph of Graphviz: systems with the ones that they wait for, boxes around legs, and the critical
// path in bold.
func DOT(phases []Phase) string {
	x := planOf(phases)
	var b strings.Builder
	b.WriteString("digraph schedule {\n\trankdir=LR\n\tcompound=true\n\tnode [shape=box]\n")
	id := func(p, k, i int) string { return fmt.Sprintf("s%d_%d_%d", p, k, i) }
	last := ""
	for p, phase := range phases {
		for k, l := range phase.Legs {
			label := phase.Name + "\n" + l.Reason()
			fmt.Fprintf(&b, "\tsubgraph cluster_%d_%d {\n\t\tlabel=%s\n", p, k, strconv.Quote(label))
			for i := range l.End - l.First {
				text, style := phase.Systems[l.First+i].Name, ""
				if d := phase.Times[l.First+i]; d > 0 {
					text += "\n" + short(d).String()
				}
				if x.on[[3]int{p, k, i}] {
					style = ", style=bold"
				}
				fmt.Fprintf(&b, "\t\t%s [label=%s%s]\n", id(p, k, i), strconv.Quote(text), style)
			}
			b.WriteString("\t}\n")
			for i, waits := range l.Waits {
				for _, w := range waits {
					style := ""
					if x.on[[3]int{p, k, i}] && x.on[[3]int{p, k, w.On}] {
						style = ", style=bold"
					}
					fmt.Fprintf(&b, "\t%s -> %s [label=%s%s]\n", id(p, k, w.On), id(p, k, i), strconv.Quote(w.Thing), style)
				}
			}
			if last != "" {
				fmt.Fprintf(&b, "\t%s -> %s [style=dashed, label=\"safe point\"]\n", last, id(p, k, 0))
			}
			last = id(p, k, l.End-l.First-1)
		}
	}
	b.WriteString("}\n")
	return b.String()
}
