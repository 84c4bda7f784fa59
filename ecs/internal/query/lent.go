package query

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// While a walk filters a source, the values that its function gets may be copies. What the
// walk only reads is lent: nothing else may write it. What it writes is sealed: nothing else
// may read it either. So no result depends on whether values were copied. That goes for
// all batches of the source, in place or not, so that a program is refused or not whatever
// the length of its runs.

// lend notes that values of the columns are lent once more, or once less.
func (c *Cursor) lend(n int) {
	if c.parallel {
		return // nothing else may write these, nor read what is written
	}
	for j := range c.Columns {
		x := &c.Columns[j]
		if x.Comp.Lent += n; x.Write {
			x.Comp.Seal(n)
		}
	}
}

// Lent is the panic of a write of a component while something goes over gathered values of it.
// Whether that saw the change, or undid it, would depend on how they were gathered.
func (b *Base) Lent(c *store.Component, by string) string {
	return fmt.Sprintf("ecs: component %q is written by %s while %s goes over gathered values of it: let the system's struct write it (`ashlar:\"write\"`), or make the change in another system", c.Name, by, b.Walks.Busy)
}

// Sealed is the panic of a read of components while something writes gathered values of them.
// The read would see the old values or the new ones, depending on how they were gathered.
func (b *Base) Sealed(by string, names ...string) string {
	return fmt.Sprintf("ecs: component %q is read by %s while %s goes over gathered values of it and writes them: use the values of its struct, or make it a struct of pointers, which are passed in place, or read in another system", strings.Join(names, `" or "`), by, b.Walks.Busy)
}

// mustNotMeetLent panics if the struct has a component that something goes over gathered
// values of, and one of the two writes it.
func (c *Cursor) mustNotMeetLent() {
	for j := range c.Columns {
		switch x := &c.Columns[j]; {
		case x.Comp.Lent == 0:
		case x.Write:
			panic(c.base.Lent(x.Comp, c.Name))
		case x.Comp.Sealed > 0:
			panic(c.base.Sealed(c.Name, x.Comp.Name))
		}
	}
}

// tellSealed panics if there is a panic because something has read entries that are sealed: it
// says more.
func (c *Cursor) tellSealed() {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	faulted := false
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case !strings.HasPrefix(f.Function, "runtime."):
			if faulted {
				if names := c.base.S.Sealed(); len(names) > 0 && strings.HasSuffix(f.Function, "store.(*Words).Load") {
					panic(c.base.Sealed("handle", names...))
				}
				return
			}
		case f.Function == "runtime.sigpanic" || f.Function == "runtime.panicmem":
			faulted = true
		}
	}
}
