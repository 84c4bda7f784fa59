//go:build !amd64

package questions

const vectors = false

func raiseVectors(v []weight) { raise(v) }
