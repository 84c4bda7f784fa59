package pattern

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// lineMax bounds the bytes of a line that restOfLine keeps: a comment with room for
// its letter.
const lineMax = CommentBytesMax + 64

// reader hands out bytes and knows where it is, for messages.
type reader struct {
	name      string
	r         *bufio.Reader
	line, col int  // of the byte that next returned last, from 1
	ended     bool // that byte ended its line
	total     int
}

func (in *reader) fail(format string, args ...any) error {
	return in.failAt(in.line, in.col, format, args...)
}

func (in *reader) failAt(line, col int, format string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: %w", in.name, line, max(col, 1), fmt.Errorf(format, args...))
}

// next returns the next byte; ok is false at the end, which has a place too: where
// a byte is missing.
func (in *reader) next() (c byte, ok bool, err error) {
	if in.ended {
		in.line, in.col, in.ended = in.line+1, 0, false
	}
	in.col++
	c, err = in.r.ReadByte()
	if err == io.EOF {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, in.fail("the file can't be read on: %w", err)
	}
	if in.total++; in.total > bytesMax {
		return 0, false, in.fail("the file is larger than %d MiB, which is all that is read: use a smaller pattern", bytesMax>>20)
	}
	in.ended = c == '\n'
	return c, true, nil
}

// restOfLine reads up to the end of the line, which it consumes, and returns at
// most lineMax bytes of it.
func (in *reader) restOfLine() (string, error) {
	var b strings.Builder
	for {
		c, ok, err := in.next()
		if err != nil || !ok || c == '\n' {
			return b.String(), err
		}
		if b.Len() < lineMax {
			b.WriteByte(c)
		}
	}
}
