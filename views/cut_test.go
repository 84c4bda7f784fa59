package views

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// Cut is the plain copy, byte by byte, and writes nothing else.
func TestCut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		size := 1 + r.IntN(40)
		offset := r.IntN(20)
		stride, n := offset+size+r.IntN(20), r.IntN(30)
		src, dst := make([]byte, n*stride), make([]byte, n*size+9)
		for i := range src {
			src[i] = byte(1 + r.IntN(255))
		}
		want := bytes.Clone(dst)
		for i := range n {
			for b := range size {
				want[i*size+b] = src[i*stride+offset+b]
			}
		}
		if Cut(dst[:n*size:n*size], src, stride, offset, size); !bytes.Equal(dst, want) {
			t.Fatalf("%d values of %d at %d of %d: %x, want %x", n, size, offset, stride, dst, want)
		}
	}
}

func TestCutRefused(t *testing.T) {
	for name, cut := range map[string]func(){
		"behind the value": func() { Cut(make([]byte, 8), make([]byte, 16), 8, 5, 4) },
		"too few values":   func() { Cut(make([]byte, 12), make([]byte, 16), 8, 0, 4) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			cut()
		}()
	}
}
