package profile_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/profile"
)

// Cost of a profile of 200 systems with 20 accesses each, as a program reads one at its start and writes one at its end.
func BenchmarkText(b *testing.B) {
	var s strings.Builder
	s.WriteString("ashlar profile 1\nframes 450\n")
	for i := range 2000 {
		fmt.Fprintf(&s, "group g%d owns c%d rows 955814 chunks 819 peak 2460 last 276\n", i, i%500)
	}
	for i := range 4000 {
		if i%20 == 0 {
			fmt.Fprintf(&s, "system s%d frames 450 timed 28 p10 400ns p50 461ns p90 480ns p99 900ns\n", i/20)
		}
		fmt.Fprintf(&s, "access s%d g%d c%d write rows 81358 chunks 449 bytes 325432 lines 5085\n", i/20, i%2000, i%500)
	}
	s.WriteString("end\n")
	p, err := profile.Parse("large", strings.NewReader(s.String()))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := profile.Parse("large", strings.NewReader(s.String())); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("write", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := p.WriteTo(io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	})
}
