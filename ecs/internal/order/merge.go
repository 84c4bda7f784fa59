package order

// item is a row and its key.
type item[V any] struct {
	v   V
	row uint32
}

// mergeSort sorts items and keeps the order of equal ones. Tmp has room for half of them. It
// costs n log n comparisons at most, and n where they are in order.
func mergeSort[V any](a, tmp []item[V], compare func(x, y *V) int) {
	if len(a) < 2 {
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
