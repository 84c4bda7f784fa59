package ecs

// WithRunLength returns options of a world in which runs of matching rows are passed in place
// from another length on. No result may depend on it.
func WithRunLength(o Options, rows int) Options {
	o.runLength = rows
	return o
}
