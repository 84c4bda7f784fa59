package ecs

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

type op uint8

const (
	opDestroy op = iota // of one entity, or of several that were asked for one after the other
	opAdd
	opSet
	opPut // add or set
	opRemove
	opFill    // the components of a group or spawner, for an entity that has none yet
	opPutEach // the components of a group or spawner, each added or set
	opEnable
	opDisable
	opMass // of many entities
	opExchange
)

// command is one change that waits for the next safe point. It has no pointers, so that the collector passes over a long
// queue, and a place in the queue is written field by field.
type command struct {
	op     op
	asker  uint32 // place in Commands.askers
	of     uint32 // number of the component, or of the bundle in Commands.bundles, from 1 on; of opDestroy how many
	value  uint32 // where the value starts in Commands.values; of opDestroy the handles
	entity Entity // of opDestroy the first; of opMass the place in Commands.masses
}

// changes is how many changes commands make. One of Destroy may be of many entities.
func changes(ops []command) (n int) {
	for i := range ops {
		if n++; ops[i].op == opDestroy {
			n += int(ops[i].of) - 1
		}
	}
	return n
}

// push writes a command behind the last one.
func (c *Commands) push(op op, asker uint32, e Entity, of, value uint32) {
	n := len(c.ops)
	if n == cap(c.ops) {
		c.ops = grown(c.ops, 1)
	}
	c.ops = c.ops[:n+1]
	o := &c.ops[n]
	o.op, o.asker, o.of, o.value, o.entity = op, asker, of, value, e
}

// dying are the entities of a command that destroys.
func (c *Commands) dying(o *command) []Entity {
	return raw.Slice[Entity](c.at(o.value), int(o.of))
}

// pool is the component that a command is of; nil: entities as a whole.
func (c *Commands) pool(o *command) *pool {
	if o.of == 0 {
		return nil
	}
	return c.w.names.pools[o.of-1]
}

// bundle has the components that a command gives an entity; nil: none.
func (c *Commands) bundle(o *command) *store.Bundle {
	if o.of == 0 {
		return nil
	}
	return c.bundles[o.of-1]
}

// bundled is the number of a bundle for a command. It becomes the last in bundles.
func (c *Commands) bundled(b *store.Bundle) uint32 {
	if last := len(c.bundles) - 1; last < 0 || c.bundles[last] != b {
		c.bundles = append(c.bundles, b)
	}
	return uint32(len(c.bundles))
}
