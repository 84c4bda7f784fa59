//go:build !linux

package counters

import "fmt"

type group struct{}

func open() (*group, error) {
	return nil, fmt.Errorf("%w: only linux has perf_event", ErrUnavailable)
}

func (g *group) reset()               {}
func (g *group) read() (u, a float64) { return 0, 0 }
func (g *group) close() error         { return nil }
