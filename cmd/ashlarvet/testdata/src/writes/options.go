package writes

import "github.com/ashlar-go/ashlar/ecs"

var (
	parallel    = ecs.Parallel()
	both        = []ecs.SystemOption{ecs.InSet("a"), ecs.Parallel()}
	later       ecs.SystemOption
	appended    []ecs.SystemOption
	byName      = map[string]ecs.SystemOption{"p": ecs.Parallel()}
	inSet       = ecs.InSet("a")
	shared      = struct{ how []ecs.SystemOption }{both}
	fromHelper  = options(true)
	anywhere, _ = ecs.Parallel(), 1
)

func init() { later = ecs.Parallel() }

func setUp() { appended = append(appended, ecs.Parallel()) }

func options(fast bool) (list []ecs.SystemOption) {
	if fast {
		list = append(list, ecs.Parallel())
	}
	return list
}

func how() ecs.SystemOption { return ecs.Parallel() }

type settings struct{ options []ecs.SystemOption }

// Options may be in variables: any value that the package gives one of them counts.
func optionsInVariables(w *ecs.World, fast bool) {
	n := 0
	one := ecs.Parallel()
	ecs.System(w, "one", func(c *row) { n++ }, one) // want `"one" promises`
	opts := []ecs.SystemOption{ecs.Parallel()}
	ecs.System(w, "slice", func(c *row) { n++ }, opts...) // want `"slice" promises`
	grown := []ecs.SystemOption{}
	if fast {
		grown = append(grown, ecs.InSet("b"), ecs.Parallel())
	}
	ecs.System(w, "grown", func(c *row) { n++ }, grown...) // want `"grown" promises`
	joined := append(opts[:0:0], both...)
	ecs.System(w, "joined", func(c *row) { n++ }, joined...) // want `"joined" promises`
	var stored [2]ecs.SystemOption
	stored[1] = ecs.Parallel()
	ecs.System(w, "stored", func(c *row) { n++ }, stored[:]...) // want `"stored" promises`
	made := make([]ecs.SystemOption, 1)
	made[0] = ecs.Parallel()
	ecs.System(w, "made", func(c *row) { n++ }, made...) // want `"made" promises`
	captured := ecs.InSet("c")
	func() { captured = ecs.Parallel() }()
	ecs.System(w, "captured", func(c *row) { n++ }, captured) // want `"captured" promises`
	held := ecs.Parallel()
	func() {
		ecs.System(w, "held", func(c *row) { n++ }, held) // want `"held" promises`
	}()
	ecs.System(w, "global", func(c *row) { n++ }, parallel)         // want `"global" promises`
	ecs.System(w, "globals", func(c *row) { n++ }, both...)         // want `"globals" promises`
	ecs.System(w, "later", func(c *row) { n++ }, later)             // want `"later" promises`
	ecs.System(w, "appended", func(c *row) { n++ }, appended...)    // want `"appended" promises`
	ecs.System(w, "element", func(c *row) { n++ }, both[1])         // want `"element" promises`
	ecs.System(w, "map", func(c *row) { n++ }, byName["p"])         // want `"map" promises`
	ecs.System(w, "field", func(c *row) { n++ }, shared.how...)     // want `"field" promises`
	ecs.System(w, "helper", func(c *row) { n++ }, fromHelper...)    // want `"helper" promises`
	ecs.System(w, "helped", func(c *row) { n++ }, options(fast)...) // want `"helped" promises`
	ecs.System(w, "how", func(c *row) { n++ }, how())               // want `"how" promises`
	ecs.System(w, "pair", func(c *row) { n++ }, anywhere)           // want `"pair" promises`
	s := settings{options: opts}
	ecs.System(w, "settings", func(c *row) { n++ }, s.options...) // want `"settings" promises`
	p := &settings{}
	p.options = append(p.options, ecs.Parallel())
	ecs.System(w, "pointed", func(c *row) { n++ }, p.options...) // want `"pointed" promises`

	ecs.System(w, "in set", func(c *row) { n++ }, inSet)
	set := []ecs.SystemOption{ecs.InSet("d"), inSet}
	ecs.System(w, "sets", func(c *row) { n++ }, set...)
	ecs.System(w, "none", func(c *row) { n++ })
	registerAll(w, opts...)
	registerNone(w, set...)
}

// A function that passes its own options on has those of all its calls.
func registerAll(w *ecs.World, opts ...ecs.SystemOption) {
	n := 0
	opts = append(opts, ecs.InSet("e"))
	ecs.System(w, "passed on", func(c *row) { n++ }, opts...) // want `"passed on" promises`
}

func registerNone(w *ecs.World, opts ...ecs.SystemOption) {
	n := 0
	ecs.System(w, "not passed on", func(c *row) { n++ }, opts...)
}
