package memmgr

import (
	"time"

	"github.com/ashlar-go/ashlar/arena"
)

// AdaptOptions say how a manager adapts. The zero value knows nothing about the program, which is
// enough to give memory back. Adapt reads it and changes nothing.
type AdaptOptions struct {
	// Off has the manager adapt no more: see Adapt.
	Off bool
	// Budget bounds the moves of one safe point: their time, where 0 is 200 µs, and the bytes
	// that they copy, where 0 is 4 MiB. At least one is made, if any is due.
	Budget Budget
	// Every is the number of frames after which a region may be emptied again where none
	// could be; 0 is 60.
	Every int
	// Decay is the time in which idle memory is given back, little by little; 0 is
	// 10 s, less than 0 is as fast as Budget allows.
	Decay time.Duration
	// SoftLimit, if not 0, is how many bytes chunks may keep resident before idle
	// memory is given back whatever its age, as fast as Budget allows.
	SoftLimit uint64
	// Frame, if not 0, is the time that a frame should take. Moves and giving back take no more
	// than a twentieth of it in all of a frame, and no more than Budget says at each safe
	// point. One move is made at each in any case.
	Frame time.Duration
	// Clock is the time of budgets and decay; nil is time.Now. With a clock of its own the
	// manager does not read the pressure of the machine, because that has another time.
	Clock func() time.Time

	// cold, order and expected are what a layout says: see With.
	cold     []string
	order    []string
	expected []expected

	pressure func() arena.Pressure // for tests; nil is the machine's, if Clock is nil
}

// expected is how many rows a sequence will have.
type expected struct {
	name string // of the sequence
	rows int
}

// Budget bounds the time and bytes of a manager at one safe point. Zero leaves the default.
type Budget struct {
	Time  time.Duration
	Bytes uint64
}

// Adapting counts the work of a manager that adapts, since Adapt was called last. Safe points and ends of frames add to
// the counts, and nothing else changes them. OverBudget, Time and Longest are of ends of frames, too.
type Adapting struct {
	Moves      uint64        // chunks brought where they belong
	Bytes      uint64        // copied for that
	Refused    uint64        // chunks left where they are, because there was no memory for another place
	Waiting    int           // chunks that may have to be moved now
	OverBudget uint64        // safe points that left due work to the next one
	Time       time.Duration // spent in all
	Longest    time.Duration // spent at one safe point
	Emptied    uint64        // regions that all chunks have left
	GivenUp    uint64        // regions that some did not leave: pinned, or others came
	Purged     uint64        // bytes given back
	Pressed    uint64        // readings that made giving back faster: the limit is near, or tasks wait for memory
}

// adapter has a manager adapt, as adaptBy says; it begins with Off.
type adapter struct {
	manager *Manager
	options AdaptOptions
	walked  func() []string // see Manager.Walk; nil if that was not called
	done    Adapting        // its OverBudget, Time and Longest are of giving back
	frame   uint64

	decay decay
	short pressure
	evacuation
}

// decaySteps is into how many steps the time is cut over which idle memory is
// given back (TestDecayOfShortFrames).
const decaySteps = 32

// decay says how much idle memory to give back now. Memory that becomes idle is due little by
// little, along a smooth step from all kept to none kept. So memory that is used again soon is
// not given back in between.
//
//	kept  1 ┤▆▆▅▅
//	        │    ▄▃
//	        │      ▂▁▁
//	      0 ┼──────────→ age
type decay struct {
	backlog [decaySteps]uint64 // bytes that became idle, the newest step first
	idle    uint64             // when it was last looked at
	at      time.Time          // when the newest step began
	look    time.Duration      // the longest time between two readings of the clock
	pace
}

// pace says in which frames to read the clock, because reading it costs something in a short
// frame. About one step of the decay goes by between two readings, and at most paceMost
// frames.
type pace struct {
	rest   int       // frames to come for which it is not read
	frames int       // since it was
	read   time.Time // then
}

// evacuation is the region that is being emptied.
type evacuation struct {
	on     bool
	region arena.RegionInfo // as it was when it began
	left   int              // slots in use at the end of the last frame
	waited int              // frames since that fell
	next   uint64           // frame in which to look at it, or in which one may begin
	full   extent           // when the last look found no waste; zero if it found some
}

// extent tells whether chunks and slots are the same as at an earlier look: each chunk that comes, goes or
// moves changes layout, and a slot of anything else dirty or idle.
type extent struct{ layout, dirty, idle uint64 }

// pressure says how fast idle memory goes back while the machine is short of memory. It reads
// the machine once in pressureEvery, more often where a limit is near, and only while memory
// is idle: with nothing to give back nothing is read.
type pressure struct {
	read  func() arena.Pressure // nil: nothing is read
	at    time.Time             // of the last reading, or of the first look before there is one
	begun bool                  // there was a reading
	last  arena.Pressure
	lack  uint64 // bytes that were to go back then whatever their age, and have not yet
	times uint64 // readings that made giving back faster
}
