package ecs

// unmade is the panic of a call on a nil pointer, or on the zero value of a type with
// a constructor in this package.
type unmade struct{ typ, call string }

func (u unmade) Error() string {
	by := "ecs.New"
	switch u.typ {
	case "Pool":
		by = "ecs.Register"
	case "Split":
		by = "ecs.RegisterSplit"
	case "Group":
		by = "ecs.GroupOf"
	case "Spawner":
		by = "ecs.SpawnerOf or ecs.GroupOf"
	case "Lock":
		by = "World.NewLock"
	case "Schema":
		by = "ecs.SchemaOf or ecs.SchemaOfPools; a contract is made by Schema.Bind"
	case "Field":
		by = "ecs.FieldOf, and a contract by Schema.Bind"
	case "Query":
		by = "ecs.QueryOf"
	case "Selection":
		by = "World.Select"
	case "Batch":
		by = "ranging over Selection.All"
	case "Events", "WriteEvents":
		by = "ecs.EventsOf, or by ecs.System for the struct of a system"
	case "Res", "WriteRes", "Look", "Prior", "Local":
		by = "ecs.System, for the struct of a system"
	case "Arrived", "Left":
		by = "ecs.System or ecs.Observe, for the struct"
	case "Random":
		by = "World.Random, or by ecs.System for the struct of a system"
	case "Later":
		by = "Pool.Later, or by ecs.System for the struct of a system"
	case "LaterSpawner":
		by = "Spawner.Later"
	case "LaterExchange":
		by = "Exchange.Later"
	case "Commands":
		by = "its World: call World.Commands, or take the field of type *ecs.Commands of a system's struct"
	}
	return "ecs: " + u.call + " of a " + u.typ + " that is nil or the zero value: it is made by " + by
}
