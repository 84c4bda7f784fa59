package timeseries

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ashlar-go/ashlar/memmgr"
)

// Series of uneven rates: few get most of the rows, and most get one now and then. After retention the
// store holds little more than the rows that are new enough.
func TestUnevenRates(t *testing.T) {
	for _, n := range []int{36, 1000, 20_000} {
		if n > 1000 && testing.Short() {
			continue // five rows of a series are new enough then
		}
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			st := open(t, memmgr.Options{})
			r := rand.New(rand.NewPCG(1, 2))
			rates := rand.NewZipf(r, 1.3, 4, uint64(n-1))
			rows, window := 6_000_000, int64(1_000_000)
			if testing.Short() {
				rows, window = rows/10, window/10
			}
			names := make([]*Series, n)
			for i := range names {
				names[i] = st.Series(fmt.Sprint("series ", i))
			}
			for now := range int64(rows) {
				if err := names[rates.Uint64()].Append(now, 1); err != nil {
					t.Fatal(err)
				}
				if now%(window/10) == 0 {
					st.Retain(now - window)
				}
			}
			st.Retain(int64(rows) - window)
			if _, err := st.m.Purge(); err != nil {
				t.Fatal(err)
			}
			retained := uint64(window) * 16
			held := st.m.Stats().Arena.Live
			if held > retained*7/4 {
				t.Errorf("%d bytes are held for %d bytes of rows that are new enough", held, retained)
			}
			t.Logf("%d series: %d bytes of rows are new enough, %d are held: %.2f", n, retained, held, float64(held)/float64(retained))
		})
	}
}
