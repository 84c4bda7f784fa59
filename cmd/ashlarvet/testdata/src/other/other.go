// Package other has types of which some methods write their receivers.
package other

type Counter struct {
	n     int
	names map[string]int
	in    inner
	Log
}

type inner struct{ n int }

type Log struct{ lines []string }

func (c *Counter) Inc()              { c.n++ }
func (c *Counter) Name(s string)     { c.names[s] = 1 }
func (c *Counter) Forget(s string)   { delete(c.names, s) }
func (c *Counter) Twice()            { c.once(); c.once() }
func (c *Counter) once()             { c.in.inc() }
func (i *inner) inc()                { i.n++ }
func (l *Log) Print(s string)        { l.lines = append(l.lines, s) }
func (c *Counter) Each(f func(int))  { func() { c.n = 0 }(); f(c.n) }
func (c *Counter) N() int            { return c.n + c.twice() }
func (c *Counter) twice() int        { d := *c; d.n *= 2; return d.n }
func (c Counter) With(n int) Counter { c.n = n; c.in.inc(); return c }
func (c Counter) Text() string       { return "" }
func (c Counter) Count(s string)     { c.names[s]++ }

type Names map[string]int

func (n Names) Add(s string)      { n[s]++ }
func (n Names) Has(s string) bool { return n[s] > 0 }
func (n *Names) Reset()           { *n = nil }
