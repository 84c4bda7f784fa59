package store

import (
	"github.com/ashlar-go/ashlar/ecs/internal/burst"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// Kind is how entities come under a subject, and leave it.
type Kind uint8

const (
	// Having is entities that have the component; without one, that are alive.
	Having Kind = iota
	// Disabling is entities that have the component disabled; without one, that are disabled as a whole.
	Disabling
	// Setting is values that a call overwrites: the old one leaves, and the new one arrives.
	Setting
	// Joining is members of a group.
	Joining
)

// Subject is something that observers may ask about: entities come under it, and leave it. It lives as long as
// its store. SubjectOf and MembersOf fill it; Tell changes asks, Listen and Deafen sides, Disband ended, Sets and logSets
// the rest.
type Subject struct {
	// ID is its number, from 0 on.
	ID int
	// Kind says what the subject is of the component.
	Kind Kind
	// Component has the values; nil: the subject is entities as a whole, or members of a group.
	Component *Component
	// Size is the bytes of a value that Told passes; 0: it has none.
	Size uintptr
	// Logged has Log called with each change, before an ear hears any part of it. Log must not panic. The observer sets both.
	Logged bool
	Log    func(*Told)

	group *Group    // of Joining
	at    []uintptr // where the group's components lie in a value
	asks  [2]int    // who asks about entities that come, and that go
	ended bool      // the group stands no more

	sides [2]side // entities that come, and that go

	setList         // of Setting, until they are told: see Sets
	told    setList // the ones that are told; empty otherwise
	lately  burst.Buffer
}

// side is who hears that entities come under a subject, or that they leave it.
type side struct {
	// now is the change that ears read. Between changes of many it is ready for one of a single entity: its list is telling.single, and
	// its values have room for one.
	now     Told
	first   *Ear
	answers bool // an ear asks for changes, or one did
}

// Ear is a function that is called with each change on one side of a subject: see Listen. It is called as it stands, with
// nothing to look up and no list to make, since a call costs as much as all else.
type Ear struct {
	// Name is of the one who listens.
	Name string
	// Fn must not change the structure of the store. It may panic: the rest of the change is not told.
	Fn   func(raw.Ptr)
	Into raw.Ptr
	// Asks is set if Fn may leave something for Done.
	Asks bool
	next *Ear
}

// setList is entities with a value that was set, and the values that they had.
type setList struct {
	set  []Entity
	old  []uint64
	late bool // some may have lost the component
}

// Told is entities that come under a subject in one change, or leave it. It is good during the call.
type Told struct {
	Of       *Subject
	Left     bool
	Entities []Entity
	// Values are of entities that leave, side by side.
	Values raw.Ptr
}

// Observer is who has ears for changes of subjects that Tell names. They hear them in the order of changes. Values that
// came are found by the entities. Values that went are passed. Entities that are destroyed are there still,
// with all their components.
type Observer struct {
	// Done follows when a verb has ended, and may change the structure.
	Done func()
	// Panicked follows when an ear has panicked: the verb does not return.
	Panicked func()
}

// telling has the changes that the observer will be told of. Tell and SubjectOf change the subjects; verbs append, deliver
// empties it, and call sets hearing.
type telling struct {
	Observer
	subjects []*Subject   // by ID
	comps    []*Component // of which somebody asks who has them, or has them disabled
	setting  []*Subject   // that somebody asks about
	joining  []*Subject   // likewise
	alive    *Subject     // nil: nobody asks
	asleep   *Subject     // likewise
	notices  []notice
	entities []Entity
	values   []uint64
	bytes    uintptr // of values
	waits    int     // verbs under way that are one change, and calls of the observer
	still    bool    // groups are not looked at
	single   [1]Entity
	ending   []Entity // that are about to be destroyed: none may be locked any more
	marks    indexSet // of ending, once somebody asks; empty: nobody has
	hearing  *Ear     // that is called; nil: none is
	now      Told     // that a log is called with
	merged   merged
	lately   burst.Buffer // of entities
}

// tells is the subjects about a component that somebody asks about.
type tells struct {
	told      bool       // some but setting: verbs note who gets the component and who loses it
	solely    *Subject   // having, if nobody asks anything else, and of no component which values are set; else nil
	setting   *Subject   // nil: nobody asks
	having    *Subject   // likewise
	disabling *Subject   // likewise
	joining   []*Subject // groups that depend on it
}

// notice is a Told, by the ends of its lists.
type notice struct {
	of     *Subject // nil: it is told, with an earlier one
	left   bool
	end    int     // of entities
	values uintptr // where they begin, in bytes
}

// merged is several notices of a change that are told as one.
type merged struct {
	entities []Entity
	values   []uint64
}

// point is a place to which notes can be taken back.
type point struct {
	notices, entities int
	bytes             uintptr
}

// turn is components that an entity gets and loses, beside the state that it is in.
type turn struct{ comes, goes []*Component }
