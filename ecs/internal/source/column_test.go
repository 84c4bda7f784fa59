package source

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

func TestClash(t *testing.T) {
	a, b := &store.Component{Name: "a"}, &store.Component{Name: "b"}
	whole, first, second := Part{Size: 16}, Part{0, 8, "x"}, Part{8, 8, "y"}
	for _, c := range []struct {
		what string
		one  Column
		two  Column
		want string
	}{
		{"both read", Column{Comp: a, Part: whole}, Column{Comp: a, Part: first}, ""},
		{"apart", Column{Comp: a, Part: first, Write: true}, Column{Comp: a, Part: second}, ""},
		{"of two", Column{Comp: a, Part: whole, Write: true}, Column{Comp: b, Part: whole}, ""},
		{"one written", Column{Name: "V", Comp: a, Part: whole, Write: true}, Column{Name: "X", Comp: a, Part: second}, "fields V (a, written) and X (a.y) overlap"},
		{"the other written", Column{Name: "X", Comp: a, Part: second}, Column{Name: "V", Comp: a, Part: whole, Write: true}, "fields X (a.y) and V (a, written) overlap"},
		{"of no size", Column{Name: "T", Comp: a, Part: Part{}, Write: true}, Column{Name: "U", Comp: a, Part: Part{}}, "overlap"},
	} {
		err := Clash([]Column{c.one, c.two})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
}

func TestFull(t *testing.T) {
	for n := range 130 {
		bits := make([]uint64, (n+63)/64)
		for i := range n {
			bits[i/64] |= 1 << (i % 64)
		}
		if !full(bits, n) {
			t.Errorf("%d of %d bits are not full", n, n)
		}
		if n > 0 {
			bits[n/2/64] &^= 1 << (n / 2 % 64)
			if full(bits, n) {
				t.Errorf("%d of %d bits are full", n-1, n)
			}
		}
	}
}
