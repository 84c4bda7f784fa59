package questions

import (
	"fmt"
	"math/rand/v2"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/bench/internal/candidate"
	"github.com/ashlar-go/ashlar/bench/internal/reference"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// filled is a way to hold values of some of N entities. Its entities are numbered from 0.
type filled struct {
	put  func(entity int)
	read func(list []int) float64       // of entities that have a value
	each func() (rows int, sum float64) // over all that have one; adds 1 to each
	done func()

	outside func() *arena.Arena // of memory outside of the Go heap; nil: there is none
}

// ways are the ways to hold values, by name of the storage.
var ways = []struct {
	storage, guide string
	open           func(n int) filled
}{
	{candidate.Ashlar, "components.md", openPool},
	{candidate.Sparse, "", openSet},
	{"map", "", openMap},
	{candidate.Arrays, "", openArray},
}

// chosen draws the entities that have a value, in random order.
func chosen(n, percent int) []int { return rand.New(rand.NewPCG(5, 6)).Perm(n)[:n*percent/100] }

// fills asks for values by entity in random order, and for all values.
func fills(n, percent int) (list []candidate.Contest) {
	for _, what := range []string{"get", "iterate"} {
		c := contest(fmt.Sprintf("fill of %d %%, %s", percent, what), n)
		c.Ops = n * percent / 100
		for _, w := range ways {
			c.Entries = append(c.Entries, candidate.Entry{Storage: w.storage, Guide: guideOf(w.guide, what), Open: func() candidate.Body {
				some, s, total := chosen(n, percent), w.open(n), 0.0
				for _, i := range some {
					s.put(i)
				}
				work := func() int {
					rows, v := s.each()
					total += v
					return rows
				}
				if what == "get" {
					work = func() int { total += s.read(some); return len(some) }
				}
				return candidate.Body{Work: work, Digest: func() uint64 { return sum(total) }, Close: s.done}
			}})
		}
		list = append(list, c)
	}
	return list
}

func guideOf(page, what string) string {
	if page != "" && what == "iterate" {
		return "queries.md"
	}
	return page
}

// openArray has room for a value and a mark for each number.
func openArray(n int) filled {
	values, has := make([]value, n), make([]bool, n)
	return filled{
		put: func(i int) { values[i], has[i] = value{}, true },
		read: func(list []int) (sum float64) {
			for _, i := range list {
				if has[i] {
					sum += values[i].X
				}
			}
			return sum
		},
		each: func() (rows int, sum float64) {
			for i := range values {
				if has[i] {
					values[i].X++
					sum += values[i].X
					rows++
				}
			}
			return rows, sum
		},
	}
}

// openMap is a map of values, and not of pointers to them.
func openMap(int) filled {
	m := map[int]value{}
	return filled{
		put: func(i int) { m[i] = value{} },
		read: func(list []int) (sum float64) {
			for _, i := range list {
				sum += m[i].X
			}
			return sum
		},
		each: func() (rows int, sum float64) {
			for i, v := range m {
				v.X++
				m[i] = v
				sum += v.X
			}
			return len(m), sum
		},
	}
}

func openSet(n int) filled {
	w := &reference.Sparse{}
	s, es := reference.SetOf[value](w), make([]reference.Entity, n)
	for i := range es {
		es[i] = w.Spawn()
	}
	return filled{
		put: func(i int) { s.Add(es[i], value{}) },
		read: func(list []int) (sum float64) {
			for _, i := range list {
				if v := s.Get(es[i]); v != nil {
					sum += v.X
				}
			}
			return sum
		},
		each: func() (rows int, sum float64) {
			values := s.Values()
			for i := range values {
				values[i].X++
				sum += values[i].X
			}
			return len(values), sum
		},
	}
}

func openPool(n int) filled {
	w := newWorld()
	pool, es := ecs.Register[value](w, "value"), make([]ecs.Entity, n)
	for i := range es {
		es[i] = twin.Must(w.Spawn())
	}
	q := ecs.QueryOf[struct{ V ecs.Write[value] }](w)
	return filled{
		put: func(i int) { twin.Check(pool.Add(es[i], value{})) },
		read: func(list []int) (sum float64) {
			for _, i := range list {
				if v := pool.Get(es[i]); v != nil {
					sum += v.X
				}
			}
			return sum
		},
		each: func() (rows int, sum float64) {
			for c := range q.All() {
				values, part := c.V, 0.0 // the loop's body is a function: these stay in registers
				for i := range values {
					values[i].X++
					part += values[i].X
				}
				sum += part
				rows += len(values)
			}
			return rows, sum
		},
		done:    func() { twin.Check(w.Close()) },
		outside: w.Manager().Arena,
	}
}
