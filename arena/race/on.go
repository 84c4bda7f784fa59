//go:build race

package race

// Enabled tells whether this is a race build.
const Enabled = true
