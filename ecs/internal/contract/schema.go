package contract

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr/clock"
)

// Field is a component of a schema as its user states it.
type Field struct {
	C        *store.Component
	Offset   uintptr // of the pointer in the struct that is filled
	Part     uintptr // offset of its value in the component; of a Schema 0
	Filled   bool    // there is one
	Write    bool
	Optional bool // the entity may lack it
}

// Schema is components that an entity has to have. It is made by New, and must not be copied.
//
// arrange sets home, near, odd, away and shorts from the ways of storing, and is due again when the
// store's version differs from valid. bases and noted are caches by chunk, noted by note.
type Schema struct {
	clocks *store.RowClocks
	bases  []raw.Word // by number of a chunk, and by Lane.column: where row 0 of it lies
	shorts []short    // the first columns, which fillNear fills
	odd    []*Lane    // lanes outside the home
	away   []*Lane    // lanes of odd that are required
	near   []*Lane    // the others
	writes []*Lane    // lanes to be written
	lanes  []Lane
	noted  []clock.Places // by number of a chunk: Places when its bases were noted
	home   *store.Words   // nil: all components are found one by one
	valid  uint64         // the clock of the home; 0: not yet known
	ended  bool           // see End
	partly bool           // a chunk was noted of which not all rows have all of the home's components
	store  *store.Store
	stats  Stats
	zeros  []uint64   // a value of each component: zero
	were   []raw.Word // scratch of verify

	// Lock is the one that contracts take. It has the schema's name, and the required components.
	Lock store.Lock
	// Bundle are the required components, to spawn entities with Zero of each.
	Bundle *store.Bundle
}

// short is a lane as Fill needs it.
type short struct{ offset, size uint32 }

// Stats count the work of instances of a schema.
type Stats struct {
	// Rechecks is how often an instance found that something had changed in its table.
	Rechecks uint64
	// Refreshes is how often it found its own entity elsewhere, or without a component.
	Refreshes uint64
}

// Lane is a component of a schema.
type Lane struct {
	first raw.Ptr // its base of chunk 0; nil after End
	Field
	x      *Schema
	column int  // of the bases
	far    bool // it is not in the schema's home
	stays  bool // it must be
}

// New makes a schema. The first of the fields that are not optional says which home it has.
func New(s *store.Store, name string, fields []Field) *Schema {
	x := &Schema{Lock: store.Lock{Name: name}}
	x.init(s, fields)
	longest := uintptr(0)
	for _, f := range fields {
		f.C.Bind()
		longest = max(longest, f.C.Size)
		if !f.Optional {
			x.Lock.Comps = append(x.Lock.Comps, f.C)
		}
	}
	x.Bundle = s.NewBundle(x.Lock.Comps, make([]uintptr, len(x.Lock.Comps)))
	x.zeros = make([]uint64, longest/8+1)
	return x
}

// init sets the fields that do not depend on how components are stored.
func (x *Schema) init(s *store.Store, fields []Field) {
	x.store, x.clocks = s, s.RowClocks()
	for _, f := range fields {
		x.lanes = append(x.lanes, Lane{Field: f, x: x})
	}
	for k := range x.lanes {
		if x.lanes[k].Write {
			x.writes = append(x.writes, &x.lanes[k])
		}
	}
	x.room(0)
}

// Lanes are the components, in the order of the fields.
func (x *Schema) Lanes() []Lane { return x.lanes }

// Stats are the counts of all instances so far.
func (x *Schema) Stats() Stats { return x.stats }

// Writes tells whether some component is to be written.
func (x *Schema) Writes() bool { return len(x.writes) > 0 }

// Zero is the address of a zero value of any of the components.
func (x *Schema) Zero() raw.Ptr { return raw.Data(x.zeros) }

// Lacks calls f with each component that an entity must have and lacks.
func (x *Schema) Lacks(e store.Entity, f func(k int)) {
	for k := range x.lanes {
		if l := &x.lanes[k]; !l.Optional && !l.C.Has(e) {
			f(k)
		}
	}
}

