package report

import (
	"time"

	"github.com/google/pprof/driver"
	pprofile "github.com/google/pprof/profile"
)

// PprofFile is a pprof file that was read.
type PprofFile = pprofile.Profile

// ParsePprof reads a pprof file.
func ParsePprof(raw []byte) (*PprofFile, error) { return pprofile.ParseData(raw) }

// PprofDriver has the parts of a command that pprof's driver needs. Package driver of google/pprof says what
// its interfaces are for.
type PprofDriver struct {
	Flags  driver.FlagSet
	Writer driver.Writer
	UI     driver.UI
	// Fetch reads a source that pprof does not know; it returns nil for one that it leaves to the
	// driver. It is told for how long the source is to be recorded, 0 if nothing was said.
	Fetch func(name string, duration time.Duration) (*PprofFile, error)
}

// Run works as `go tool pprof`, with arguments and files as d says. It can't be stopped.
func (d PprofDriver) Run() error {
	return driver.PProf(&driver.Options{Flagset: d.Flags, Fetch: pprofFetcher(d.Fetch), Writer: d.Writer, UI: d.UI})
}

type pprofFetcher func(name string, duration time.Duration) (*PprofFile, error)

// Fetch calls the function, and gives no place where a source came from.
func (f pprofFetcher) Fetch(name string, duration, _ time.Duration) (*pprofile.Profile, string, error) {
	p, err := f(name, duration)
	return p, "", err
}
