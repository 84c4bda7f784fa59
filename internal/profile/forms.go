package profile

// form is how one kind of statement is written and read.
type form struct {
	synopsis string
	take     func(c *cursor) (subject string)
}

// known names the kinds in the order of canonical text.
func (p *parser) known() string {
	return "frames, off, budget, expect, hot, cold, pin, together, view, component, stored, group, shared, system, access, choice or end"
}

func (p *parser) allForms() map[string]form {
	return map[string]form{
		"frames":    {"frames N", p.frames},
		"off":       {"off", p.off},
		"budget":    {"budget [time TIME] [bytes N]", p.budget},
		"expect":    {"expect SYSTEM every N", p.expect},
		"hot":       {"hot GROUP", p.heat},
		"cold":      {"cold GROUP", p.heat},
		"pin":       {"pin GROUP", p.pin},
		"together":  {"together COMPONENT,COMPONENT,…", p.together},
		"view":      {"view SYSTEM COMPONENT alias|stream|keep|none", p.view},
		"component": {"component NAME size N align N", p.component},
		"stored":    {"stored COMPONENT fixed|optional|thin reason TEXT entities N tables N", p.stored},
		"group":     {"group NAME [owns COMPONENT,…] rows N chunks N peak N last N", p.group},
		"system":    {"system NAME frames N [timed N p10 TIME p50 TIME p90 TIME p99 TIME] [counted N cache N tlb N]", p.system},
		"access":    {"access SYSTEM GROUP COMPONENT read|write [scattered] rows N chunks N bytes N [unchanged N]", p.access},
		"shared":    {"shared GROUP COMPONENT readers N built N refreshed N reused N bytes N [dropped N]", p.shared},
		"choice":    {"choice SYSTEM GROUP COMPONENT alias|stream|keep frames N chunks N stale N [alias COST] [stream COST] [keep COST]", p.choice},
		"end":       {"end", p.end},
	}
}

// fact notes what shows that the file has facts.
func (p *parser) fact(subject string) {
	if p.facts == "" {
		p.facts = subject
	}
}

func (p *parser) frames(c *cursor) string {
	n := c.number("number of frames", 1<<64-1)
	if c.ok("frames") {
		p.f.Frames = n
		p.fact("frames")
	}
	return "frames"
}

func (p *parser) off(c *cursor) string {
	if c.ok("off") {
		p.f.Intent.Off = true
	}
	return "off"
}

func (p *parser) budget(c *cursor) string {
	var b Budget
	none := func(zero bool) {
		if zero && !p.bad {
			c.wrong("0 is the default: leave it out, or state off for nothing to be adapted")
		}
	}
	if len(c.words) == 1 {
		c.fail("what is missing: time, bytes or both")
	}
	c.fields(
		field{"time", false, func(key string) { b.Time = c.duration(key); none(b.Time == 0) }},
		field{"bytes", false, func(key string) { b.Bytes = c.bytes(key); none(b.Bytes == 0) }},
	)
	if c.ok("budget") {
		p.f.Intent.Budget = b
	}
	return "budget"
}

func (p *parser) expect(c *cursor) string {
	e := Every{System: c.name("the system's name")}
	c.fields(field{"every", true, func(key string) {
		if e.Frames = int(c.number("number of frames", numberMax)); e.Frames == 0 && !p.bad {
			c.wrong("one run in 0 frames can't be: it takes 1 or more")
		}
	}})
	s := subject("expect", e.System)
	if c.ok(s) {
		p.f.Intent.Every = append(p.f.Intent.Every, e)
	}
	return s
}

func (p *parser) heat(c *cursor) string {
	h := Heat{Group: c.name("the group's name"), Cold: c.words[0].text == "cold"}
	s := subject("heat", h.Group)
	if c.ok(s) {
		p.f.Intent.Heat = append(p.f.Intent.Heat, h)
	}
	return s
}

func (p *parser) pin(c *cursor) string {
	g := c.name("the group's name")
	s := subject("pin", g)
	if c.ok(s) {
		p.f.Intent.Pinned = append(p.f.Intent.Pinned, g)
	}
	return s
}

func (p *parser) together(c *cursor) string {
	names := sorted(c.names("a component's name", 2), func(s string) string { return s })
	s := "together " + quoteList(names)
	if c.ok(s) {
		p.f.Intent.Together = append(p.f.Intent.Together, names)
	}
	return s
}

func (p *parser) view(c *cursor) string {
	v := View{System: c.name("the system's name"), Component: c.name("the component's name")}
	if v.Choice = keepForWhole(c.keyword(append(choices(), whole)...)); v.Choice == "" {
		if w, ok := c.value("choice"); ok {
			c.wrong("%s", badChoice(w.text))
		}
	}
	s := subject("view", v.System, v.Component)
	if c.ok(s) {
		p.f.Intent.Views = append(p.f.Intent.Views, v)
	}
	return s
}

func (p *parser) component(c *cursor) string {
	m := Component{Name: c.name("the component's name")}
	c.fields(c.numberInt("size", &m.Size), field{"align", true, func(key string) {
		m.Align = int(c.number(key, numberMax))
		if bad := badAlign(m.Align); bad != "" && !p.bad {
			c.wrong("%s", bad)
		}
	}})
	s := subject("component", m.Name)
	if c.ok(s) {
		p.f.Components = append(p.f.Components, m)
		p.fact(s)
	}
	return s
}

func (p *parser) group(c *cursor) string {
	g := Group{Name: c.name("the group's name")}
	c.fields(
		field{"owns", false, func(string) { g.Owns = c.names("a component's name", 1) }},
		c.number64("rows", &g.Rows), c.number64("chunks", &g.Chunks), c.number64("peak", &g.Peak), c.number64("last", &g.Last),
	)
	s := subject("group", g.Name)
	if c.ok(s) {
		p.f.Groups = append(p.f.Groups, g)
		p.fact(s)
	}
	return s
}

func (p *parser) system(c *cursor) string {
	y := System{Name: c.name("the system's name")}
	m := &y.Misses
	c.fields(append(y.Times.fields(c),
		c.number64("frames", &y.Frames), optional(c.number64("timed", &y.Timed)),
		optional(c.number64("counted", &m.Runs)), optional(c.number64("cache", &m.Cache)), optional(c.number64("tlb", &m.TLB)),
	)...)
	s := subject("system", y.Name)
	if c.ok(s) {
		p.systems[y.Name] = len(p.f.Systems)
		p.f.Systems = append(p.f.Systems, y)
		p.fact(s)
	} else if _, stated := p.systems[y.Name]; !stated {
		p.systems[y.Name] = -1
	}
	return s
}

func (p *parser) access(c *cursor) string {
	name := c.name("the system's name")
	a := Access{Group: c.name("the group's name"), Component: c.name("the component's name")}
	switch c.keyword("read", "write") {
	case "write":
		a.Write = true
	case "":
		c.fail("read or write is missing")
	}
	a.Scattered = c.keyword("scattered") != ""
	c.fields(c.number64("rows", &a.Rows), c.number64("chunks", &a.Chunks), field{"bytes", true, func(key string) { a.Bytes = c.bytes(key) }}, optional(c.number64("unchanged", &a.Unchanged)))
	i := p.under(c, name)
	s := accessSubject(name, a)
	if c.ok(s) {
		p.f.Systems[i].Access = append(p.f.Systems[i].Access, a)
	}
	return s
}

func (p *parser) end(c *cursor) string {
	c.ok("end")
	return "end"
}
