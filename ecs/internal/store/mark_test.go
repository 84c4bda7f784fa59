package store

import "testing"

// Mark finds the rows whose entities have a component, whatever way and owner it has.
func TestMark(t *testing.T) {
	marked := 0
	for _, s := range streams(4) {
		if s.spread > 0 {
			continue
		}
		x := s.model(t, "mark", memories[0].o)
		for i := range s.commands {
			x.step()
			if i%200 != 0 {
				continue
			}
			for u := range x.s.Tables() {
				for _, c := range x.comps {
					bits := make([]uint64, u.Seq.ChunkCount()*u.Stride())
					u.Mark(bits, c)
					at := 0
					for id, n := range u.Seq.Chunks() {
						for row, e := range x.s.Entities(id, n) {
							is := bits[at+row/64]>>(row%64)&1 != 0
							if is != c.Has(e) {
								x.failf("%v has %s: %v, marked: %v", e, c.Name, c.Has(e), is)
							}
							if is {
								marked++
							}
						}
						at += u.Stride()
					}
					if n := popcount(bits); n > u.Seq.Len() {
						x.failf("%d rows of %d are marked", n, u.Seq.Len())
					}
				}
			}
		}
		x.close()
	}
	if marked < 10_000 {
		t.Errorf("only %d rows were marked", marked)
	}
}
