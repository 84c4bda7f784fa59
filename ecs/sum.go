package ecs

import "github.com/ashlar-go/ashlar/ecs/internal/raw"

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
	switch {
	case q.made("Sum").refused != nil:
		return 0
	case f == nil:
		panic("ecs: Sum without a function: pass the one that returns the number of a row")
	case q.walker().Running():
		panic("ecs: Sum of a query that iterates: make another query for it")
	}
	part := 0.0
	q.walker().Fold(q.into, func(c raw.Ptr, i int) { part += f(c, i) }, func() {
		sum += part
		part = 0
	})
	return sum
}
