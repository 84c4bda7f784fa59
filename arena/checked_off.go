//go:build !ashlarcheck

package arena

// Checked tells a checked build, made with -tags ashlarcheck: memory that went out
// of use is poisoned, and broken contracts panic where they happen.
const Checked = false
