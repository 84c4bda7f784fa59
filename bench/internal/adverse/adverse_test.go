package adverse

import (
	"runtime"
	"testing"
)

// With adapting on and off a program comes to the same: rows in the same order, with the same
// handles. Something happens in each, and the store under it is sound.
func TestAlike(t *testing.T) {
	for _, p := range Programs() {
		t.Run(p.Name, func(t *testing.T) {
			frames := p.Frames
			if testing.Short() || runtime.GOARCH == "wasm" {
				frames = min(frames, 250)
			}
			on, off := p.Variants[0].Open(20_000), p.Variants[1].Open(20_000)
			adapts := on.World.Manager().Stats().Adapting != nil
			if still := off.World.Manager().Stats().Adapting != nil; !adapts || still {
				t.Fatalf("on adapts: %v, off: %v", adapts, still)
			}
			digests := map[uint64]bool{}
			most := 0
			for f := range frames {
				on.Prepare()
				on.Frame()
				off.Prepare()
				off.Frame()
				most = max(most, on.World.Len())
				if f%49 != 48 {
					continue
				}
				a, b := on.Digest(), off.Digest()
				if a != b {
					t.Fatalf("frame %d: digest %#x with adapting, %#x without", f, a, b)
				}
				digests[a] = true
			}
			if len(digests) < frames/49 || most < 1000 {
				t.Errorf("%d digests in %d frames, and %d movers at most: hardly anything happens", len(digests), frames, most)
			}
			if last := on.World.Len(); p.Bars[1].Most < 1 && frames == p.Frames && last > most/5 {
				t.Errorf("it ends behind a peak, with %d of %d movers", last, most)
			}
			for _, s := range []interface {
				Check() error
				Close() error
			}{on.World, off.World} {
				if err := s.Check(); err != nil {
					t.Error(err)
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
