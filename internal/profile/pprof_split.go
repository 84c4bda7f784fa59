package profile

// holding is the chunks of a group that hold rows.
type holding struct {
	chunks []Placed
	rows   uint64
}

// filled finds the chunks that hold rows, by group, in the order of the map.
func filled(m Map) map[string]holding {
	groups := map[string]holding{}
	for _, c := range m.Chunks {
		if c.Rows > 0 {
			h := groups[c.Group]
			groups[c.Group] = holding{append(h.chunks, c), h.rows + c.Rows}
		}
	}
	return groups
}

// accessPart is what of an access fell on one chunk.
type accessPart struct {
	order               int
	Rows, Chunks, Bytes uint64
}

// splitAccess distributes an access over chunks so that nothing is lost to rounding: each
// part is the difference of two rounded sums. Without chunks it is one part.
func splitAccess(a Access, h holding) []accessPart {
	if len(h.chunks) == 0 {
		return []accessPart{{noChunk, a.Rows, a.Chunks, a.Bytes}}
	}
	parts := make([]accessPart, len(h.chunks))
	var rows uint64
	var before accessPart
	for i, c := range h.chunks {
		rows += c.Rows
		upTo := accessPart{c.Order, shareOf(a.Rows, rows, h.rows), shareOf(a.Chunks, uint64(i+1), uint64(len(parts))), shareOf(a.Bytes, rows, h.rows)}
		parts[i] = accessPart{c.Order, upTo.Rows - before.Rows, upTo.Chunks - before.Chunks, upTo.Bytes - before.Bytes}
		before = upTo
	}
	return parts
}
