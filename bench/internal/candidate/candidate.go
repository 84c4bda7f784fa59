// Package candidate has the things that are compared: a *contest* is one workload at one size, and its
// *entries* are the candidates that take part, each with a way of storing entities.
//
// An entry opens a *body*, which has the work that is measured. All bodies of a contest do the same
// work equally often, so they end with the same digest and have visited as many rows.
package candidate

import (
	"fmt"
	"time"
)

// The names of storages, as they stand in results.
const (
	Ashlar    = "ashlar"
	Sparse    = "sparse"       // a sparse set for each component; queries keep their members
	Probing   = "sparse-graph" // sparse sets with queries that keep nothing
	Archetype = "archetype"    // a table for each set of components
	Hybrid    = "hybrid"       // tables, and sparse sets for components that come and go
	Objects   = "objects"      // objects that the program allocates and points to
	Arrays    = "arrays"       // written by hand for this workload: the limit
)

// Body is work that is ready to be measured.
type Body struct {
	Prepare func()               // is called before each Work, outside of its time; may be nil
	Work    func() (rows int)    // returns how many rows it has visited
	Took    func() time.Duration // the measure of the last Work, if it is not all of its time; may be nil
	Digest  func() uint64        // of all values that Work may change
	Close   func()               // may be nil
}

// Entry is a candidate of a contest.
type Entry struct {
	Storage string
	Guide   string // the page of docs/guide that the code follows; "" if it follows none
	Open    func() Body
}

// Contest is a workload at one size.
type Contest struct {
	Part     string // "life", "setup", "public", …
	Name     string
	Entities int
	Ops      int // a Work's time is divided by it: the entities that it is about, or 1 for a frame
	Entries  []Entry
	Cores    int // that must be free before and after it, or its rows are left out; 0: none is looked at

	// Samples is how many times are measured of each entry: 0 is as many as the command says.
	Samples int
	// Turn is how many samples an entry measures one after another, before the next entry's turn. A sample is
	// one Work if Turn is above 1, and else so many that the clock's own time does not count.
	Turn int
}

// String is the text that -rows matches, such as "random, 1024 entities".
func (c Contest) String() string { return fmt.Sprintf("%s, %d entities", c.Name, c.Entities) }
