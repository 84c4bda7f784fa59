package ecs

import "slices"

// unmade is the panic of a call on a nil pointer, or on the zero value of a type with
// a constructor in this package.
type unmade struct{ typ, call string }

// makers are the makers of types. They are a list and no map, so that no process begins by making one.
var makers = [...]struct{ typ, by string }{
	{"World", "ecs.New"},
	{"Pool", "ecs.Register"},
	{"Split", "ecs.RegisterSplit"},
	{"Group", "ecs.GroupOf"},
	{"Spawner", "ecs.SpawnerOf or ecs.GroupOf"},
	{"Exchange", "ecs.ExchangeOf"},
	{"Lock", "World.NewLock"},
	{"Schema", "ecs.SchemaOf or ecs.SchemaOfPools; a contract is made by Schema.Bind"},
	{"Field", "ecs.FieldOf, and a contract by Schema.Bind"},
	{"Query", "ecs.QueryOf"},
	{"Events", "ecs.EventsOf, or by ecs.System for the struct of a system"},
	{"WriteEvents", "ecs.EventsOf, or by ecs.System for the struct of a system"},
	{"Res", "ecs.System, for the struct of a system"},
	{"WriteRes", "ecs.System, for the struct of a system"},
	{"Look", "ecs.System, for the struct of a system"},
	{"Prior", "ecs.System, for the struct of a system"},
	{"AtEnd", "ecs.System, for the struct of a system"},
	{"Local", "ecs.System, for the struct of a system"},
	{"Arrived", "ecs.System or ecs.Observe, for the struct"},
	{"Left", "ecs.System or ecs.Observe, for the struct"},
	{"Random", "World.Random, or by ecs.System for the struct of a system"},
	{"Later", "Pool.Later, or by ecs.System for the struct of a system"},
	{"LaterSpawner", "Spawner.Later, or by ecs.System for the struct of a system"},
	{"Commands", "its World: call World.Commands, or take the field of type *ecs.Commands of a system's struct"},
}

func (u unmade) Error() string {
	i := slices.IndexFunc(makers[:], func(m struct{ typ, by string }) bool { return m.typ == u.typ })
	return "ecs: " + u.call + " of a " + u.typ + " that is nil or the zero value: it is made by " + makers[i].by
}
