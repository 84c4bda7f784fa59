package profile

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// The text form of a map, a statement a line; # begins a comment, which is not kept:
//
//	ashlar map 1
//	frame 1200
//	whole
//
//	region normal 0 :--.............................
//	region huge 0 xxxx~---........................
//	region normal 1 xxxxxxxxxxxxxxxxxxxxxxxxxx...... striped
//
//	chunk body 0 at huge 0 2 rows 1820 bytes 65520 moves 1 copied 65520 heat 78624000
//	chunk body 1 at huge 0 0 rows 99 bytes 3564 pins 1 heat 4276800
//	chunk body spare at huge 0 1
//	chunk table/mark 0 at normal 0 0 rows 5 bytes 80
//	chunk table/sign 0 at normal 0 0 rows 7 bytes 84
//
//	end
//
// `whole` says that memory goes back by whole regions alone. A region has its range,
// its number there, and a letter a slot: x in use, : cut into blocks for several chunks,
// ~ in quarantine, - free and dirty, . free and clean; + is in use and clean still. In
// a striped region the columns of all its chunks lie side by side. A chunk has its
// group, its order there, and range, region and slot where it lies. Figures of a chunk
// that are 0 may be left out. The file ends with `end`, so that one that was
// cut off is told from a whole one.

// MapVersion is the version of the text form of maps that this package writes.
const MapVersion = 1

// states are the letters of a slot's state.
func (r Region) states() string {
	var letters [32]byte
	for i := range letters {
		bit := uint32(1) << i
		switch free, dirty, quarantined := r.Free&bit != 0, r.Dirty&bit != 0, r.Quarantined&bit != 0; {
		case r.Blocks&bit != 0:
			letters[i] = ':'
		case quarantined:
			letters[i] = '~'
		case free && dirty:
			letters[i] = '-'
		case free:
			letters[i] = '.'
		case dirty:
			letters[i] = 'x'
		default:
			letters[i] = '+'
		}
	}
	return string(letters[:])
}

// setStates is the inverse; it returns the index of the first letter that is none, or -1.
func (r *Region) setStates(letters string) int {
	for i := range len(letters) {
		bit := uint32(1) << i
		switch letters[i] {
		case ':':
			r.Blocks |= bit
			r.Dirty |= bit
		case '~':
			r.Quarantined |= bit
			r.Dirty |= bit
		case '-':
			r.Free |= bit
			r.Dirty |= bit
		case '.':
			r.Free |= bit
		case 'x':
			r.Dirty |= bit
		case '+':
		default:
			return i
		}
	}
	return -1
}

// WriteTo writes the text form, which ParseMap reads back as the same map. A map that
// Check refuses is not written.
func (m Map) WriteTo(w io.Writer) (int64, error) {
	text, err := m.text()
	if err != nil {
		return 0, err
	}
	n, err := io.WriteString(w, text)
	return int64(n), err
}

func (m Map) text() (string, error) {
	if err := m.Check(); err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "ashlar map %d\nframe %d\n", MapVersion, m.Frame)
	if m.Whole {
		b.WriteString("whole\n")
	}
	b.WriteString("\n")
	for _, r := range m.Regions {
		fmt.Fprintf(&b, "%s %s", subjectOfRegion(r), r.states())
		if r.Striped {
			b.WriteString(" striped")
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	for _, c := range m.Chunks {
		r := m.Regions[c.Region]
		b.WriteString(subjectOfChunk(c, r))
		if c.Order >= 0 {
			fmt.Fprintf(&b, " at %s %d %d", quote(r.Range), r.Number, c.Slot)
		}
		for _, f := range c.figures() {
			if f.value > 0 {
				fmt.Fprintf(&b, " %s %d", f.key, f.value)
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("\nend\n")
	if b.Len() > fileMax {
		return "", &Problems{First: []Problem{{Text: fmt.Sprintf("the map would have %d bytes, and a file has at most %d: use shorter names", b.Len(), fileMax)}}}
	}
	return b.String(), nil
}

// figure is a number of a chunk and the most that it can be.
type figure struct {
	key         string
	value, high uint64
}

func (c Placed) figures() []figure {
	return []figure{
		{"rows", c.Rows, numberMax}, {"bytes", c.Bytes, slotBytes}, {"pins", uint64(c.Pins), numberMax},
		{"moves", c.Moves, math.MaxUint64}, {"copied", c.Copied, math.MaxUint64}, {"heat", c.Heat, math.MaxUint64},
	}
}

// What a statement begins with tells it from all others; spares are told apart by place.

func subjectOfChunk(c Placed, r Region) string {
	if c.Order < 0 {
		return fmt.Sprintf("chunk %s spare at %s %d %d", quote(c.Group), quote(r.Range), r.Number, c.Slot)
	}
	return fmt.Sprintf("chunk %s %d", quote(c.Group), c.Order)
}

func subjectOfRegion(r Region) string { return fmt.Sprintf("region %s %d", quote(r.Range), r.Number) }
