//go:build race

package programs

const raced = true
