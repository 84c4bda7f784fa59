package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/files"
	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/life"
	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/pattern"
	"github.com/ashlar-go/ashlar/ecs"
)

// lifeFlags are the flags of `ashlar run life`.
type lifeFlags struct {
	generations *int
	size        *string
	torus       *bool
}

func lifeFlagsOf(flags *flag.FlagSet) lifeFlags {
	return lifeFlags{
		flags.Int("generations", 1000, "life: run `N` generations"),
		flags.String("size", "", "life: a board of `WxH` cells, with nothing alive outside; by default the board grows"),
		flags.Bool("torus", false, "life: opposite edges of the board touch; needs -size"),
	}
}

// scenario reads the pattern and makes the board.
func (f lifeFlags) scenario(ctx context.Context, words []string, eo ecs.Options, set *files.Set) (*scenario, error) {
	switch {
	case len(words) != 1:
		return nil, usage("run life needs exactly one pattern file: see `ashlar help run`")
	case *f.generations < 0:
		return nil, usage("-generations %d is negative: give 0 or more", *f.generations)
	case *f.torus && *f.size == "":
		return nil, usage("-torus needs a -size: a board that grows has no edges to join")
	}
	o := life.Options{Torus: *f.torus, ECS: eo}
	if *f.size != "" {
		var err error
		if o.Width, o.Height, err = parseSize(*f.size); err != nil {
			return nil, err
		}
	}
	name := files.Title(words[0])
	p, err := files.Read(ctx, set, words[0], files.Pattern, pattern.Parse)
	if err != nil {
		return nil, err
	}
	b, err := life.New(p, o)
	if err != nil {
		return nil, err
	}
	if p.Name != "" {
		name = p.Name
	}
	return &scenario{
		world:    b.World,
		unit:     "generation",
		steps:    *f.generations,
		at:       b.Generation,
		step:     b.Step,
		progress: func() string { return fmt.Sprintf("%d live cells", b.Population()) },
		summary: func(w io.Writer) {
			fmt.Fprintf(w, "pattern\t%s, rule %v\n", name, p.Rule)
			fmt.Fprintf(w, "generation\t%d\n", b.Generation())
			fmt.Fprintf(w, "population\t%d\n", b.Population())
			fmt.Fprintf(w, "state hash\t%016x\n", b.Hash())
			fmt.Fprintf(w, "cells\t%d entities\n", b.World.Len())
		},
		close: b.Close,
	}, nil
}

func parseSize(s string) (w, h int, err error) {
	a, b, ok := strings.Cut(strings.ToLower(s), "x")
	w, errW := strconv.Atoi(a)
	h, errH := strconv.Atoi(b)
	if !ok || errW != nil || errH != nil || w < 1 || h < 1 {
		return 0, 0, usage("-size %q is not a size: write WIDTHxHEIGHT, such as 200x100", s)
	}
	return w, h, nil
}
