package ecs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
)

// TestMessages: errors of structs name the field, and write out no struct without a name.
func TestMessages(t *testing.T) {
	type named struct {
		HP []hp `ashlar:"writ"`
	}
	type spawned struct{ HP []hp }
	w := world(t, ecs.Options{})
	ecs.Register[hp](w, "hp")
	ecs.Provide(w, new(hp))
	for _, x := range []struct {
		err  error
		want string
	}{
		{refusal(w, ecs.QueryMade[named](w)), `ecs: QueryOf: field ecs_test.named.HP: no component is called "writ"`},
		{refusal(w, ecs.QueryMade[struct {
			HP []hp `ashlar:"writ"`
		}](w)), `ecs: QueryOf: field HP []ecs_test.hp: no component is called "writ"`},
		{refusal(w, ecs.QueryMade[struct {
			HP []hp
			_  ecs.Without[hp] `ashlar:"optional"`
		}](w)), `ecs: QueryOf: field _ ecs.Without[`},
		{refusal(w, ecs.QueryMade[struct {
			HP  []hp
			Has ecs.Has `ashlar:"hp"`
		}](w)), `ecs: QueryOf: field Has ecs.Has: component "hp" is not optional in this struct: add a field ecs.Maybe[ecs_test.hp]`},
		{refusal(w, ecs.QueryMade[struct {
			HP  ecs.Maybe[hp]
			Has ecs.Has
		}](w)), "field Has ecs.Has: the tag has to name the optional component, as in `ashlar:\"mass\"`"},
		{refusal(w, ecs.QueryMade[struct {
			HP  ecs.Maybe[hp]
			Has ecs.Has `ashlar:"hq"`
		}](w)), `field Has ecs.Has: no component is called "hq"`},
		{refusal(w, ecs.QueryMade[struct {
			HP []hp `ashlar:"hit"`
		}](w)), `no component is called "hit": register it first; ecs_test.hp is registered as "hp"`},
		{refusal(w, ecs.QueryMade[struct{ HP *ecs.Write[hp] }](w)), `field HP *ecs.Write[ecs_test.hp]: ecs.Write[ecs_test.hp] is no component, but says itself how one is passed`},
		{systemRefusal(w, "spawns", func(*struct{ S *ecs.Spawner[zeroSolo] }) {}), `field S *ecs.Spawner[ecs_test.zeroSolo]: ecs.Spawner[ecs_test.zeroSolo] is no component: the function captures it, and calls spawner.Later(c.Do).Spawn with a field Do *ecs.Commands`},
		{systemRefusal(w, "groups", func(*struct{ G *ecs.Group[zeroSolo] }) {}), `is no component: the function captures it, and calls spawner.Later(c.Do).Spawn`},
		{systemRefusal(w, "exchanges", func(*struct{ X *ecs.Exchange[zeroSolo] }) {}), `is no component: the function captures it, and calls exchange.Later(c.Do).`},
		{systemRefusal(w, "worlds", func(*struct{ W *ecs.World }) {}), `field W *ecs.World: ecs.World is no component: the function captures it, and a system changes it by a field of type *ecs.Commands`},
		{systemRefusal(w, "locks", func(*struct{ L *ecs.Lock }) {}), `ecs.Lock is no component: the function captures it from the code that made it`},
		{refusal(w, ecs.QueryMade[struct{ HP ecs.Maybe[ecs.Write[hp]] }](w)), `field HP ecs.Maybe[ecs.Write[ecs_test.hp]]: ecs.Write[ecs_test.hp] is no component`},
		{refusal(w, ecs.QueryMade[struct{ HP hp }](w)), `field HP ecs_test.hp: ecs_test.hp is a value: write []ecs_test.hp to read a column, ecs.Write[ecs_test.hp] to write it`},
		{refusal(w, ecs.QueryMade[struct{ N int }](w)), `field N int: int is not a supported field type: register a type of your own, such as type Speed int, and write []Speed`},
		{refusal(w, ecs.QueryMade[struct{ N []int }](w)), `field N []int: int is not registered: register a type of your own, such as type Speed int`},
		{refusal(w, ecs.QueryMade[struct{ N [2]hp }](w)), `field N [2]ecs_test.hp: [2]ecs_test.hp is a value: write [][2]ecs_test.hp to read a column`},
		{refusal(w, ecs.QueryMade[struct{ N map[int]hp }](w)), `map[int]ecs_test.hp is not a supported field type: a component has no Go pointers, and is passed as []T; other values are resources, ecs.Res[T]`},
		{refusal(w, ecs.QueryMade[struct{ _ hp }](w)), `field _ ecs_test.hp: ecs_test.hp is a value, and no condition: write ecs.With[ecs_test.hp]`},
		{refusal(w, ecs.SpawnerMade[struct{ E ecs.Entity }](w)), `field E ecs.Entity: ecs.Entity is the entity, and no component`},
		{refusal(w, ecs.QueryMade[struct{ A ecs.Write[arena.Stats] }](w)), `field A ecs.Write[arena.Stats]: arena.Stats is not registered`},
		{systemRefusal(w, "pointed", func(*struct{ R ecs.Res[hp] }) {}), `the world has a resource of type *ecs_test.hp, not ecs_test.hp: pass the value to ecs.Provide`},
		{refusal(w, ecs.SchemaOf[struct{ HP []hp }](w)), `ecs: SchemaOf: field HP []ecs_test.hp: it is not supported in a contract`},
		{refusal(w, ecs.SpawnerMade[spawned](w)), `ecs: SpawnerOf: field ecs_test.spawned.HP: []ecs_test.hp is not a component: write the value, ecs_test.hp`},
		{refusal(w, ecs.SpawnerMade[struct{ HP *hp }](w)), `field HP *ecs_test.hp: *ecs_test.hp is not a component: write the value, ecs_test.hp`},
		{refusal(w, ecs.SpawnerMade[struct{ V []int8 }](w)), `field V []int8: []int8 is a slice, and a component is a value: name int8`},
		{refusal(w, ecs.Register[hp](w, "hp")), `the name is taken by ecs_test.hp: register a component once and keep its pool, or choose another name`},
	} {
		if x.err == nil || !strings.Contains(x.err.Error(), x.want) || strings.Contains(x.err.Error(), "struct {") {
			t.Errorf("%v, want %s", x.err, x.want)
		}
	}
}

