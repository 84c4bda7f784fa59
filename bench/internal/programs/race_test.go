//go:build race

package programs

const slow = true
