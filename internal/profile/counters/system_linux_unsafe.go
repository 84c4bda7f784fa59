//go:build linux

package counters

import (
	"fmt"
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// system is perf_event of this machine.
func system() kernel {
	start := func(fd int) error { return unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_ENABLE, unix.PERF_IOC_FLAG_GROUP) }
	return kernel{open: perfOpen, start: start, read: unix.Read, close: unix.Close}
}

func perfOpen(e Event, leader int) (fd int, err error) {
	attr := unix.PerfEventAttr{
		Bits:        unix.PerfBitExcludeHv,
		Read_format: unix.PERF_FORMAT_GROUP | unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
	}
	attr.Size = uint32(unsafe.Sizeof(attr))
	if leader < 0 { // the others follow it
		attr.Bits |= unix.PerfBitDisabled
	}
	switch e {
	case Cycles:
		attr.Type, attr.Config = unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_CPU_CYCLES
	case CyclesUser:
		attr.Type, attr.Config = unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_CPU_CYCLES
		attr.Bits |= unix.PerfBitExcludeKernel
	case Instructions:
		attr.Type, attr.Config = unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_INSTRUCTIONS
	case CacheMisses:
		attr.Type, attr.Config = unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_CACHE_MISSES
	case DTLBMisses:
		attr.Type = unix.PERF_TYPE_HW_CACHE
		attr.Config = unix.PERF_COUNT_HW_CACHE_DTLB | unix.PERF_COUNT_HW_CACHE_OP_READ<<8 | unix.PERF_COUNT_HW_CACHE_RESULT_MISS<<16
	case PageFaults:
		attr.Type, attr.Config = unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_PAGE_FAULTS
	case ContextSwitches:
		attr.Type, attr.Config = unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_CONTEXT_SWITCHES
	case TaskClock:
		attr.Type, attr.Config = unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_TASK_CLOCK
	}
	fd, err = unix.PerfEventOpen(&attr, 0, -1, leader, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return -1, explain(err, leader)
	}
	return fd, nil
}

// explain says why the kernel refuses, and what to do.
func explain(err error, leader int) error {
	switch {
	case err == unix.EACCES || err == unix.EPERM:
		level, _ := os.ReadFile("/proc/sys/kernel/perf_event_paranoid") // only to say what it is
		return fmt.Errorf("%w: not allowed (%w): set kernel.perf_event_paranoid, now %q, to 1 or less, or run with CAP_PERFMON; "+
			"a container's seccomp profile must allow perf_event_open too", ErrUnavailable, err, strings.TrimSpace(string(level)))
	case err == unix.ENOSYS:
		return fmt.Errorf("%w: this kernel has no perf_event (%w): use one that is built with CONFIG_PERF_EVENTS", ErrUnavailable, err)
	case err == unix.EINVAL && leader >= 0:
		return fmt.Errorf("%w: the processor does not count these events together (%w): ask for fewer at once", ErrUnavailable, err)
	case err == unix.ENOENT || err == unix.EOPNOTSUPP || err == unix.ENODEV || err == unix.ENXIO || err == unix.EINVAL:
		return fmt.Errorf("%w: this machine does not count it (%w): on a virtual machine its host must pass counters on; measure by time instead", ErrUnavailable, err)
	case err == unix.EMFILE:
		return fmt.Errorf("%w: too many open files (%w): raise `ulimit -n`, or close groups", ErrUnavailable, err)
	}
	return fmt.Errorf("%w: perf_event_open: %w", ErrUnavailable, err)
}
