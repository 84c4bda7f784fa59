package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// Lend notes that a lender may have copies of the component's values. As long as one has, the
// directory has no entries: code that is inlined elsewhere finds nothing there, and calls Find. Find
// asks the lenders. Contracts that have the component become invalid, and ask for each value until the last one is
// gone. Each Lend needs its Unlend. It costs the same for any number of rows, and a count for each table if a contract has the
// component.
//
//	lenders     directory         a read by handle
//	none        owner's entries   inlined look-up of the row
//	some        no entries        Find, Reach, Copy of each lender, then the row
func (c *Component) Lend(l *Lender) {
	if c.lenders = append(c.lenders, l); len(c.lenders) == 1 && c.ahead == 0 {
		c.divert(1)
	}
}

// Unlend ends a Lend of the same lender, which has put its copies back. Walks nest, so it is mostly
// the last one.
func (c *Component) Unlend(l *Lender) {
	if last := len(c.lenders) - 1; c.lenders[last] == l {
		c.lenders = c.lenders[:last]
	} else {
		i := slices.Index(c.lenders, l)
		c.lenders = slices.Delete(c.lenders, i, i+1)
	}
	if len(c.lenders) == 0 && c.ahead == 0 {
		c.divert(-1)
	}
}

// LendAhead says how many systems beside others begin, or with less than 0 end, that may lend the component. Meanwhile Lend and
// Unlend change the component's own list and nothing that other goroutines read.
func (c *Component) LendAhead(by int) {
	was := c.MayLend()
	if c.ahead += by; c.MayLend() != was {
		c.divert(by)
	}
}

// MayLend tells whether a lender may have copies, now or before LendAhead ends.
func (c *Component) MayLend() bool { return len(c.lenders)+c.ahead > 0 }

// divert has accesses by handle ask lenders from now on, or with -1 no longer. Contracts become invalid either way, because they
// may have the address of a copy.
func (c *Component) divert(by int) {
	c.noticed = c.MayLend() || c.setting != nil
	c.store.plainly(&c.store.lending, by)
	c.point()
	c.shift()
}

// shift makes contracts that have the component in their rows invalid, so that they ask again.
// Components without contracts skip it.
func (c *Component) shift() {
	if !c.bound {
		return
	}
	for _, t := range c.tables {
		t.Seq.Shift()
	}
}

// Bind notes that a contract has the component. There is no way back: a later Lend then always shifts.
func (c *Component) Bind() { c.bound = true }

// Noticed tells whether a value that is set by handle concerns somebody: lenders, or observers.
func (c *Component) Noticed() bool { return c.noticed }

// Lent tells whether a lender may have copies now.
func (c *Component) Lent() bool { return len(c.lenders) > 0 }

// Pin asks lenders not to copy values of the component from now on, if they can be passed otherwise.
// Code that is inlined elsewhere then reads them where they are.
func (c *Component) Pin() { c.pinned = true }

// Pinned tells whether Pin was called.
func (c *Component) Pinned() bool { return c.pinned }

// Reach returns the address of an entity's value: in its row, or in the copy that stands for it. It is
// nil if the entity lacks the component. With write, the row is stamped as written, and a lender puts
// its copy back. The address is good until rows change, or until the call ends to which the copy is
// passed.
func (c *Component) Reach(e Entity, write bool) raw.Ptr {
	l, has := c.Loc(e)
	if !has {
		return nil
	}
	if write {
		c.Written(e, l)
	}
	at := c.At(l)
	for _, x := range c.lenders {
		at = x.Copy(c, e, at, write)
	}
	return at
}

// Refresh says that values that Reach has returned for writing are written: the last time, or all times. So
// lenders with copies of fields show it at once, and not only when Reach is called next.
func (c *Component) Refresh(all bool) {
	for _, x := range c.lenders {
		x.Refresh(all)
	}
}
