package plan

import (
	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/profile"
)

const (
	slackShare = 16 // free slots up to this part of those in use are no waste
	triesMax   = 8  // regions that are tried in a round
	roundsMax  = 64
)

// Plan returns what pays, in the order in which it is to be done. Of the profile it
// reads intent alone. Carrying all of it out gives a placement for which the plan is
// empty. With Intent.Off it is empty. The placement is not changed. It costs a few
// passes over chunks and regions for every action.
func Plan(p profile.Profile, in Placement) (plan []Action) {
	if p.Intent.Off || len(in.Chunks) == 0 {
		return nil
	}
	st := newState(&in, wishes(&p.Intent, in.Groups))
	for range roundsMax {
		n := len(plan)
		for _, decide := range [...]func(*state) (Action, bool){cold, evacuate} {
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

// pays is the rule of the package comment.
func pays(gives, copies uint64) bool { return gives > 0 && gives >= copies }

// cold puts a group into the cold range, if intent asks for it.
func cold(st *state) (Action, bool) {
	for g := range st.in.Groups {
		w, name := &st.wishes[g], st.in.Groups[g].Name
		if w.pinned || !w.cold || st.avoided(Cold, name) {
			continue
		}
		var todo []int
		for _, c := range st.chain[g] {
			if st.chunks[c].At.Range != arena.Cold && st.movable(c) {
				todo = append(todo, c)
			}
		}
		if len(todo) == 0 {
			continue
		}
		at := st.freeRun(arena.Cold, len(todo))
		for i, c := range todo {
			st.move(c, at.next(i))
		}
		a := st.action(0, Cold, name, "intent says cold: to the cold range")
		a.Asked = true
		return a, true
	}
	return Action{}, false
}
