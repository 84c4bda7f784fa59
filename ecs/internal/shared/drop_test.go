package shared

import (
	"fmt"
	"slices"
	"testing"
)

// Runs are whole pages without a byte of a used view.
func TestIdleRuns(t *testing.T) {
	const k = 1 << 10
	for _, tt := range []struct {
		name, state string // of each view in turn: u is used, i idle, - never kept
		ends        []uint32
		want        string
	}{
		{"nothing", "", nil, ""},
		{"one", "i", []uint32{10 * k}, "0-1048576 of 1"},
		{"one in use", "u", []uint32{10 * k}, ""},
		{"never kept", "-", []uint32{10 * k}, ""},
		{"before a used one", "iu", []uint32{10 * k, 20 * k}, "0-8192 of 1"},
		{"behind a used one", "ui", []uint32{10 * k, 20 * k}, "12288-1048576 of 1"},
		{"between", "uiu", []uint32{10 * k, 20 * k, 30 * k}, "12288-20480 of 1"},
		{"less than a page", "uiu", []uint32{9 * k, 11 * k, 20 * k}, "12288-12288 of 1"},
		{"side by side", "ii-u", []uint32{5 * k, 10 * k, 16 * k, 20 * k}, "0-16384 of 2"},
		{"apart", "iui", []uint32{8 * k, 16 * k, 24 * k}, "0-8192 of 1 16384-1048576 of 1"},
		{"all", "i-i", []uint32{8 * k, 16 * k, 24 * k}, "0-1048576 of 2"},
	} {
		var spans []span
		at := uint32(0)
		for i, end := range tt.ends {
			spans = append(spans, span{&view{}, at, end, tt.state[i] == 'u', tt.state[i] == 'i'})
			at = end
		}
		got := ""
		for _, run := range idleRuns(spans, 4*k) {
			got += fmt.Sprintf(" %d-%d of %d", run.at, run.end, len(slices.Compact(run.views)))
		}
		if got != "" {
			got = got[1:]
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
