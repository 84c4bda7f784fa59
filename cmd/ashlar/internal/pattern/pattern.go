// Package pattern reads patterns of cellular automata from the two text formats
// of the pattern collections: RLE (run-length encoded, .rle) and plaintext
// (.cells). Both describe a box of cells, row by row from the top:
//
//	#N Glider            !Name: Glider        x →
//	x = 3, y = 3         .O.                y ┌───┐
//	bo$2bo$3o!           ..O                ↓ │.O.│  the box: Width × Height
//	                     OOO                  │..O│  cells, the first at 0, 0
//	                                          │OOO│
//	                                          └───┘
//
// A cell is dead or alive: patterns with more states are refused, and so are rules
// that ask for more than the number of live neighbours (see ParseRule). A run is a
// count and a repeated state; a comment is a line behind # or !. Of comments only the
// name of the pattern is kept.
//
// For a Pattern that Parse returns, sides are at most SideMax, and live cells at most
// CellsMax. Each cell is in the box. Cells come row by row from the top, left to right,
// none twice.
//
// Where the pattern lies in its plane (#P, #R, #CXRLE) is not read: who runs a
// pattern decides that. Hostile input costs memory for its own size, 64 MiB at most, and
// for the live cells that it describes, 16 bytes each.
package pattern

import (
	"io"
	"path/filepath"
	"strings"
)

const (
	// SideMax bounds the box, and so every coordinate.
	SideMax = 1 << 15
	// CellsMax bounds the live cells.
	CellsMax = 1 << 22

	nameMax  = 4096     // bytes; a longer name is cut
	bytesMax = 64 << 20 // of the input
)

// Point is a cell, counted from the top left of the box.
type Point struct{ X, Y int }

// Pattern is the content of a file. The zero Pattern is an empty box that no cell
// is ever born in.
type Pattern struct {
	Name          string // "" if the file does not say
	Width, Height int    // of the box, in cells
	Rule          Rule
	Cells         []Point // the live ones, row by row
}

// Parse reads a pattern. A name that ends in .cells is plaintext and one that ends
// in .rle is RLE; otherwise text that begins as plaintext does (! . O *) is
// plaintext, and everything else is RLE. Errors carry name, line and column, in
// bytes from 1, and name the remedy. The caller closes r.
func Parse(name string, r io.Reader) (*Pattern, error) {
	var b strings.Builder
	n, err := io.Copy(&b, io.LimitReader(r, bytesMax+1))
	in := &reader{name: name, text: strings.TrimPrefix(b.String(), "\ufeff")}
	switch {
	case err != nil:
		return nil, in.fail(len(in.text), "the file can't be read on: %w", err)
	case n > bytesMax:
		return nil, in.fail(len(in.text), "the file is larger than %d MiB, which is all that is read: use a smaller pattern", bytesMax>>20)
	}
	p := &Pattern{Rule: Life()}
	parse := in.rle
	if in.isPlaintext() {
		parse = in.plaintext
	}
	if err := parse(p); err != nil {
		return nil, err
	}
	return p, nil
}

// isPlaintext decides which format is read.
func (in *reader) isPlaintext() bool {
	switch strings.ToLower(filepath.Ext(in.name)) {
	case ".cells":
		return true
	case ".rle":
		return false
	}
	return in.text != "" && strings.IndexByte("!.O*", in.text[0]) >= 0
}

// addCells keeps n live cells of a row, within the bounds.
func (in *reader) addCells(p *Pattern, x, y, n int) error {
	if len(p.Cells)+n > CellsMax {
		return in.fail(in.at, "more than %d live cells, which is all that is read: use a smaller pattern", CellsMax)
	}
	for i := range n {
		p.Cells = append(p.Cells, Point{x + i, y})
	}
	return nil
}

// setName keeps the first name, without space at both ends.
func (p *Pattern) setName(text string) {
	if text = strings.TrimSpace(text); p.Name == "" {
		p.Name = strings.TrimSpace(text[:min(len(text), nameMax)])
	}
}
