//go:build race || !(linux || darwin || windows) || !(amd64 || arm64 || riscv64 || ppc64le || s390x || loong64)

package arena

// The race detector sees neither races in mapped memory nor the order of atomics that are
// stored there; 32-bit address spaces are too small; wasm has no mappings.
const (
	backendDefault = Heap
	backendForced  = true
)
