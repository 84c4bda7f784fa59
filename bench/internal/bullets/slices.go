package bullets

import "github.com/ashlar-go/ashlar/bench/internal/twin"

// flat is the program in a slice.
type flat struct {
	gun
	bullets []bullet
}

func openSlices(entities int) twin.Stage {
	f := &flat{gun: gunFor(entities)}
	return twin.Stage{Frame: f.step, Digest: f.digest}
}

func (f *flat) step() {
	f.bullets = append(f.bullets, f.fire()...)
	for i := 0; i < len(f.bullets); {
		b := &f.bullets[i]
		b.Position.X += b.Velocity.X
		b.Position.Y += b.Velocity.Y
		if b.Fuse.Left--; b.Fuse.Left > 0 {
			i++
			continue
		}
		f.story += hit(b.Position, b.Fuse.Damage)
		*b = f.bullets[len(f.bullets)-1]
		f.bullets = f.bullets[:len(f.bullets)-1]
	}
}

func (f *flat) digest() uint64 {
	sum := f.story
	for i := range f.bullets {
		sum += f.bullets[i].hash()
	}
	return sum
}
