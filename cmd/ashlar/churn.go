package main

import (
	"flag"
	"fmt"
	"io"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/churn"
	"github.com/ashlar-go/ashlar/ecs"
)

// churnFlags are the flags of `ashlar run churn`.
type churnFlags struct {
	entities, groups, frames *int
	seed                     *uint64
}

func churnFlagsOf(flags *flag.FlagSet) churnFlags {
	return churnFlags{
		flags.Int("entities", churn.EntitiesDefault, "churn, game: `N` entities at the top of a wave"),
		flags.Int("groups", churn.GroupsDefault, "churn: put the entities into `N` groups"),
		flags.Int("frames", 1000, "churn, game: run `N` frames"),
		flags.Uint64("seed", 1, "churn, game: `N` chooses the entities; the same seed gives the same result"),
	}
}

// check refuses words and figures that no run of a scenario takes.
func (f churnFlags) check(scenario string, words []string, most int) error {
	switch {
	case len(words) > 0:
		return usage("unexpected %q: run %s takes only flags", words[0], scenario)
	case *f.frames < 0:
		return usage("-frames %d is negative: give 0 or more", *f.frames)
	case *f.entities < 1 || *f.entities > most:
		return usage("-entities %d is out of range: give 1 to %d", *f.entities, most)
	}
	return nil
}

// scenario makes the world.
func (f churnFlags) scenario(words []string, eo ecs.Options) (*scenario, error) {
	if err := f.check("churn", words, churn.EntitiesMax); err != nil {
		return nil, err
	}
	if *f.groups < 1 || *f.groups > churn.GroupsMax {
		return nil, usage("-groups %d is out of range: give 1 to %d", *f.groups, churn.GroupsMax)
	}
	w, err := churn.New(churn.Options{Entities: *f.entities, Groups: *f.groups, Seed: *f.seed, ECS: eo})
	if err != nil {
		return nil, err
	}
	return &scenario{
		world:    w.World,
		unit:     "frame",
		steps:    *f.frames,
		at:       w.Frame,
		step:     w.Step,
		progress: func() string { return fmt.Sprintf("%d entities", w.World.Len()) },
		summary: func(out io.Writer) {
			fmt.Fprintf(out, "frame\t%d\n", w.Frame())
			fmt.Fprintf(out, "population\t%d\n", w.World.Len())
			fmt.Fprintf(out, "births\t%d\n", w.Births())
			fmt.Fprintf(out, "state hash\t%016x\n", w.Hash())
			for _, g := range w.Groups() {
				fmt.Fprintf(out, "%s\t%s, %s\n", g.Name, count(g.Members, "member"), count(g.Chunks, "chunk"))
			}
		},
		close: w.Close,
	}, nil
}
