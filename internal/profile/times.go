package profile

import (
	"cmp"
	"fmt"
	"time"

	"github.com/ashlar-go/ashlar/internal/profile/text"
)

// Times are how long a system's runs took: so many of 100 took no longer. A few runs
// during which the machine did something else move P99 alone.
type Times struct {
	P10, P50, P90, P99 time.Duration
}

func (t Times) text() string {
	return fmt.Sprintf(" p10 %s p50 %s p90 %s p99 %s", text.Duration(t.P10), text.Duration(t.P50), text.Duration(t.P90), text.Duration(t.P99))
}

// fields are those of a statement.
func (t *Times) fields(c *text.Cursor) (list []text.Field) {
	for _, f := range []struct {
		key  string
		into *time.Duration
	}{{"p10", &t.P10}, {"p50", &t.P50}, {"p90", &t.P90}, {"p99", &t.P99}} {
		list = append(list, text.Field{Key: f.key, Optional: true, Read: func(key string) { *f.into = c.Duration(key) }})
	}
	return list
}

// problem tells what is wrong with them, or "".
func (t Times) problem() string {
	if t.P10 < 0 || t.P50 < t.P10 || t.P90 < t.P50 || t.P99 < t.P90 {
		return fmt.Sprintf("its times are p10 %v p50 %v p90 %v p99 %v: each is at least the one before", t.P10, t.P50, t.P90, t.P99)
	}
	return ""
}

// timesOf are those of the run that timed more, because percentiles of two runs have no mean. The order
// is total, so the order of merging makes no difference.
func timesOf(s, t head) (uint64, Times) {
	if cmp.Or(cmp.Compare(s.Timed, t.Timed), cmp.Compare(s.Times.P50, t.Times.P50), cmp.Compare(s.Times.P10, t.Times.P10),
		cmp.Compare(s.Times.P90, t.Times.P90), cmp.Compare(s.Times.P99, t.Times.P99)) < 0 {
		return t.Timed, t.Times
	}
	return s.Timed, s.Times
}