// The message of a call that moves rows within a loop names the remedy there.
func TestMessagesWithinLoop(t *testing.T) {
	type body struct{ HP hp }
	w := world(t, ecs.Options{})
	p := ecs.Register[hp](w, "hp")
	bodies := ecs.SpawnerOf[body](w)
	e := ok(bodies.Spawn(body{}))
	q := ecs.QueryOf[struct {
		Ents []ecs.Entity
		HP   []hp
	}](w)
	within := func(f func()) (said string) {
		defer func() { said = fmt.Sprint(recover()) }()
		for range q.All() {
			f()
		}
		return
	}
	const commands, outside = ": call ", ": call it when the loop has ended, or "
	for name, x := range map[string]struct {
		f    func()
		want string
	}{
		"Destroy":    {func() { w.Destroy(e) }, commands},
		"Spawn":      {func() { bodies.Spawn(body{}) }, commands},
		"Add":        {func() { p.Add(e, hp{}) }, commands},
		"Remove":     {func() { p.Remove(e) }, commands},
		"Put":        {func() { p.Put(e, hp{}) }, commands},
		"SetEnabled": {func() { w.SetEnabled(e, false) }, commands},
		"Register":   {func() { ecs.Register[int8](w, "int8") }, outside},
		"Close":      {func() { w.Close() }, outside},
		"Run":        {func() { w.Run(t.Context()) }, outside},
		"RemoveAll":  {func() { p.RemoveAll(q) }, outside},
		"DestroyAll": {func() { w.DestroyAll(q) }, outside},
		"Reset":      {func() { w.Reset() }, outside},
	} {
		said := within(x.f)
		if want := "ecs: " + name + " while a query of struct{Ents, HP} iterates, whose rows would move under it" + x.want; !strings.HasPrefix(said, want) || strings.Contains(said, "do)."+name+", ") != (x.want == commands) && strings.Contains(said, " do."+name) != (x.want == commands) {
			t.Errorf("%s\nwant %s", said, want)
		}
	}
	panics(t, "SpawnN of 0 entities with 2 values: give one value for all, or one for each entity; the length of the slice of entities says how many are made", func() { bodies.SpawnN(nil, make([]body, 2)) })
}
