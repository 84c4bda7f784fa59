package memmgr

import (
	"time"

	"github.com/ashlar-go/ashlar/arena"
)

const (
	pressureEvery = time.Second
	pressureLeast = 50 * time.Millisecond // a reading takes some 50 µs (TestPressureIsReadInTime)
	stalledMuch   = 1000                  // hundredths of a percent: some task waits for a tenth of the time
	stalledFaster = 8                     // by how much memory goes back faster then (TestPressureGivesBackSooner)
)

// over returns the age at which all idle memory goes back at present, in place of the one that
// options say.
func (p *pressure) over(now time.Time, calm time.Duration) time.Duration {
	if p.read == nil || calm <= 0 {
		return calm
	}
	if p.at.IsZero() {
		p.at = now
	}
	if since := now.Sub(p.at); since >= p.every() || since < 0 {
		p.at, p.last, p.begun = now, p.read(), true
		p.lack = lacking(p.last)
		if p.lack > 0 || hurried(p.last, calm) < calm {
			p.times++
		}
	}
	return hurried(p.last, calm)
}

// every is the time between two readings: half of the share of the limit that is left, in
// seconds. So use that grows by the whole limit in a second is seen before it gets there.
// The first one comes pressureLeast after the first look. It finds the files, which takes some 0.2 ms, and a world that
// ends soon needs none.
func (p *pressure) every() time.Duration {
	if !p.begun && p.read != nil {
		return pressureLeast
	}
	if p.last.Limit == 0 {
		return pressureEvery
	}
	left := float64(p.last.Limit-min(p.last.Limit, p.last.Used)) / float64(p.last.Limit)
	return max(time.Duration(left*float64(pressureEvery/2)), pressureLeast)
}

// hurried is how stalls shorten the age at which all idle memory goes back.
func hurried(p arena.Pressure, calm time.Duration) time.Duration {
	if p.Stalled >= stalledMuch {
		return calm / stalledFaster
	}
	return calm
}

// lacking is how many bytes have to go back until a tenth of the limit is left. No more than
// that goes: what a program uses again and again just below its limit stays.
func lacking(p arena.Pressure) uint64 {
	if p.Limit == 0 {
		return 0
	}
	return p.Used - min(p.Used, p.Limit-p.Limit/10)
}

// due returns how many of the idle bytes are to be given back now: by their age, and at any
// age the bytes that the limit lacks, a region's worth at least.
func (a *adapter) due(now time.Time, idle uint64) uint64 {
	over := a.short.over(now, a.options.Decay)
	a.decay.look = a.short.every() / 2 // a reading is late by half of its time at most
	due := a.decay.due(now, idle, over)
	if a.short.lack > 0 {
		due = max(due, min(idle, max(a.short.lack, arena.RegionBytes)))
	}
	return batch(due, idle)
}

// gone counts bytes that were given back.
func (a *adapter) gone(bytes uint64) {
	a.done.Purged += bytes
	a.decay.idle -= min(a.decay.idle, bytes)
	a.short.lack -= min(a.short.lack, bytes)
}
