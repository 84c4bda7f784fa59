package arena

import (
	"fmt"
	"log/slog"
	"sync/atomic"
)

const (
	addressSpace = 1 << 47 // of a process, on 64 bit; where there is less, the system refuses

	reserveMin = 1 << 30 // a smaller reservation than this is worth less than the Go heap
)

// reservedInProcess is the address space that all arenas of this process hold,
// forgotten ones included. It is the package's only global: address space belongs to
// the process, and an arena that does not know of the others takes what Go's own heap
// needs.
var reservedInProcess atomic.Uint64

// machine is what the size of a reservation follows from; 0 is not known, or none.
type machine struct {
	physical uint64 // memory
	group    uint64 // limit of the process's control group; not read where physical is usual
	limit    uint64 // RLIMIT_AS: on the address space of this process
	used     uint64 // of that limit now, arenas included
}

// reserveFor decides how much address space the next arena reserves by default, given what the
// arenas of the process hold already. 0 means that the Go heap serves better. All arenas
// together take at most half of the address space, and at most half of what a limit leaves
// them:
//
//	arenas hold        the next one takes
//	up to an eighth    1/64 of the half: 1 TiB, or 4 times the memory if that is more, or the
//	                   limit of its control group
//	up to a half       1/512: 128 GiB
//	more               1/1024 of what is left of it: 32 GiB, and less with each
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
func (m machine) grouped(gauge func() *Gauge) machine {
	if m.physical > physicalUsual {
		m.group = gauge().Limit()
	}
	return m
}

// roundReserve makes both halves of a reservation whole regions.
func roundReserve(bytes uint64) uint64 {
	return max(bytes, 4*RegionBytes) / (2 * RegionBytes) * (2 * RegionBytes)
}

// reserveDefault reserves what the machine allows. After a refusal it reserves half of what
// the system would have granted, so that the rest of the process finds as much. It returns 0
// if the Go heap has to serve.
func (a *Arena) reserveDefault(m machine) (bytes uint64, err error) {
	bytes = reserveFor(m, reservedInProcess.Load())
	for refused := false; bytes >= reserveMin; bytes = roundReserve(bytes / 2) {
		if err = a.reserve(bytes); err != nil {
			refused = true
			continue
		}
		if !refused {
			return bytes, nil
		}
		refused = false
		if err = a.release(); err != nil {
			return 0, err
		}
	}
	return 0, err
}

// reserveFirst makes the reservation that Options ask for, or turns the arena to the
// Go heap where none was asked for and none is to be had.
func (a *Arena) reserveFirst(o Options) error {
	bytes := roundReserve(o.Reserve)
	var err error
	if o.Reserve != 0 {
		err = a.reserve(bytes)
	} else if bytes, err = a.reserveDefault(sysMachine().grouped(a.gauged)); bytes == 0 && o.Backend == Auto {
		a.backend = Heap
		a.chunkSpace = heapChunkSpace
		a.say(fmt.Sprintf("arena: memory comes from the Go heap: the limits of this process leave less than %d MiB of address space for an arena, and %d MiB are reserved by others. Raise the limit (ulimit -v), or set Options.Backend to arena.Heap to have it so without this line",
			uint64(reserveMin)>>20, reservedInProcess.Load()>>20))
		return nil
	} else if bytes == 0 && err == nil {
		err = fmt.Errorf("the limits of this process leave less than %d MiB", uint64(reserveMin)>>20)
	}
	if err != nil {
		return fmt.Errorf("arena: reserving address space: %w (set Options.Reserve to what the limits of this process allow, or Options.Backend to arena.Heap)", err)
	}
	a.chunkSpace, a.arraySpace = bytes/2, bytes/2
	a.stats.Reserved = bytes
	return nil
}

// say tells the user something that is no error.
func (a *Arena) say(text string) { say(a.log, text) }

func say(log func(string), text string) {
	if log == nil {
		slog.Warn(text)
		return
	}
	log(text)
}
