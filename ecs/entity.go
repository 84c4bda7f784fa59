package ecs

import "github.com/ashlar-go/ashlar/ecs/internal/store"

// Entity is a handle: the index of a record, and the version that the record had
// when the handle was given out. It is a plain number of 64 bits, may be stored
// anywhere, and stays recognisable as stale after its entity has been destroyed.
// The zero Entity is null: no entity. Its methods are Index and Version (the two as
// uint32; indexes begin with 1), IsNull, and String ("17v3").
type Entity = store.Entity
