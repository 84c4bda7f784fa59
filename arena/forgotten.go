package arena

import (
	"fmt"
	"log/slog"
	"runtime"
	"strings"
)

// origin outlives an arena that has become garbage, for the report: the stack that made it, and
// the bytes that are still reserved.
type origin struct {
	callers  [10]uintptr // of New, the innermost first; 0 behind the last
	reserved uint64
	log      func(string)
}

// watch has an arena reported if it becomes garbage before Close. It notes addresses only;
// names are looked up for the report.
func (a *Arena) watch() {
	o := &origin{reserved: uint64(a.mapped.bytes), log: a.log}
	runtime.Callers(3, o.callers[:]) // not Callers, watch and New
	a.cleanup = runtime.AddCleanup(a, (*origin).tell, o)
}

func (o *origin) tell() {
	var b strings.Builder
	b.WriteString("arena: an arena was dropped without Close: call Close of the World, Manager or Arena that was made here.")
	if o.reserved != 0 {
		fmt.Fprintf(&b, " %d MiB of address space and what is committed of it stay taken, since slices may point there.", o.reserved>>20)
	}
	frames := runtime.CallersFrames(o.callers[:])
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); f.Function != "" {
			fmt.Fprintf(&b, "\n\t%s\n\t\t%s:%d", f.Function, f.File, f.Line)
		}
	}
	say(o.log, b.String())
}

// say tells the user something that is no error.
func (a *Arena) say(text string) { say(a.log, text) }

func say(log func(string), text string) {
	if log == nil {
		slog.Warn(text)
		return
	}
	log(text)
}
