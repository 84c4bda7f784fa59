//go:build !race

package programs

const raced = false
