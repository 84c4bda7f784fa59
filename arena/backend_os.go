//go:build !race && (linux || darwin || windows) && (amd64 || arm64 || riscv64 || ppc64le || s390x || loong64)

package arena

const (
	backendDefault = OS
	backendForced  = false
)
