package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/files"
	"github.com/ashlar-go/ashlar/memmgr/plan"
	"github.com/ashlar-go/ashlar/memmgr/topology"
	"github.com/ashlar-go/ashlar/profile"
)

const planSynopsis = "plan FILE [-placement MAP] [-topology FILE] [-why NAME]"

// planVerb is `ashlar plan`.
func planVerb(ctx context.Context, c console, args []string) error {
	flags := flag.NewFlagSet("plan", flag.ContinueOnError)
	placement := flags.String("placement", "", "the `MAP` of a run: where chunks lie; without it FILE.map, if FILE is a file and that is there, else nowhere yet")
	machine := flags.String("topology", "", "advise for the machine that `FILE` describes, as `ashlar topo -save` writes it, not for this one")
	why := flags.String("why", "", "show what is planned about the group, component, system or region `NAME`, move by move, and what is known of it")
	words, err := parse(c, flags, planSynopsis, args)
	if err != nil {
		return err
	}
	if len(words) != 1 {
		return usage("plan needs one file, a profile: %s", planSynopsis)
	}
	in, err := readPlanInput(ctx, c.files(), words[0], *placement, *machine)
	if err != nil {
		return err
	}
	show := in.explain
	if *why != "" {
		show = func() (string, error) { return in.why(*why) }
	}
	text, err := show()
	if err != nil {
		return err
	}
	_, err = io.WriteString(c.out, text)
	return err
}

// planInput is all that a plan is made from.
type planInput struct {
	profile   *profile.File
	placement string // file; "" if there is none
	chunks    plan.Placement
	machine   topology.Topology
}

// readPlanInput reads the files; an empty name stands for what is there without it.
func readPlanInput(ctx context.Context, set *files.Set, path, placement, machine string) (in planInput, err error) {
	if placement == "" && path != files.Stdin && !files.IsAddress(path) {
		if _, err := os.Stat(path + profile.MapSuffix); !errors.Is(err, fs.ErrNotExist) {
			placement = path + profile.MapSuffix
		}
	}
	var problems [3]error
	var text, mapText strings.Builder // for the line of what no plan can be made from
	in.profile, problems[0] = files.Read(ctx, set, path, files.Profile, func(name string, r io.Reader) (*profile.File, error) {
		return profile.Parse(name, io.TeeReader(r, &text), profile.Strict)
	})
	var m profile.Map
	if placement != "" {
		in.placement = files.Title(placement)
		m, problems[1] = files.Read(ctx, set, placement, files.Map, func(name string, r io.Reader) (profile.Map, error) {
			return profile.ParseMap(name, io.TeeReader(r, &mapText))
		})
	}
	in.machine, problems[2] = machineOf(ctx, set, machine)
	if ctx.Err() != nil {
		return in, ctx.Err()
	}
	if err := errors.Join(problems[:]...); err != nil {
		return in, err
	}
	if placement != "" {
		in.chunks, err = plan.FromMap(in.profile.Profile, m)
		return in, at(in.placement, mapText.String(), err)
	}
	for _, g := range in.profile.Groups {
		in.chunks.Groups = append(in.chunks.Groups, plan.Group{Name: g.Name})
	}
	return in, nil
}

// machineOf is the machine that a file describes, or this one.
func machineOf(ctx context.Context, set *files.Set, name string) (topology.Topology, error) {
	if name == "" {
		return topology.Detect(topology.DetectOptions{}), nil
	}
	return readTopology(ctx, set, name)
}

// at says in which file and line a statement stands that no plan can be made from.
func at(name, text string, err error) error {
	wrong, ok := errors.AsType[*plan.Misfit](err)
	if !ok {
		return err
	}
	n := 0
	for line := range strings.Lines(text) {
		n++
		if words := strings.Join(strings.Fields(line), " "); strings.HasPrefix(words+" ", wrong.About+" ") {
			return fmt.Errorf("%s:%d: %s: %s", name, n, wrong.About, wrong.Text)
		}
	}
	return fmt.Errorf("%s: %s: %s", name, wrong.About, wrong.Text)
}

// explain is the whole plan; without a placement, what is asked for and advised.
func (in *planInput) explain() (string, error) {
	var b, intent strings.Builder
	in.head(&b)
	actions, advice := in.actions(), in.advice()
	if in.placement == "" {
		asked := profile.Profile{Intent: in.profile.Intent}
		if err := asked.Report(&intent); err != nil {
			return "", err
		}
	}
	b.WriteString(strings.TrimPrefix(intent.String(), "\n"))
	if intent.Len() > 0 && len(advice) > 0 {
		b.WriteString("\n")
	}
	if intent.Len() == 0 || len(advice) > 0 {
		b.WriteString(plan.Explain(actions, advice))
	}
	return b.String(), nil
}

func (in *planInput) actions() []plan.Action {
	return plan.Plan(in.profile.Profile, in.chunks)
}

// advice is what only code can do.
func (in *planInput) advice() []string { return plan.Advice(in.profile.Profile, in.machine) }

// head says what the plan is made from, and what of it is of no use.
func (in *planInput) head(w io.Writer) {
	p := &in.profile.Profile
	fmt.Fprintf(w, "profile    %s: %d frames, %d systems, %d groups\n", in.profile.Name, p.Frames, len(p.Systems), len(p.Groups))
	if in.placement == "" {
		fmt.Fprintln(w, "placement  none: this is what the profile alone tells; -placement MAP shows what would move")
	} else {
		fmt.Fprintf(w, "placement  %s: frame %d, regions: %d, chunks that can be moved: %d\n", in.placement, in.chunks.Frame, len(in.chunks.Regions), len(in.chunks.Chunks))
	}
	fmt.Fprintf(w, "machine    %v\n", in.machine)
	if p.Intent.Off {
		fmt.Fprintln(w, "off        the profile says that nothing is to be adapted")
	}
	if n := plan.Unknown(p, in.chunks.Groups); n > 0 {
		fmt.Fprintf(w, "unknown    %d names in intent are no group, system or component here\n", n)
	}
	strange := 0
	for _, g := range in.chunks.Groups {
		if !slices.ContainsFunc(p.Groups, func(o profile.Group) bool { return o.Name == g.Name }) {
			strange++
		}
	}
	if strange > 0 && p.Frames > 0 {
		fmt.Fprintf(w, "unknown    %d of the %d groups of the map are not in the profile: are both of one run?\n", strange, len(in.chunks.Groups))
	}
	fmt.Fprintln(w)
}
