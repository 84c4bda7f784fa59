package profile

func (p *parser) shared(c *cursor) string {
	v := Shared{Group: c.name("the group's name"), Component: c.name("the component's name")}
	c.fields(
		c.numberInt("readers", &v.Readers), c.number64("built", &v.Built), c.number64("refreshed", &v.Refreshed), c.number64("reused", &v.Reused),
		field{"bytes", true, func(key string) { v.Bytes = c.bytes(key) }}, field{"dropped", false, func(key string) { v.Dropped = c.bytes(key) }},
	)
	s := sharedSubject(v)
	if c.ok(s) {
		p.f.Shared = append(p.f.Shared, v)
		p.fact(s)
	}
	return s
}

func (p *parser) choice(c *cursor) string {
	name := c.name("the system's name")
	h := Choice{Group: c.name("the group's name"), Component: c.name("the component's name")}
	if h.Use = keepForWhole(c.keyword(append(strategies(), whole)...)); h.Use == "" && !p.bad {
		if w, ok := c.value("strategy"); ok {
			c.wrong("%s", badStrategy(w.text))
		}
	}
	fields := []field{c.number64("frames", &h.Frames), c.number64("chunks", &h.Chunks), c.number64("stale", &h.Stale), {"order", false, func(key string) { h.Order = int(c.number(key, 100)) }}}
	for _, s := range strategies() {
		fields = append(fields, field{s, false, func(key string) { h.Costs.Set(key, c.cost(key)) }})
	}
	fields = append(fields, field{whole, false, func(key string) { c.cost(key) }})
	c.fields(fields...)
	i := p.under(c, name)
	s := choiceSubject(name, h)
	if c.ok(s) {
		p.f.Systems[i].Choices = append(p.f.Systems[i].Choices, h)
	}
	return s
}

// under finds the system that a statement belongs to, which has to stand above it.
func (p *parser) under(c *cursor, name string) int {
	i, known := p.systems[name]
	switch {
	case i < 0:
		p.bad = true // with its system, which has been complained about
	case !known && !p.bad:
		p.fail(c.words[1].column, "no line above states system %.40q: put its statement first", name)
	}
	return i
}

// cost reads the time of a row.
func (c *cursor) cost(key string) RowCost {
	w, ok := c.value(key)
	cost, good := parseCost(w.text)
	if ok && (!good || w.quoted || cost == 0) {
		c.wrong("%.40q is no cost of %s: it takes nanoseconds a row, with at most 3 decimals, as in 4.13ns; leave out what was not measured", w.text, key)
	}
	return cost
}
