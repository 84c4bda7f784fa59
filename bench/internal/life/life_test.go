package life

import (
	"fmt"
	"strings"
	"testing"
)

// model is Life on a board of bits, as one writes it without entities.
type model struct {
	g    Grid
	bits []uint64
}

func newModel(g Grid) *model {
	m := &model{g, make([]uint64, (g.Cells()+63)/64)}
	for i := range g.Cells() {
		m.bits[i/64] |= uint64(g.First(i).Alive) << (i % 64)
	}
	return m
}

func (m *model) at(x, y int) int {
	i := (y+m.g.Height)%m.g.Height*m.g.Width + (x+m.g.Width)%m.g.Width
	return int(m.bits[i/64] >> (i % 64) & 1)
}

func (m *model) step() {
	after := make([]uint64, len(m.bits))
	for y := range m.g.Height {
		for x := range m.g.Width {
			n := -m.at(x, y)
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					n += m.at(x+dx, y+dy)
				}
			}
			if i := y*m.g.Width + x; n == 3 || n == 2 && m.at(x, y) == 1 {
				after[i/64] |= 1 << (i % 64)
			}
		}
	}
	m.bits = after
}

// Every candidate has the board of the plain model after each frame, and draws it.
func TestCandidatesAgreeWithBits(t *testing.T) {
	for _, g := range []Grid{GridOf(100), {40, 25}} {
		for _, draws := range []bool{false, true} {
			for _, c := range append(Candidates(), threaded()...) {
				if draws && strings.HasSuffix(c.Storage, "+threads") {
					continue // it has systems alone
				}
				t.Run(fmt.Sprintf("%s-%s-%d-%v", c.Storage, c.Way, g.Cells(), draws), func(t *testing.T) {
					game, m := c.Open(g, draws), newModel(g)
					defer game.Close()
					alive := 0
					for frame := range 60 {
						for i := range g.Cells() {
							want := m.at(i%g.Width, i/g.Width) == 1
							if game.Alive(i) != want {
								t.Fatalf("frame %d: cell %d is %v", frame, i, !want)
							}
							if draws && frame > 0 && (game.Picture()[i] != 0) != want {
								t.Fatalf("frame %d: cell %d is drawn %d", frame, i, game.Picture()[i])
							}
							if want {
								alive++
							}
						}
						game.Step()
						m.step()
					}
					if alive == 0 || (game.Picture() == nil) == draws {
						t.Error("nothing lives, or the picture is wrong")
					}
				})
			}
		}
	}
}

func TestGrid(t *testing.T) {
	for n, want := range map[int]Grid{100: {10, 10}, 1000: {40, 25}, 50_000: {250, 200}, 5_000_000: {2500, 2000}} {
		if g := GridOf(n); g != want {
			t.Errorf("%d: %v", n, g)
		}
	}
	if near := (Grid{4, 3}).Near(0); near != [8]int{11, 8, 9, 3, 1, 7, 4, 5} {
		t.Error(near)
	}
}

// A state, or a drawn byte, that differs changes the digest.
func TestDigest(t *testing.T) {
	g := GridOf(100)
	game := openArrays(g, true).(*arrays)
	game.Step()
	first := digest(game, 100)
	game.state[7].Alive ^= 1
	second := digest(game, 100)
	game.picture[9] ^= 255
	if third := digest(game, 100); first == second || second == third {
		t.Error("the digest misses a change")
	}
}
