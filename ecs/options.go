package ecs

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// maxEntitiesDefault is how many entities there may be unless Options say otherwise.
const maxEntitiesDefault = 1 << 25

// Options say how a world is made. New reads them, and changes nothing. The zero value suits most programs. A group of options with a
// subject that is on by default has a field Off; a subject that is off by default is a field by its own name.
type Options struct {
	// Memory is passed to the memory manager.
	Memory memmgr.Options
	// MaxEntities is how many entities there may be at a time; 0 means
	// 33,554,432. At most 4,294,967,293, since index 0 is no entity's. A Parallel system that spawns seven times as
	// many as in its last run may be refused some of the last eighth.
	MaxEntities uint32
	// FIFO has indexes of destroyed entities used again first in, first out: versions wrap late.
	// Otherwise the index that was freed last is used first, so that records stay dense. The order
	// holds among the entities of a table or a group, which have blocks of indexes of their own, and
	// among those that are spawned bare.
	FIFO bool
	// Seed is an input of the random numbers of the world, beside names and ticks: see Random.
	Seed uint64
	// Name tells worlds of a program apart in layouts and profiles. A world goes by statements of a layout about
	// every world and about the one of its name, and records itself under its name. Worlds of one
	// kind, such as the rooms of a server, may share a name. It has letters a to z and A to Z, digits,
	// dots, dashes and underscores. A world without a name goes by statements about every world.
	Name string
	// Tag, 0 to 15, is part of every version: worlds with different tags tell each
	// other's handles apart.
	Tag uint8
	// Layout says where the program's layout is found; the zero value looks at the environment
	// (ASHLAR_LAYOUT). It is applied before the first row. See layout.Source.
	Layout layout.Source
	// Adapt is passed to the memory manager, with the layout's statements about it. Off
	// leaves chunks where they were first put. Regions that have become empty are given back all
	// the same.
	Adapt memmgr.AdaptOptions
	// Views says how systems get components that the rows they go over do not have.
	Views Views
	// Record notes the columns that systems touch, from the first frame on. See World.Facts. The record of a
	// system's run is a line per sequence that it went over, not per chunk or row, so that it can
	// stay on.
	Record bool
	// TimeEvery is about Record: one run of each system in so many is timed; 0 means 16, and a few of the first.
	TimeEvery int
	// FixedStep is the time that a run of the systems in phase Fixed covers; 0 means a
	// sixtieth of a second. See World.RunFor.
	FixedStep time.Duration
	// MaxSteps is how often they run in one frame at most; 0 means 8.
	MaxSteps int
	// StrictCommands has Run return ErrDropped, too, for commands that others had overtaken:
	// their entity was dead or locked, or its component there already or gone.
	StrictCommands bool
	// Workers is how many goroutines run batches of systems that promise it, the one that calls Run among
	// them; 0 means as many as the process has processors' time for, quotas of its control groups included.
	// Results are the same for any number. The others are started when there is work for them, sleep when
	// there is none, and end with Close. 1,024 are the most: more than processors gain nothing. See Parallel.
	Workers int
	// Shuffle, unless it is 0, is a seed by which systems that may run side by side, and pieces of their rows, run in
	// another legal order, by one worker. Results are the same, unless a system breaks its promise of Parallel. Shuffled
	// compares, for a test.
	Shuffle uint64

	runLength int // see walk.RunLength; tests set another one
	pieceRows int // see walk.PieceRows; likewise
	shareWork int // see schedule.Schedule.ShareWork; likewise
}

// workersMost is how many workers there may be. Workers without a processor look for work in turn: frames of 4,096 on
// two processors took 30 times those of 1,024 (go run ./cmd/ashlar run game -frames 20 -workers N).
const workersMost = 1024

// maxStepsDefault is how often systems in phase Fixed run in a frame at most.
const maxStepsDefault = 8

// complete returns the options with defaults in place. The error names everything that is wrong.
func (o Options) complete() (Options, error) {
	if problems := o.invalid(); len(problems) > 0 {
		return o, errors.New("ecs: Options." + strings.Join(problems, "; Options."))
	}
	if o.MaxEntities == 0 {
		o.MaxEntities = maxEntitiesDefault
	}
	if o.FixedStep == 0 {
		o.FixedStep = time.Second / 60
	}
	if o.MaxSteps == 0 {
		o.MaxSteps = maxStepsDefault
	}
	if o.runLength <= 0 {
		o.runLength = walk.RunLength
	}
	if o.pieceRows <= 0 {
		o.pieceRows = walk.PieceRows
	}
	return o, nil
}

// invalid lists problems of options, by the names of their fields.
func (o *Options) invalid() (problems []string) {
	wrong := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if most := uint32(math.MaxUint32 - 2); o.MaxEntities > most {
		wrong("MaxEntities is %d; it must be at most %d", o.MaxEntities, most)
	}
	if o.Tag > 15 {
		wrong("Tag is %d; it must be at most 15", o.Tag)
	}
	if o.Workers > workersMost {
		wrong("Workers is %d; it must be at most %d, and 0 is as many as there are processors", o.Workers, workersMost)
	}
	if o.Name != "" {
		if err := checkName(o.Name); err != nil {
			wrong("Name %q: %v", o.Name, err)
		}
	}
	if o.Views.Off && o.Views.Always {
		wrong("Views.Off and Views.Always contradict each other: leave out the one that you do not mean")
	}
	for _, f := range []struct {
		name string
		n    int64
		is   any
	}{
		{"TimeEvery", int64(o.TimeEvery), o.TimeEvery},
		{"FixedStep", int64(o.FixedStep), o.FixedStep},
		{"MaxSteps", int64(o.MaxSteps), o.MaxSteps},
		{"Workers", int64(o.Workers), o.Workers},
	} {
		if f.n < 0 {
			wrong("%s is %v: it must not be negative; 0 is the default", f.name, f.is)
		}
	}
	if b := o.Memory.Arena.Backend; b > arena.Heap {
		wrong("Memory.Arena.Backend is %d: give Auto, OS or Heap", b)
	}
	for _, p := range o.Adapt.Invalid() {
		wrong("Adapt.%s", p)
	}
	return problems
}
