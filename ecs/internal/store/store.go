package store

import (
	"errors"
	"fmt"
	"iter"

	"github.com/ashlar-go/ashlar/ecs/internal/entities"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

var (
	// ErrStale is returned for a handle that is not of a live entity: null,
	// destroyed since, or never given out by this world.
	ErrStale = errors.New("ecs: the entity is not alive: the handle is null, stale or foreign")
	// ErrPresent is returned by Add for a component that the entity has already.
	ErrPresent = errors.New("ecs: the entity has the component already: use Set to change its value")
	// ErrAbsent is returned by Set and Remove for a component that the entity lacks.
	ErrAbsent = errors.New("ecs: the entity does not have the component")
)

// Options say how a store is made.
type Options struct {
	MaxEntities uint32
	Tag         uint8
	FIFO        bool // indexes that were freed first are used first
	Policy      policy.Options
	Visits      Visits // nil: nothing goes over rows
}

// Store is the entities of a World and their components. It is not safe for concurrent use.
// What it returns is not good beyond a change.
type Store struct {
	// IDs is the directory of the entity column of all tables.
	IDs memmgr.Directory
	// Dropped counts tables that went.
	Dropped uint64
	// Commons owns what no group does.
	Commons *Owner

	m           *memmgr.Manager
	options     Options
	ids         entities.Set
	comps       []*Component
	owners      []*Owner // groups
	tables      []*Table // by the key of their sequence
	freeKeys    []uint32
	planes      []*plane
	groups      []*Owner     // by the Kin of their homes, from 1 on; those that are no more, too
	runs        []run        // scratch of batches: rows that were reserved
	picked      []run        // and rows that a change is made for
	bits        []uint64     // and which these are
	moving      []*Component // components that change over
	changes     uint64       // counts steps of that
	made        uint64       // counts tables
	settled     uint64       // the version for which all rows are in current tables
	frame       uint64
	policy      *policy.Policy
	visits      Visits
	hooks       *hooks            // nil: no hook is called
	guarded     bool              // some entities are kept as they are
	held        map[uint32][]Hold // by index
	asleep      disabled          // entities that are disabled as a whole
	disables    []*disabled       // all that were ever used
	disabledAll int               // bits that are set in them
	asked       bool              // some component's ticks are noted row by row
	counting    bool              // reads by handle are counted
	shifting    bool              // values change over: what is added is not new
	working     bool              // rows still moved at the last frame's end
	recount     bool              // tables have not been counted since
	living      int               // tables of the commons with rows, and those
	rows        int
	tidier      tidier
}

// New makes a store in a manager's memory.
func New(m *memmgr.Manager, o Options) *Store {
	s := &Store{m: m, options: o}
	s.ids = entities.Make(m.Arena(), entities.Options{Max: o.MaxEntities, Tag: o.Tag, FIFO: o.FIFO})
	s.Commons = &Owner{s: s, families: make(map[string]*family), epoch: 1}
	s.Commons.words = makeWords(m.Arena(), s.indexes())
	s.Commons.words.owner = s.Commons
	s.policy, s.visits = policy.New(o.Policy, s.counts), o.Visits
	return s
}

// indexes is the length of arrays with an element for each index: those of entities, and 0.
func (s *Store) indexes() uint32 { return s.options.MaxEntities + 1 }

// tableAt is the table of a row.
func (s *Store) tableAt(l memmgr.Loc) *Table { return s.tableOf(uint64(l)) }

// tableOf is the table of the row that an entry names.
func (s *Store) tableOf(w uint64) *Table { return s.tables[s.IDs.Place(w).Key()] }

// TableOf is the table that a sequence is of; nil for others.
func (s *Store) TableOf(seq *memmgr.Sequence) *Table {
	if k := int(seq.Key()); k < len(s.tables) && s.tables[k] != nil && s.tables[k].Seq == seq {
		return s.tables[k]
	}
	return nil
}

// prepare makes sure that a table's entries and sets of places can be written for an entity,
// one of so many.
func (t *Table) prepare(e Entity, more int) error {
	if e.Index() < t.ready() {
		return nil
	}
	if t.place.plane == nil {
		return t.words.dense(e.Index())
	}
	var err error
	if uint32(t.Seq.Len()) > t.s.Bound()/2 {
		err = t.words.flatten(e.Index(), true)
	} else {
		err = t.words.ensure(e.Index(), t.s.Bound(), more)
	}
	if err != nil {
		return err
	}
	return t.place.prepare(e.Index(), t.s.Bound(), more)
}

// ready is the index below which entries and sets can be written.
func (t *Table) ready() uint32 {
	n := uint32(len(t.words.flat))
	if p := t.place.plane; p != nil {
		n = min(n, uint32(len(p.sets.flat)))
	}
	return n
}

// Flags of entities: which rows there are to look for.
const (
	inCommons entities.Flags = 2 // it may have a row in the commons
	inKin     entities.Flags = 4 // it has one in the group whose home its index was taken for
	inOthers  entities.Flags = 8 // it may have others, as planes say, or may be held by a lock, or disabled
)

// Alive tells whether a handle is of a live entity.
func (s *Store) Alive(e Entity) bool { return s.ids.Alive(e) }

// Len is the number of live entities.
func (s *Store) Len() int { return s.ids.Len() }

// Bound is one more than the largest index in reach.
func (s *Store) Bound() uint32 { return s.ids.Bound() }

// All iterates over the live entities by index.
func (s *Store) All() iter.Seq[Entity] { return s.ids.All() }

// Spawn makes an entity without components, whose index is of the common home. Errors are
// the arena's: the limit on entities or memory; nothing has changed then.
func (s *Store) Spawn() (Entity, error) {
	common := s.ids.Common()
	e, err := s.ids.TryTake(common, 0), error(nil)
	if e == 0 {
		e, err = s.ids.Take(common)
	}
	if s.Warms() {
		s.ahead(common, &s.Commons.words)
	}
	return e, err
}

// Destroy removes an entity and all its components. It returns ErrStale if it is not
// alive, and a LockedError if a lock holds it. It costs what the entity has.
func (s *Store) Destroy(e Entity) error {
	if s.guarded {
		return s.guardedDestroy(e)
	}
	if s.hooks != nil && s.tells() {
		return s.toldDestroy(e)
	}
	flags, alive := s.ids.Known(e)
	if !alive {
		return ErrStale
	}
	if flags&inCommons != 0 {
		s.takeFrom(&s.Commons.words, e)
	}
	if flags&inKin != 0 {
		s.takeFrom(s.kinOf(e), e)
	}
	if flags&inOthers != 0 {
		s.strip(e)
	}
	s.ids.Free(e)
	return nil
}

// takeFrom removes the row of an entity that entries name, if there is one.
func (s *Store) takeFrom(words *Words, e Entity) {
	w := words.Load(e.Index())
	if !Names(w, e) {
		return
	}
	if t := s.tableOf(w); t.bare && s.hooks == nil {
		t.drop(e, locOf(w), 0)
	} else {
		t.takeOut(e, locOf(w))
	}
}

// strip removes the rows of an entity that planes say it has.
func (s *Store) strip(e Entity) {
	i := e.Index()
	for _, p := range s.planes {
		set := p.sets.Load(i)
		if set == 0 {
			continue
		}
		p.sets.set(i, 0)
		for ; set != 0; set &= set - 1 {
			l := locOf(p.words(set).Load(i))
			s.tableAt(l).takeOut(e, l)
		}
	}
}

// kinOf is the entries of the group for which an entity's index was taken.
func (s *Store) kinOf(e Entity) *Words {
	return &s.groups[s.ids.Kin(e.Index())-1].words
}

// failed is an error of a component's change.
func (c *Component) failed(err error) error { return fmt.Errorf("component %q: %w", c.Name, err) }
