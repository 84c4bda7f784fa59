//go:build !race

package programs

const slow = false
