// Package bullets is a fountain of bullets: 20,000 are fired in every sixth frame, each flies for some
// 56 frames, and so 187,000 are alive. Births come in bursts, deaths in every frame.
package bullets

import "github.com/ashlar-go/ashlar/bench/internal/twin"

// The components: 40 bytes.
type (
	Position struct{ X, Y int64 }
	Velocity struct{ X, Y int64 }
	Fuse     struct{ Left, Damage uint32 }
)

// bullet has all that a bullet has.
type bullet struct {
	Position Position
	Velocity Velocity
	Fuse     Fuse
}

const (
	alive  = 187_000 // bullets, at full scale
	salvo  = 20_000  // of them are born at once
	every  = 6       // frames
	flight = 36      // frames at least
	longer = 41      // up to so many more, but for one
)

// gun fires bullets. Its values are the same in all variants.
type gun struct {
	salvo  int
	frame  uint64
	serial uint64
	story  uint64 // of bullets that have hit the ground
	batch  []bullet
}

func gunFor(entities int) gun { return gun{salvo: max(1, entities*salvo/alive)} }

// fire returns the bullets that are born in this frame: none in most.
func (g *gun) fire() []bullet {
	g.batch = g.batch[:0]
	if g.frame%every == 0 {
		for range g.salvo {
			g.serial++
			h := twin.Mix(g.serial, 1)
			g.batch = append(g.batch, bullet{
				Velocity: Velocity{int64(h&0xfff) - 2048, int64(h>>12&0xfff) - 2048},
				Fuse:     Fuse{flight + uint32(h>>32)%longer, uint32(h>>24) & 0xff},
			})
		}
	}
	g.frame++
	return g.batch
}

// hit is what is told about a bullet that has hit the ground.
func hit(at Position, damage uint32) uint64 {
	return twin.Mix(uint64(at.X)<<32^uint64(at.Y), uint64(damage))
}

func (b *bullet) hash() uint64 {
	return twin.Mix(hit(b.Position, b.Fuse.Damage), uint64(b.Velocity.X)<<32^uint64(b.Velocity.Y)) + uint64(b.Fuse.Left)
}

// Programs are bullets in bursts.
func Programs() []twin.Program {
	slices := []string{twin.Slices}
	return []twin.Program{{
		Name: "bullets: 20,000 born every sixth frame", Entities: alive, Frames: 600, Warm: 120,
		Bars:     []twin.Bar{{Figure: twin.P50, Of: slices, Most: 1.2}, {Figure: twin.P99, Of: slices, Most: 1.5}},
		Variants: []twin.Variant{twin.OnAshlar(openAshlar), {Name: twin.Slices, Open: openSlices}},
	}}
}
