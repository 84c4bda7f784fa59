package plan

import (
	"strconv"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/profile"
)

// shapes is what a profile says of the rows of groups.
type shapes struct {
	components map[string]chunk.Spec
	owns       map[string][]string
}

func shapesOf(p *profile.Profile) shapes {
	s := shapes{make(map[string]chunk.Spec), make(map[string][]string)}
	for _, c := range p.Components {
		s.components[c.Name] = chunk.Spec{Size: uint32(c.Size), Align: uint32(c.Align)}
	}
	for i := range p.Groups {
		s.owns[p.Groups[i].Name] = p.Groups[i].Owns
	}
	return s
}

// columns returns the columns of what a group owns, none if one is not known. A table
// need not be a group of the profile: its name says what it owns.
func (s shapes) columns(name string) (specs []chunk.Spec) {
	owns := s.owns[name]
	if t, table := profile.ParseTable(name); table && len(owns) == 0 && !t.Cut {
		owns = t.Components()
	}
	for _, c := range owns {
		spec, ok := s.components[c]
		if !ok {
			return nil
		}
		specs = append(specs, spec)
	}
	return specs
}

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

// fits tells whether chunks of this layout can be those of the figures.
func (f figures) fits(l *chunk.Layout) bool {
	return (f.row == 0 || f.row == l.RowBytes()) && (f.capacity == 0 || f.capacity == l.Capacity()) && f.most <= l.Capacity()
}

// group describes a group by its columns if they fit its chunks, else by the
// chunks' figures; by nothing where there are no chunks.
func (s shapes) group(name string, placed []profile.Placed) (Group, error) {
	g := Group{Name: name}
	f, err := figuresOf(name, placed)
	if err != nil {
		return g, err
	}
	if specs := s.columns(name); specs != nil {
		// A world's sequences begin with the entity; another engine's need not.
		for _, specs := range [][]chunk.Spec{append([]chunk.Spec{{Size: 8, Align: 8}}, specs...), specs} {
			if shape, err := chunk.NewShape(specs); err == nil && f.fits(&shape.Full) {
				g.laidOut(shape)
				return g, nil
			}
		}
	}
	switch {
	case f.row != 0:
		shape, err := chunk.NewShape([]chunk.Spec{{Size: f.row, Align: 1}})
		if err != nil {
			return g, misfit("chunk "+quote(name)+" 0", "%v", err)
		}
		g.laidOut(shape)
	case f.most != 0:
		return g, misfit("chunk "+quote(name)+" 0", "its bytes are missing, and the profile does not know what the group owns: record both in one run")
	}
	return g, nil
}

// laidOut notes the shape of rows and of blocks.
func (g *Group) laidOut(s *chunk.Shape) {
	g.RowBytes, g.Columns = s.Full.RowBytes(), s.Full.Columns()
	if n := len(s.Blocks); n > 0 {
		g.Small = s.Blocks[n-1].Capacity()
	}
}
