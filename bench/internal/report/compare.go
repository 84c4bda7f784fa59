package report

import (
	"fmt"
	"io"
)

const compareFormat = "%-34s %9s %-10s %11s %11s %7s  %s\n"

// Compare prints rows of two results side by side. A row has changed if the quartiles of both lie apart.
func Compare(out io.Writer, before, after []Row) {
	type key struct {
		name, storage string
		entities      int
	}
	old := map[key]Row{}
	for _, r := range before {
		old[key{r.Name, r.Storage, r.Entities}] = r
	}
	for i, rows := range [][]Row{before, after} {
		if len(rows) > 0 {
			fmt.Fprintf(out, "%s: %s\n", [...]string{"old", "new"}[i], rows[0].Machine)
		}
	}
	fmt.Fprintf(out, compareFormat, "contest", "entities", "storage", "old", "new", "ratio", "")
	for _, r := range after {
		k := key{r.Name, r.Storage, r.Entities}
		was, found := old[k]
		delete(old, k)
		note, ratio := "", "–"
		switch {
		case !found:
			note = "new"
		case was.MedianNS == nil || r.MedianNS == nil:
			note = "no figure in one of them"
		default:
			ratio, note = fmt.Sprintf("%.2f", *r.MedianNS / *was.MedianNS), verdict(was, r)
		}
		fmt.Fprintf(out, compareFormat, r.Name, fmt.Sprint(r.Entities), r.Storage, Time(was.MedianNS), Time(r.MedianNS), ratio, note)
	}
	for _, r := range before {
		if _, gone := old[key{r.Name, r.Storage, r.Entities}]; gone {
			fmt.Fprintf(out, compareFormat, r.Name, fmt.Sprint(r.Entities), r.Storage, Time(r.MedianNS), "–", "–", "gone")
		}
	}
}

// verdict is a word about two rows with figures.
func verdict(was, is Row) string {
	switch {
	case *is.Q3NS < *was.Q1NS:
		return "faster"
	case *is.Q1NS > *was.Q3NS:
		return "slower"
	}
	return "within the spread"
}
