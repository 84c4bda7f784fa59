// Package rungame is the world of `ashlar run game`, as a program to compare: on Ashlar,
// with groups that share a Transform and without groups, and in plain slices by kind.
package rungame

import (
	"context"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/cmd/ashlar/game"
	"github.com/ashlar-go/ashlar/ecs"
)

// Programs are the game as it runs without flags, and without groups. By the time that it
// is timed, things that were born together have parted, so that readers' rows are in another
// order than the owner's.
func Programs() []twin.Program {
	return []twin.Program{program("run game: 100,000 things", game.Options{}), program("run game: 100,000 things, no groups", game.Options{Tables: true})}
}

func program(name string, o game.Options) twin.Program {
	return twin.Program{
		Name: name, Entities: game.EntitiesDefault, Frames: 600, Warm: 200,
		Variants: []twin.Variant{twin.OnAshlar(func(things int, w ecs.Options) twin.Stage { return openAshlar(things, o, w) }), {Name: twin.Slices, Open: openSlices}},
	}
}

func openAshlar(things int, o game.Options, w ecs.Options) twin.Stage {
	o.Entities, o.ECS = things, w
	g := twin.Must(game.New(o))
	ctx := context.Background()
	return twin.Stage{Frame: func() { twin.Check(g.Step(ctx)) }, Digest: g.Digest, Check: g.World.Check, Close: g.Close, World: g.World}
}

func openSlices(things int) twin.Stage {
	p := game.NewPlain(game.Options{Entities: things})
	return twin.Stage{Frame: p.Step, Digest: p.Digest}
}
