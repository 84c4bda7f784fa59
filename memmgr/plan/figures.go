package plan

import (
	"strconv"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/profile"
)

// figures are what the chunks of a group tell of its rows; 0 is not known.
type figures struct {
	row      uint32 // bytes
	capacity uint32 // rows that chunks before the last one have: they are full
	most     uint32 // rows in any chunk
}

// figuresOf reads the chunks of a group, in order.
func figuresOf(name string, placed []profile.Placed) (f figures, err error) {
	for i, c := range placed {
		about := "chunk " + quote(name) + " " + strconv.Itoa(c.Order)
		switch {
		case c.Order != i:
			return f, misfit(about, "there is no chunk %d before it: state all chunks of a group, or record the map anew", i)
		case c.Rows > chunk.MaxRows:
			return f, misfit(about, "it has %d rows, and a chunk has %d at most: state what it holds", c.Rows, chunk.MaxRows)
		case c.Bytes > chunk.Bytes:
			return f, misfit(about, "it has %d bytes, and a chunk has %d at most: state what it holds", c.Bytes, chunk.Bytes)
		case c.Rows == 0 || c.Bytes == 0:
		case c.Bytes%c.Rows != 0 || f.row != 0 && c.Bytes != c.Rows*uint64(f.row):
			return f, misfit(about, "%d bytes of %d rows: all rows of a group have the same number of bytes; record the map anew", c.Bytes, c.Rows)
		default:
			f.row = uint32(c.Bytes / c.Rows)
		}
		if i == 0 && len(placed) > 1 {
			f.capacity = uint32(c.Rows)
		}
		if f.most = max(f.most, uint32(c.Rows)); f.capacity != 0 && f.most > f.capacity {
			return f, misfit(about, "it has %d rows, and chunk 0 has %d: chunks before a group's last one are full; record the map anew", c.Rows, f.capacity)
		}
	}
	return f, nil
}

// groupOf describes a group by its chunks' figures; by nothing where there are no chunks.
func groupOf(name string, placed []profile.Placed) (Group, error) {
	f, err := figuresOf(name, placed)
	if err == nil && f.row == 0 && f.most != 0 {
		err = misfit("chunk "+quote(name)+" 0", "its bytes are missing: record the map anew")
	}
	return Group{Name: name, RowBytes: f.row}, err
}
