package arena

import "sync/atomic"

const (
	addressSpace = 1 << 47 // of a process, on 64 bit; where there is less, the system refuses

	reserveMin = 1 << 30 // a smaller reservation than this is worth less than the Go heap
)

// reservedInProcess is the address space that all arenas of this process hold,
// forgotten ones included. Address space belongs to the process, and an arena that does
// not know of the others takes what Go's own heap needs.
var reservedInProcess atomic.Uint64

// machine has the figures that decide the size of a reservation; 0 is not known, or none.
type machine struct {
	physical uint64 // memory
	group    uint64 // limit of the process's control group; not read where physical is usual
	limit    uint64 // RLIMIT_AS: on the address space of this process
	used     uint64 // of that limit now, arenas included
}

// reserveFor decides how much address space the next arena reserves by default, given the address space that the
// arenas of the process hold already. 0 means that the Go heap serves better. All arenas
// together take at most half of the address space, and at most half of the room that a limit leaves
// them:
//
//	arenas hold        the next one takes
//	up to an eighth    1/64 of the half: 1 TiB, or 4 times the memory if that is more, or the
//	                   limit of its control group
//	up to a half       1/512: 128 GiB
//	more               1/1024 of the rest of it: 32 GiB, and less with each
//
// So the first ones are large enough for any use. In practice there is no last one: the
// 1,000th gets 14 GiB.
func reserveFor(m machine, reserved uint64) uint64 {
	const all = addressSpace / 2
	left := all - min(all, reserved)
	m.physical = smaller(m.physical, m.group)
	var bytes uint64
	switch {
	case reserved < all/8:
		bytes = min(max(all/64, 4*m.physical), left/4)
	case reserved < all/2:
		bytes = all / 512
	default:
		bytes = left / 1024
	}
	if m.limit != 0 {
		others := m.used - min(m.used, reserved)
		room := (m.limit - min(m.limit, others)) / 2
		bytes = min(bytes, room-min(room, reserved))
	}
	if bytes < reserveMin {
		return 0
	}
	return roundReserve(bytes)
}

// physicalUsual is the memory of a machine up to which it decides nothing.
const physicalUsual = addressSpace / 2 / 64 / 4

// grouped adds the limit of the process's control group where it decides.
func (m machine) grouped(gauge func() *gauge) machine {
	if m.physical > physicalUsual {
		m.group = gauge().leastLimit()
	}
	return m
}

// roundReserve makes both halves of a reservation whole regions.
func roundReserve(bytes uint64) uint64 {
	return max(bytes, 4*RegionBytes) / (2 * RegionBytes) * (2 * RegionBytes)
}
