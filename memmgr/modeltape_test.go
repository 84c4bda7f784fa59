package memmgr

import "math/rand/v2"

// tape is where a model's commands come from: random numbers, or a fuzzer's bytes.
type tape struct {
	random *rand.Rand
	data   []byte
	left   int // commands
}

// n returns a number below most.
func (t *tape) n(most int) int {
	if t.random != nil {
		return t.random.IntN(most)
	}
	v := 0
	for k := most - 1; k > 0 && len(t.data) > 0; k >>= 8 {
		v = v<<8 | int(t.data[0])
		t.data = t.data[1:]
	}
	return v % most
}

func (t *tape) more() bool {
	t.left--
	return t.left >= 0 && (t.random != nil || len(t.data) > 0)
}
