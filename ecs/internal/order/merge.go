package order

// item is a row and what it is sorted by.
type item[V any] struct {
	v   V
	row uint32
}

// insertionMost is how many items are sorted by insertion.
const insertionMost = 12

// mergeSort sorts items and keeps the order of equal ones. Tmp has room for half of them. It
// costs n log n comparisons at most, and n where they are in order.
func mergeSort[V any](a, tmp []item[V], compare func(x, y *V) int) {
	if len(a) <= insertionMost {
		for i := 1; i < len(a); i++ {
			x := a[i]
			j := i
			for j > 0 && compare(&a[j-1].v, &a[i].v) > 0 {
				j--
			}
			copy(a[j+1:i+1], a[j:i])
			a[j] = x
		}
		return
	}
	h := len(a) / 2
	mergeSort(a[:h], tmp, compare)
	mergeSort(a[h:], tmp, compare)
	if compare(&a[h-1].v, &a[h].v) <= 0 {
		return
	}
	tmp = tmp[:copy(tmp, a[:h])]
	i, j, k := 0, h, 0
	for i < len(tmp) && j < len(a) {
		if compare(&tmp[i].v, &a[j].v) <= 0 {
			a[k] = tmp[i]
			i++
		} else {
			a[k] = a[j]
			j++
		}
		k++
	}
	copy(a[k:], tmp[i:])
}
