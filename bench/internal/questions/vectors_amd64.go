package questions

// vectors is whether there is a loop in assembly.
const vectors = true

// raiseVectors adds 1 to each, four values in a step, by instructions that each amd64 processor has.
//
//go:noescape
func raiseVectors(v []weight)