// Hold has a lane be in the schema's home for good. It returns false if it is not, or need
// not stay there: code has to state how it is stored.
func (x *Schema) Hold(l *Lane) bool {
	x.arrange()
	if l.far || !l.C.Stays() {
		return false
	}
	l.stays = true
	l.C.Pin()
	return true
}

// arrange finds out which components are in the schema's home, and says which columns of the
// bases are theirs. The ways of storing may have changed.
func (x *Schema) arrange() {
	x.home = nil
	for k := range x.lanes {
		if l := &x.lanes[k]; x.home == nil && !l.Optional {
			x.home = l.C.Rows()
		}
	}
	x.shorts, x.odd, x.away, x.near = x.shorts[:0], x.odd[:0], x.away[:0], x.near[:0]
	for k := range x.lanes {
		l := &x.lanes[k]
		l.far = l.Optional || x.home == nil || l.C.Rows() != x.home
		if l.far && l.stays {
			panic("ecs: component \"" + l.C.Name + "\" was taken over by a group after ecs.FieldOf was called: make groups first")
		}
		switch {
		case l.far:
			x.odd = append(x.odd, l)
			if !l.Optional {
				x.away = append(x.away, l)
			}
			continue
		case l.Filled:
			l.column = len(x.shorts)
			x.shorts = append(x.shorts, short{offset: uint32(l.Offset), size: uint32(l.C.Size)})
		}
		x.near = append(x.near, l)
	}
	column := len(x.shorts)
	for k := range x.lanes {
		if l := &x.lanes[k]; l.far || !l.Filled {
			l.column = column
			column++
		}
	}
	clear(x.noted)
	x.partly = false
	x.room(0)
	x.valid = x.store.Version()
}

// room makes room for the bases of a chunk.
func (x *Schema) room(chunk int) {
	x.noted = append(x.noted, make([]clock.Places, max(chunk+1, 16, len(x.noted))-len(x.noted))...)
	x.bases = append(x.bases, make([]raw.Word, len(x.noted)*len(x.lanes)-len(x.bases))...)
	for k := range x.lanes {
		if x.ended {
			x.lanes[k].first = nil
			continue
		}
		x.lanes[k].first = raw.Of(&x.bases[x.lanes[k].column])
	}
}

// End has lanes say Ended from now on: the memory of all values goes.
func (x *Schema) End() {
	x.ended = true
	x.room(0)
}

// notes tells whether the addresses of the columns of the home's components in the chunk of an entry are noted.
func (x *Schema) notes(w uint64) bool {
	chunk := uint(store.LocOf(w).Chunk())
	return chunk < uint(len(x.noted)) && !x.store.Places().Stale(x.noted[chunk])
}

// note notes them, and tells whether the chunk has all columns.
func (x *Schema) note(w uint64) bool {
	chunk, places := int(store.LocOf(w).Chunk()), x.store.Places()
	if chunk >= len(x.noted) {
		x.room(chunk)
	}
	bases := x.bases[chunk*len(x.lanes):]
	for _, l := range x.near {
		at := l.C.Dir.Place(w)
		if !at.Is(w) {
			return false
		}
		bases[l.column] = raw.Address(at.Addr)
		x.partly = x.partly || at.Own() != nil
	}
	x.noted[chunk] = places
	return true
}

// inRow tells whether the row that an entry names has all of the home's components: a chunk may have
// columns that only some of its rows use.
func (x *Schema) inRow(w uint64) bool {
	for _, l := range x.near {
		if !l.C.InRow(w) {
			return false
		}
	}
	return true
}

// Check proves that the bases that instances may use are the addresses of columns.
func (x *Schema) Check() error {
	if x.valid != x.store.Version() {
		return nil // they are not used before they are arranged
	}
	for chunk, noted := range x.noted {
		if noted == 0 || x.store.Places().Stale(noted) {
			continue
		}
		for _, l := range x.near {
			at := l.C.Dir.Place(uint64(chunk))
			if base := x.bases[chunk*len(x.lanes)+l.column]; !at.Is(uint64(chunk)) || base != raw.Address(at.Addr) {
				return fmt.Errorf("chunk %d has %q at another address than was noted", chunk, l.C.Name)
			}
		}
	}
	return nil
}
