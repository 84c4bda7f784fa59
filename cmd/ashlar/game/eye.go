package game

// eye is where the picture is taken from. It sees a wedge of a right angle, up to far:
//
//	\  seen  /
//	 \  ↑   /   ahead: along the way it looks
//	  \ │  /    aside: across it
//	   eye
type eye struct {
	at       Vec3
	sin, cos int64 // of where it looks, in 2¹⁴
}

const far = side / 3

// start is where the eye is at first: in the middle.
var start = Vec3{side / 2, side / 64, side / 2}

func eyeAt(at Vec3, frame uint64) eye {
	yaw := uint32(frame) << 23 // 512 frames to turn round
	return eye{at, int64(wave(yaw)), int64(wave(yaw + quarter))}
}

// follow goes towards where most things are.
func (e eye) follow(c crowd, frame uint64) eye {
	z := int32(c.densest())
	const half = 1 << (zoneShift - 1)
	x, y := z%zoneSide<<zoneShift+half, z/zoneSide<<zoneShift+half
	return eyeAt(Vec3{e.at.X + (x-e.at.X)>>6, e.at.Y, e.at.Z + (y-e.at.Z)>>6}, frame)
}

// locate is how far ahead a place is, and how far aside.
func (e *eye) locate(at Vec3) (ahead, aside int32) {
	dx, dz := int64(at.X-e.at.X), int64(at.Z-e.at.Z)
	return int32((dx*e.sin + dz*e.cos) >> 14), int32((dx*e.cos - dz*e.sin) >> 14)
}

// sees tells whether a sphere is in the wedge: 1 or 0.
func sees(ahead, aside, radius int32) int32 {
	reach := radius + radius>>1
	if abs(aside) < ahead+reach && ahead < far+reach {
		return 1
	}
	return 0
}

// Draw is the data for a graphics card about one visible thing.
type Draw struct {
	Mesh   uint32
	Depth  int32
	Matrix [9]int32 // rotation and scale
	At     Vec3
}

// draw is a thing as the eye sees it. Only visible things are turned into a matrix.
func draw(s Sprite, t *Transform) Draw {
	sin, cos := wave(uint32(t.Rotation.Yaw)), wave(uint32(t.Rotation.Yaw)+quarter)
	k := t.Scale
	return Draw{s.Mesh, s.Depth, [9]int32{
		cos * k.X, 0, sin * k.Z,
		0, k.Y + t.Rotation.Roll>>20, t.Rotation.Pitch >> 20,
		-sin * k.X, 0, cos * k.Z,
	}, t.Position}
}

// drawn is a sum over a list, so that it depends on no order.
func drawn(list []Draw) (sum uint64) {
	for i := range list {
		d := &list[i]
		m := &d.Matrix
		sum += mix(pair(d.Mesh, uint32(d.Depth)), pair(uint32(m[0]), uint32(m[2]))^pair(uint32(m[4]), uint32(m[5])),
			pair(uint32(d.At.X), uint32(d.At.Z))+uint64(uint32(d.At.Y))<<16)
	}
	return sum
}

func pair(a, b uint32) uint64 { return uint64(a)<<32 | uint64(b) }
