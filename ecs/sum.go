package ecs

import (
	"fmt"
	"math"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// Sum adds up a number of each row that matches. It is the same wherever batches end: rows are added
// in parts of 1,024 rows of a table, and the parts in order. The function f is called once for each
// row in the order of All, with the number of the row in the struct's slices; for a struct of pointers
// that is 0. It must not change the structure of the world. Sum panics while the query iterates.
//
//	load := bodies.Sum(func(b *body, i int) float64 { return b.Mass[i].Kg })
func (q *Query[S]) Sum(f func(c *S, i int) float64) (sum float64) {
	return q.core().sum(raw.Number(f))
}

func (q *query) sum(f func(raw.Ptr, int) float64) (sum float64) {
	part := 0.0
	q.fold("Sum", f == nil, func(c raw.Ptr, i int) { part += f(c, i) }, func() {
		sum += part
		part = 0
	})
	return sum
}

// Min is the least number of the rows that match: positive infinity if there are none, and NaN if one is
// NaN. The function f is as in Sum.
func (q *Query[S]) Min(f func(c *S, i int) float64) float64 {
	return q.core().extreme("Min", raw.Number(f), math.Inf(1), least)
}

// Max is the greatest number of the rows that match: negative infinity if there are none, and NaN if
// one is NaN. The function f is as in Sum.
func (q *Query[S]) Max(f func(c *S, i int) float64) float64 {
	return q.core().extreme("Max", raw.Number(f), math.Inf(-1), greatest)
}

func least(a, b float64) float64    { return min(a, b) }
func greatest(a, b float64) float64 { return max(a, b) }

// extreme is the number of the rows that better returns of any two, and start if there are no rows.
func (q *query) extreme(call string, f func(raw.Ptr, int) float64, start float64, better func(a, b float64) float64) float64 {
	best := start
	if !q.fold(call, f == nil, func(c raw.Ptr, i int) { best = better(best, f(c, i)) }, func() {}) {
		return 0
	}
	return best
}

// Histogram counts the rows that match by a number of each. Edges ascend, and counts has one more:
// counts[0] is how many numbers are below edges[0], counts[k] how many are from edges[k-1] to below
// edges[k], and the last how many are not below the last edge, NaN among them. The function f is as
// in Sum. Histogram panics if edges do not ascend.
func (q *Query[S]) Histogram(edges []float64, f func(c *S, i int) float64) (counts []int) {
	return q.core().histogram(edges, raw.Number(f))
}

func (q *query) histogram(edges []float64, f func(raw.Ptr, int) float64) (counts []int) {
	if q.made("Histogram"); !slices.IsSorted(edges) || slices.ContainsFunc(edges, math.IsNaN) {
		panic("ecs: Histogram with edges that do not ascend: sort them first")
	}
	counts = make([]int, len(edges)+1)
	made := q.fold("Histogram", f == nil, func(c raw.Ptr, i int) {
		x := f(c, i)
		k, _ := slices.BinarySearchFunc(edges, x, func(edge, x float64) int {
			if x < edge {
				return 1
			}
			return -1
		})
		counts[k]++
	}, func() {})
	if !made {
		return nil
	}
	return counts
}

// fold calls each for the rows that match, and end behind each part of them. It tells whether the query
// was made: calls of a refused one return zeros.
func (q *query) fold(call string, none bool, each func(c raw.Ptr, i int), end func()) (made bool) {
	switch {
	case q.made(call).refused != nil:
		return false
	case none:
		panic(fmt.Sprintf("ecs: %s without a function: pass the one that returns the number of a row", call))
	case q.walker().Running():
		panic(fmt.Sprintf("ecs: %s of a query that iterates: make another query for it", call))
	}
	q.walker().Fold(q.into, each, end)
	return true
}
