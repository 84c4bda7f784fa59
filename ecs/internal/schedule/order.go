package schedule

import (
	"container/heap"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Phase is a part of the frame.
type Phase uint8

const (
	// EachFrame is once a frame: where systems run unless they say otherwise.
	EachFrame Phase = iota
	// Startup is before the first frame, once.
	Startup
	// Fixed is before EachFrame, as often as time asks for.
	Fixed
	// Render is after EachFrame.
	Render
	phases
)

func (p Phase) String() string {
	if p >= phases {
		return fmt.Sprintf("Phase(%d)", uint8(p))
	}
	return [...]string{"EachFrame", "Startup", "Fixed", "Render"}[p]
}

// arrange puts the systems of a phase in order: as they were registered, except where Before
// and After ask for another one. It fails, naming systems, if no system or set has a name, or
// if systems wait for each other in a circle. The error has all such names, and a circle.
func arrange(systems []*System, p Phase) ([]*System, error) {
	list := slices.DeleteFunc(slices.Clone(systems), func(x *System) bool { return x.Phase != p })
	if !slices.ContainsFunc(list, func(x *System) bool { return len(x.Before)+len(x.After) > 0 }) {
		return list, nil
	}
	named := make(map[string][]int) // systems by their name and their sets'
	for i, x := range list {
		named[x.Name] = append(named[x.Name], i)
		for _, set := range x.Sets {
			if set != x.Name {
				named[set] = append(named[set], i)
			}
		}
	}
	next := make([][]int, len(list)) // which system waits for which
	waits := make([]int, len(list))
	edge := func(from, to int) {
		next[from] = append(next[from], to)
		waits[to]++
	}
	var mistakes []error
	for i, x := range list {
		for _, name := range x.Before {
			if named[name] == nil {
				mistakes = append(mistakes, unknown(systems, x, "before", name))
			}
			for _, k := range named[name] {
				edge(i, k)
			}
		}
		for _, name := range x.After {
			if named[name] == nil {
				mistakes = append(mistakes, unknown(systems, x, "after", name))
			}
			for _, k := range named[name] {
				edge(k, i)
			}
		}
	}
	var ready lowest
	for i := range list {
		if waits[i] == 0 {
			ready = append(ready, i) // ascending: a heap
		}
	}
	var order []*System
	for len(ready) > 0 {
		i := heap.Pop(&ready).(int)
		order = append(order, list[i])
		for _, k := range next[i] {
			if waits[k]--; waits[k] == 0 {
				heap.Push(&ready, k)
			}
		}
	}
	if len(order) < len(list) {
		mistakes = append(mistakes, fmt.Errorf("ecs: systems wait for each other: %s: remove one of these Before or After", circle(list, next, waits)))
	}
	if len(mistakes) > 0 {
		return nil, errors.Join(mistakes...)
	}
	return order, nil
}

// unknown is the error of a name that is none of the phase's.
func unknown(systems []*System, x *System, what, name string) error {
	for _, y := range systems {
		if y.Name == name || slices.Contains(y.Sets, name) {
			return fmt.Errorf("ecs: system %q is to run %s %q, which is in phase %v, and it is in %v: phases run in a fixed order; name a system of the same phase", x.Name, what, name, y.Phase, x.Phase)
		}
	}
	return fmt.Errorf("ecs: system %q is to run %s %q, which is not the name of a system or a set: register it, or remove the option", x.Name, what, name)
}

// circle names systems that wait for each other, in a circle.
func circle(list []*System, next [][]int, waits []int) string {
	at := slices.IndexFunc(waits, func(n int) bool { return n > 0 })
	before := make([]int, len(list)) // one that each of the waiting waits for, and that waits itself
	for i := range list {
		for _, k := range next[i] {
			if waits[i] > 0 {
				before[k] = i
			}
		}
	}
	for range list { // now it is in a circle, wherever it has begun
		at = before[at]
	}
	first := at
	for i := before[at]; i != at; i = before[i] {
		first = min(first, i)
	}
	names := []string{list[first].Name}
	for i := before[first]; i != first; i = before[i] {
		names = append(names, list[i].Name)
	}
	names = append(names, list[first].Name)
	slices.Reverse(names)
	return strings.Join(names, " → ")
}

// lowest is a heap of places.
type lowest []int

func (h lowest) Len() int           { return len(h) }
func (h lowest) Less(i, j int) bool { return h[i] < h[j] }
func (h lowest) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *lowest) Push(x any)        { *h = append(*h, x.(int)) }
func (h *lowest) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}
