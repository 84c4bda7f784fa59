package questions

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// key is the column that rows are sorted by, and part another one.
type (
	key         struct{ V uint64 }
	part[N any] struct{ value }
)

func parts(w *ecs.World) []ecs.AnyPool {
	return []ecs.AnyPool{
		ecs.Register[part[[1]byte]](w, "p1"), ecs.Register[part[[2]byte]](w, "p2"), ecs.Register[part[[3]byte]](w, "p3"),
		ecs.Register[part[[4]byte]](w, "p4"), ecs.Register[part[[5]byte]](w, "p5"), ecs.Register[part[[6]byte]](w, "p6"),
		ecs.Register[part[[7]byte]](w, "p7"), ecs.Register[part[[8]byte]](w, "p8"), ecs.Register[part[[9]byte]](w, "p9"),
		ecs.Register[part[[10]byte]](w, "p10"), ecs.Register[part[[11]byte]](w, "p11"), ecs.Register[part[[12]byte]](w, "p12"),
		ecs.Register[part[[13]byte]](w, "p13"), ecs.Register[part[[14]byte]](w, "p14"), ecs.Register[part[[15]byte]](w, "p15"),
	}
}

// sorting sorts rows in no order by a comparison of keys. Arrays are a slice for each column, sorted by a list of rows.
func sorting(n, columns int) candidate.Contest {
	c := contest(fmt.Sprintf("sorting of %d columns", columns), n)
	for name, way := range map[string]ecs.SortWay{"in-place": ecs.SortInPlace, "by-permutation": ecs.SortByPermutation, "through-entries": ecs.SortThroughEntries} {
		c.Entries = append(c.Entries, candidate.Entry{Storage: candidate.Ashlar + "+" + name, Guide: "order.md", Open: func() candidate.Body { return sorted(n, columns, way) }})
	}
	slices.SortFunc(c.Entries, func(a, b candidate.Entry) int { return cmp.Compare(a.Storage, b.Storage) })
	c.Entries = append(c.Entries, candidate.Entry{Storage: candidate.Arrays, Open: func() candidate.Body { return sortedArrays(n, columns) }})
	return c
}

// keysOf draws keys. All entries draw the same ones.
func keysOf(n int) func() []uint64 {
	dice, keys := rand.New(rand.NewPCG(8, 9)), make([]uint64, n)
	return func() []uint64 {
		for i := range keys {
			keys[i] = dice.Uint64N(uint64(n))
		}
		return keys
	}
}

// ordered is a digest of keys in the order of rows.
func ordered(d, k uint64) uint64 { return d*31 + k }

func sorted(n, columns int, way ecs.SortWay) candidate.Body {
	w := newWorld()
	keys := ecs.Register[key](w, "key")
	schema := ecs.SchemaOfPools(w, append([]ecs.AnyPool{keys}, parts(w)[:columns-1]...)...)
	for range n {
		twin.Must(schema.Spawn())
	}
	draw, rows := keysOf(n), ecs.QueryOf[struct{ K ecs.Write[key] }](w)
	return candidate.Body{
		Prepare: func() {
			list := draw()
			for c := range rows.All() {
				for i := range c.K {
					c.K[i].V = list[i]
				}
				list = list[len(c.K):]
			}
		},
		Work: func() int {
			keys.Sort(func(a, b *key) int { return cmp.Compare(a.V, b.V) }, way)
			return n
		},
		Digest: func() (d uint64) {
			for c := range rows.All() {
				for _, k := range c.K {
					d = ordered(d, k.V)
				}
			}
			return d
		},
		Close: func() { twin.Check(w.Close()) },
	}
}

func sortedArrays(n, columns int) candidate.Body {
	keys, other, rows := make([]uint64, n), make([][]value, columns-1), make([]int, n)
	for c := range other {
		other[c] = make([]value, n)
	}
	draw, copied := keysOf(n), make([]value, n)
	return candidate.Body{
		Prepare: func() { copy(keys, draw()) },
		Work: func() int {
			for i := range rows {
				rows[i] = i
			}
			slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
			slices.Sort(keys)
			for _, v := range other {
				for i, row := range rows {
					copied[i] = v[row]
				}
				copy(v, copied)
			}
			return n
		},
		Digest: func() (d uint64) {
			for _, k := range keys {
				d = ordered(d, k)
			}
			return d
		},
	}
}
