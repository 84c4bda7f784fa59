package questions

import (
	"fmt"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
	"github.com/ashlar-go/ashlar/ecs"
)

// weight is a component of one number, and wide has others beside it, as an object does.
type (
	weight struct{ V float64 }
	wide   struct {
		V    float64
		Rest [7]float64
	}
)

// column adds a number to each of one column.
func column(n int) candidate.Contest {
	c := contest("column", n,
		candidate.Entry{Storage: candidate.Ashlar, Guide: "systems.md", Open: func() candidate.Body { return openColumn(n) }},
		candidate.Entry{Storage: candidate.Arrays, Open: func() candidate.Body {
			v := make([]weight, n)
			return candidate.Body{Work: func() int { raise(v); return n }, Digest: func() uint64 { return sum(v[0].V + v[n-1].V) }}
		}},
		candidate.Entry{Storage: candidate.Objects, Open: func() candidate.Body {
			list := make([]*wide, n)
			for i := range list {
				list[i] = new(wide)
			}
			return candidate.Body{
				Work: func() int {
					for _, o := range list {
						o.V++
					}
					return n
				},
				Digest: func() uint64 { return sum(list[0].V + list[n-1].V) },
			}
		}})
	if vectors {
		c.Entries = append(c.Entries, candidate.Entry{Storage: candidate.Arrays + "+vectors", Open: func() candidate.Body {
			v := make([]weight, n)
			return candidate.Body{Work: func() int { raiseVectors(v); return n }, Digest: func() uint64 { return sum(v[0].V + v[n-1].V) }}
		}})
	}
	return c
}

func raise(v []weight) {
	for i := range v {
		v[i].V++
	}
}

func openColumn(n int) candidate.Body {
	w := newWorld()
	pool, es := ecs.Register[weight](w, "weight"), make([]ecs.Entity, n)
	check(ecs.SpawnerOf[struct{ W weight }](w).SpawnN(es, []struct{ W weight }{{}}))
	q := ecs.QueryOf[struct{ W ecs.Write[weight] }](w)
	return candidate.Body{
		Work: func() (rows int) {
			for c := range q.All() {
				raise(c.W)
				rows += len(c.W)
			}
			return rows
		},
		Digest: func() uint64 { return sum(pool.Get(es[0]).V + pool.Get(es[n-1]).V) },
		Close:  func() { check(w.Close()) },
	}
}

// A row of the question about chunks has wideColumns columns. The loop goes over two.
const wideColumns = 12

// chunks is a loop over two of twelve columns, chunk by chunk. Without stripes a chunk's columns follow each other in memory. With
// them the pieces of a column do, whatever chunk they are of.
func chunks(n int) candidate.Contest {
	c := contest("chunks", n)
	for _, striped := range []bool{false, true} {
		for _, kib := range []int{16, 32, 64, 128, 256} {
			name := fmt.Sprintf("%dKiB", kib)
			if striped {
				name += "+stripes"
			}
			c.Entries = append(c.Entries, candidate.Entry{Storage: name, Open: func() candidate.Body {
				at, by := cut(n, kib<<10/(16*wideColumns), striped)
				return candidate.Body{
					Work: func() int {
						for k, a := range at {
							b := by[k][:len(a)]
							for i := range a {
								a[i].X += b[i].X
								a[i].Y += b[i].Y
							}
						}
						return n
					},
					Digest: func() uint64 { return sum(at[0][0].X + at[len(at)-1][0].Y) },
				}
			}})
		}
	}
	return c
}

// cut returns two columns of n rows in pieces of so many rows, out of one piece of memory for all columns.
func cut(n, rows int, striped bool) (at, by [][]value) {
	all := make([]value, wideColumns*n)
	for i := range all {
		all[i] = value{1, 1}
	}
	piece := func(column, from, k int) []value {
		first := wideColumns*from + column*k
		if striped {
			first = column*n + from
		}
		return all[first : first+k]
	}
	for from := 0; from < n; from += rows {
		k := min(rows, n-from)
		at, by = append(at, piece(0, from, k)), append(by, piece(wideColumns/2, from, k))
	}
	return at, by
}
