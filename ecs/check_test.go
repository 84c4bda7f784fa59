package ecs

import (
	"fmt"
	"strings"
	"testing"
)

// What Check proves is broken on purpose, one thing at a time, and Check has to name it;
// without the damage it has nothing to say.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	type value struct{ V uint64 }
	type pair struct {
		A value `ashlar:"a"`
		B value `ashlar:"b"`
	}
	type scene struct {
		*World
		a, b, loose, far *Pool[value]
		g                *Group[pair]
		member, single   Entity // in the group with everything; with loose alone
		other            Entity // in the group, too
		dead             Entity
	}
	build := func() scene {
		w, err := New(Options{})
		if err != nil {
			t.Fatal(err)
		}
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		s := scene{World: w}
		register := func(name string) *Pool[value] {
			p, err := Register[value](w, name)
			must(err)
			return p
		}
		s.a, s.b, s.loose = register("a"), register("b"), register("loose")
		for i := range 62 {
			register(fmt.Sprint("filler", i))
		}
		s.far = register("far")
		s.g, err = GroupOf[pair](w, "pair")
		must(err)
		s.member, err = s.g.Spawn(pair{value{1}, value{2}})
		must(err)
		must(s.loose.Add(s.member, value{3}))
		must(s.far.Add(s.member, value{4}))
		s.other, err = s.g.Spawn(pair{value{5}, value{6}})
		must(err)
		s.single, err = w.Spawn()
		must(err)
		must(s.loose.Add(s.single, value{7}))
		s.dead, err = w.Spawn()
		must(err)
		must(w.Destroy(s.dead))
		return s
	}
	// handle is where it is noted whose row the one of an entity in a pool is.
	handle := func(s scene, p *Pool[value], e Entity) *Entity {
		l := slotLoc(p.slots.Load(e.Index()))
		return &s.handles(l.Chunk(), int(l.Row())+1)[l.Row()]
	}
	slot := func(p *Pool[value], e Entity) *uint64 { return p.slots.Ptr(e.Index()) }
	for _, c := range []struct {
		name, want string
		harm       func(s scene)
	}{
		{"nothing", "", func(scene) {}},
		{"a free record has components", "free record 4 has components 1", func(s scene) { s.records.Ptr(4).set = 1 }},
		{"a record holds another's handle", "record 3 holds 7v1", func(s scene) { s.records.Ptr(3).id = s.single - 3 + 7 }},
		{"an entity too many is counted", "4 entities counted as alive, 3 are", func(s scene) { s.alive++ }},
		{"the free list is a circle", "longer than the 1 free records", func(s scene) { s.records.Ptr(4).id |= 4 }},
		{"the free list has lost a record", "1 records are free, 0 are in the free list", func(s scene) { s.freeHead = 0 }},
		{"the free list ends elsewhere", "which ends at 4 and not 3", func(s scene) { s.freeTail = 3 }},
		{"a bit without a slot", "names component 2, which has no slot", func(s scene) { s.records.Ptr(s.other.Index()).set |= s.loose.bit }},
		{"a bit of no component", "names component 40, which has no slot", func(s scene) { s.records.Ptr(s.single.Index()).set |= 1 << 40 }},
		{"a bit beyond all components", "names component 127", func(s scene) { *s.planes[0].Ptr(s.member.Index()) |= 1 << 63 }},
		{"a slot without a bit", `component "loose": row`, func(s scene) { s.records.Ptr(s.single.Index()).set = 0 }},
		{"a slot without a bit, beyond 64", `component "far": row`, func(s scene) { *s.planes[0].Ptr(s.member.Index()) = 0 }},
		{"a slot too many", `component "loose": 3 slots are set for 2 rows`, func(s scene) { *slot(s.loose, s.other) = 1 }},
		{"a slot too many, in a line of its own", `component "far": 2 slots are set for 1 rows`, func(s scene) {
			for range 20 {
				if _, err := s.Spawn(); err != nil {
					t.Fatal(err)
				}
			}
			*s.far.slots.Ptr(19) = 1
		}},
		{"a slot at another row", `component "loose": row`, func(s scene) { *slot(s.loose, s.single) = makeSlot(s.single, slotLoc(*slot(s.loose, s.member))) }},
		{"a slot of another version", "has no slot for it", func(s scene) { *slot(s.loose, s.single) += 1 << versionShift }},
		{"a row of a dead entity", "which is not alive", func(s scene) { *handle(s, s.loose, s.single) = s.dead }},
		{"a row of another entity", "whose slot says", func(s scene) { *handle(s, s.loose, s.single) = s.member }},
		{"all components and not in the group", `has all components of group "pair": true; it is in the group: false`, func(s scene) {
			*slot(s.a, s.member) = makeSlot(s.member, slotLoc(*slot(s.loose, s.member)))
		}},
		{"in the group with one component", `has all components of group "pair": false; it is in the group: true`, func(s scene) {
			s.records.Ptr(s.member.Index()).set &^= s.b.bit
			*slot(s.b, s.member) = 0
		}},
		{"in the group with its last component", `is in group "pair" with some of its components`, func(s scene) {
			s.records.Ptr(s.member.Index()).set &^= s.a.bit
			*slot(s.a, s.member) = 0
		}},
		{"two rows in the group", `has two rows in group "pair"`, func(s scene) {
			*slot(s.b, s.member) = makeSlot(s.member, slotLoc(*slot(s.b, s.other)))
		}},
		{"what the manager has", "memmgr: ", func(s scene) { s.ids.Cell(slotLoc(*slot(s.a, s.member)).Chunk()).Addr = nil }},
	} {
		s := build()
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		c.harm(s)
		switch err := s.Check(); {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
		if err := s.m.Arena().Close(); err != nil {
			t.Error(err)
		}
	}
}
