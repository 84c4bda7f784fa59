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
// count and a repeated state; a comment is a line behind # or !.
//
// For a Pattern that Parse returns, sides are at most SideMax, and live cells at most
// CellsMax. Each cell is in the box. Cells come row by row from the top, left to right,
// none twice. WriteRLE writes such a pattern so that Parse reads an equal one.
//
// Where the pattern lies in its plane (#P, #R, #CXRLE) is not read: who runs a
// pattern decides that. Hostile input costs no more memory than its own size and
// the live cells that it describes, 16 bytes each.
package pattern

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

const (
	// SideMax bounds the box, and so every coordinate.
	SideMax = 1 << 15
	// CellsMax bounds the live cells.
	CellsMax = 1 << 22
	// CommentsMax bounds the comments that are kept; further ones are passed over.
	CommentsMax = 256
	// CommentBytesMax bounds each comment, the name and the author; longer ones are cut.
	CommentBytesMax = 4096

	bytesMax = 64 << 20 // of the input
)

// Point is a cell, counted from the top left of the box.
type Point struct{ X, Y int }

// Pattern is the content of a file. The zero Pattern is an empty box that no cell
// is ever born in.
type Pattern struct {
	Name, Author  string // "" if the file does not say
	Comments      []string
	Width, Height int // of the box, in cells
	Rule          Rule
	Cells         []Point // the live ones, row by row
}

// Parse reads a pattern. A name that ends in .cells is plaintext and one that ends
// in .rle is RLE; otherwise text that begins as plaintext does (! . O *) is
// plaintext, and everything else is RLE. Errors carry name, line and column, in
// bytes from 1, and name the remedy. The caller closes r.
func Parse(name string, r io.Reader) (*Pattern, error) {
	in := &reader{name: name, r: bufio.NewReader(io.LimitReader(r, bytesMax+1)), line: 1}
	if mark, _ := in.r.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		in.r.Discard(len(byteOrderMark)) // can't fail: the bytes are there
	}
	if in.isPlaintext() {
		return in.plaintext()
	}
	return in.rle()
}

// byteOrderMark is a prefix that some editors put before UTF-8.
const byteOrderMark = "\ufeff"

// isPlaintext decides which format is read.
func (in *reader) isPlaintext() bool {
	switch strings.ToLower(filepath.Ext(in.name)) {
	case ".cells":
		return true
	case ".rle":
		return false
	}
	first, _ := in.r.Peek(1) // an error is met again by the first read
	return len(first) == 1 && strings.IndexByte("!.O*", first[0]) >= 0
}

// addComment keeps a comment, within the bounds.
func (p *Pattern) addComment(text string) {
	if text = trim(text); text != "" && len(p.Comments) < CommentsMax {
		p.Comments = append(p.Comments, text)
	}
}

// addCells keeps n live cells of a row, within the bounds.
func (in *reader) addCells(p *Pattern, x, y, n int) error {
	if len(p.Cells)+n > CellsMax {
		return in.fail("more than %d live cells, which is all that is read: use a smaller pattern", CellsMax)
	}
	for i := range n {
		p.Cells = append(p.Cells, Point{x + i, y})
	}
	return nil
}

// trim takes space from both ends, and cuts a text that is too long to keep.
func trim(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[:min(len(text), CommentBytesMax)])
}

// Check returns an error unless the package comment's invariants of a Pattern are true. A pattern
// from Parse always passes; one that a program has made may not.
func (p *Pattern) Check() error {
	if p.Width < 0 || p.Width > SideMax || p.Height < 0 || p.Height > SideMax {
		return fmt.Errorf("pattern: a box of %d by %d: sides are 0 to %d", p.Width, p.Height, SideMax)
	}
	if len(p.Cells) > CellsMax {
		return fmt.Errorf("pattern: %d live cells: there may be %d", len(p.Cells), CellsMax)
	}
	last := Point{-1, 0}
	for _, c := range p.Cells {
		if c.X < 0 || c.X >= p.Width || c.Y < 0 || c.Y >= p.Height {
			return fmt.Errorf("pattern: cell %v lies outside the box of %d by %d", c, p.Width, p.Height)
		}
		if c.Y < last.Y || c.Y == last.Y && c.X <= last.X {
			return fmt.Errorf("pattern: cell %v comes after %v: sort cells by row, then column, each once", c, last)
		}
		last = c
	}
	for _, text := range append([]string{p.Name, p.Author}, p.Comments...) {
		if strings.ContainsRune(text, '\n') {
			return errors.New("pattern: the name, the author or a comment has a line break: split it into comments")
		}
	}
	return nil
}
