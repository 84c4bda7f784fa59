package shared

import (
	"fmt"
	"testing"
)

// Pages that go back have no byte of another view.
func TestWholePages(t *testing.T) {
	const k = 1 << 10
	for _, tt := range []struct {
		from, to, page uint32
		want           string
	}{
		{0, 12 * k, 4 * k, "0 12288"},
		{8 * k, 12 * k, 4 * k, "8192 12288"},
		{4 * k, 40 * k, 16 * k, "16384 32768"},
		{16 * k, 32 * k, 16 * k, "16384 32768"},
		{4 * k, 12 * k, 16 * k, "16384 0"},
		{20 * k, 28 * k, 16 * k, "32768 16384"},
	} {
		at, end := wholePages(tt.from, tt.to, tt.page)
		if got := fmt.Sprint(at, " ", end); got != tt.want {
			t.Errorf("%d to %d in pages of %d: %s, want %s", tt.from, tt.to, tt.page, got, tt.want)
		}
	}
}

// An idle view between used ones gives its own pages back, and the others stay as they are. When
// all are idle, the annexes go. An unused view's values are not used again.
func TestDropOfOneView(t *testing.T) {
	f := newFixture(t, on)
	first, second := f.read("mark", "X"), f.read("mark", "Y")
	f.fill(5000)
	for _, r := range []*Reader{first, second} {
		pass(r)
	}
	for f.Frame = 1; f.Frame <= IdleFrames; f.Frame++ {
		f.Manager.Advance()
		pass(second)
	}
	f.Frame = IdleFrames
	annexes := f.Manager.Stats().Annexes
	if err := f.v.Drop(); err != nil {
		t.Fatal(err)
	}
	st := f.v.Stats()
	if st[0].Kept || !st[1].Kept || st[0].Dropped+st[0].Retained == 0 || st[1].Dropped+st[1].Retained != 0 || f.Manager.Stats().Annexes != annexes {
		t.Errorf("%+v in %d annexes, then %d", st, annexes, f.Manager.Stats().Annexes)
	}
	if _, sum := pass(second); sum != -5000*4999/2 {
		t.Errorf("sum %v of the view that stays", sum)
	}
	if reused := f.v.Stats()[1].Reused; reused == 0 {
		t.Error("it was gathered again")
	}
	f.Frame = 3 * IdleFrames
	if err := f.v.Drop(); err != nil || f.Manager.Stats().Annexes != 0 {
		t.Errorf("%d annexes, %v", f.Manager.Stats().Annexes, err)
	}
	for i, r := range []*Reader{first, second} {
		if _, sum := pass(r); sum != []float64{5000 * 4999 / 2, -5000 * 4999 / 2}[i] {
			t.Errorf("reader %d: sum %v after all was dropped", i, sum)
		}
	}
}
