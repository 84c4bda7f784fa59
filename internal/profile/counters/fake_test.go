package counters

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"
)

var errRefused = fmt.Errorf("%w: refused by the test", ErrUnavailable)

// fake is a kernel that grants what it is told to. Every reading adds to each
// count what it costs to read, and work adds the rest.
type fake struct {
	refuse  map[Event]bool
	perRead uint64
	share   uint64 // of the time, in percent, that the events run; 0 means 100

	opened, closed []int
	started        []int
	failStart      error
	leaders        []int
	list           []Event
	counts         []uint64
	enabled        uint64
	running        uint64
	failRead       error
	short          bool
	failClose      error
	wall, cpu      time.Duration
	rates          []float64
	failCPU        error
}

func (f *fake) kernel() kernel {
	return kernel{
		open: func(e Event, leader int) (int, error) {
			if f.refuse[e] {
				return -1, errRefused
			}
			if leader < 0 { // a new group
				f.list, f.counts, f.enabled, f.running = nil, nil, 0, 0
			}
			fd := 100 + len(f.opened)
			f.opened, f.leaders = append(f.opened, fd), append(f.leaders, leader)
			f.list, f.counts = append(f.list, e), append(f.counts, 0)
			return fd, nil
		},
		start: func(fd int) error {
			f.started = append(f.started, fd)
			return f.failStart
		},
		read: func(fd int, buf []byte) (int, error) {
			if f.failRead != nil {
				return 0, f.failRead
			}
			if f.short {
				return 8, nil
			}
			f.work(10, f.perRead)
			words := append([]uint64{uint64(len(f.counts)), f.enabled, f.running}, f.counts...)
			for i, w := range words {
				binary.NativeEndian.PutUint64(buf[8*i:], w)
			}
			return 8 * len(words), nil
		},
		close: func(fd int) error {
			f.closed = append(f.closed, fd)
			return f.failClose
		},
	}
}

// work is ns of it, in which the first event happens n times, the next 2n times.
func (f *fake) work(ns, n uint64) {
	share := f.share
	if share == 0 || share == never {
		share = 100
	}
	if f.share != never {
		f.running += ns * share / 100
		for i := range f.counts {
			f.counts[i] += n * uint64(i+1) * share / 100
		}
	}
	f.enabled += ns
}

const never = ^uint64(0)

func (f *fake) clock() clock {
	return clock{
		now: func() time.Time { return time.Unix(0, 0).Add(f.wall) },
		cpu: func() (time.Duration, error) { return f.cpu, f.failCPU },
		rate: func() float64 {
			r := f.rates[0]
			f.rates = f.rates[1:]
			return r
		},
	}
}

var errBroken = errors.New("broken")
