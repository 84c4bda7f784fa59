//go:build linux

package counters

import (
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"

	"golang.org/x/sys/unix"
)

// group is two counters of the calling thread: user cycles, and all cycles.
type group struct{ user, all int }

func open() (*group, error) {
	user, err := openCycles(unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv)
	if err != nil {
		return nil, err
	}
	all, err := openCycles(unix.PerfBitExcludeHv)
	if err != nil { // not allowed to see the kernel's: user cycles for both
		all = -1
	}
	return &group{user, all}, nil
}

func openCycles(bits uint64) (int, error) {
	attr := unix.PerfEventAttr{Type: unix.PERF_TYPE_HARDWARE, Config: unix.PERF_COUNT_HW_CPU_CYCLES, Bits: bits}
	attr.Size = uint32(unsafe.Sizeof(attr))
	fd, err := unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	switch err {
	case nil:
		return fd, nil
	case unix.ENOENT, unix.EOPNOTSUPP, unix.ENODEV:
		return -1, fmt.Errorf("%w: this machine, or its host, has none (%v)", ErrUnavailable, err)
	case unix.EACCES, unix.EPERM:
		return -1, fmt.Errorf("%w: not allowed (%v): set kernel.perf_event_paranoid to 1 or less, or add CAP_PERFMON", ErrUnavailable, err)
	}
	return -1, fmt.Errorf("%w: %v", ErrUnavailable, err)
}

func (g *group) reset() {
	for _, fd := range []int{g.user, g.all} {
		if fd >= 0 {
			_ = unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_RESET, 0)
		}
	}
}

func (g *group) read() (user, all float64) {
	user = readOne(g.user)
	if g.all < 0 {
		return user, user
	}
	return user, readOne(g.all)
}

func readOne(fd int) float64 {
	var buf [8]byte
	if n, err := unix.Read(fd, buf[:]); n != 8 || err != nil { // absent, not zero
		return math.NaN()
	}
	return float64(binary.NativeEndian.Uint64(buf[:]))
}

func (g *group) close() error {
	err := unix.Close(g.user)
	if g.all >= 0 {
		if e := unix.Close(g.all); err == nil {
			err = e
		}
	}
	return err
}
