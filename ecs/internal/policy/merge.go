package policy

// small reports whether tables are so many and so small that walking them costs more
// than their rows.
func (t Tables) small(o *Options) bool {
	return t.Living > tablesFew && int64(t.Rows) < int64(t.Living)*int64(o.TableRows)
}

// merge is a round over tables that are too small. It takes some of the components
// whose fixed columns keep most tables apart for what their bits would cost. Where a
// round finds nothing, the next one comes later.
func (p *Policy) merge(t Tables) {
	if !t.small(&p.options) {
		p.pause = roundEvery
		return
	}
	if t.Busy || p.frame < p.round {
		return
	}
	p.askMerges()
	for len(p.decisions) < roundMost && t.small(&p.options) {
		c := p.cheapest()
		if c < 0 {
			break
		}
		s := &p.components[c]
		t.Living -= s.merges // at least as many stay, since merges overlap
		p.change(c, s.loose(&p.options), TablesTooSmall)
		if !s.watched {
			p.watch(c)
		}
	}
	if len(p.decisions) > 0 {
		p.pause = roundEvery
	} else {
		p.pause = min(p.pause*2, roundRare)
	}
	p.round = p.frame + p.pause
}

// askMerges asks how many tables each fixed component keeps apart.
func (p *Policy) askMerges() {
	for c := range p.components {
		s := &p.components[c]
		s.merges = 0
		if s.stated || s.way != Fixed || s.changed > 0 && p.frame-s.changed < int64(p.options.Frames) {
			continue
		}
		n := p.count(c, true)
		s.merges = min(max(n.Merges, 0), 1<<24)
		if !s.watched {
			s.look(&p.options, n, p.frame)
		}
	}
}

// cheapest returns the fixed component that costs least for each table merged, or -1.
// The cost is what bits cost more than moves: the limit less the removes. Of equals,
// the first is taken.
func (p *Policy) cheapest() int {
	best, bestCost, bestMerges := -1, uint64(0), uint64(0)
	for c := range p.components {
		s := &p.components[c]
		if s.merges == 0 || s.way != Fixed {
			continue
		}
		cost, merges := (s.limit-min(s.removed, s.limit))>>10+1, uint64(s.merges)
		if best < 0 || cost*bestMerges < bestCost*merges {
			best, bestCost, bestMerges = c, cost, merges
		}
	}
	return best
}
