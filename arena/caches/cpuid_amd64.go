package caches

// ask is the instruction.
//
//go:noescape
func ask(leaf, sub uint32, r *registers)

func cpuid(leaf, sub uint32) (r registers) {
	ask(leaf, sub, &r)
	return r
}
