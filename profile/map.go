package profile

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// Map says where the chunks of a run were at one moment. It is for people only.
type Map struct {
	World   string // its name, or ""
	Frame   uint64
	Of      uint64   // Profile.sum of the facts of the same world and run; 0: unknown
	Whole   bool     // only whole regions are purged
	Regions []Region // in the order of their addresses
	Chunks  []Placed // by group, then by order
}

// Region is 2 MiB of address space: 32 slots of 64 KiB. Each mask has one bit for each slot.
type Region struct {
	Range                    string // "normal", "huge", "cold"
	Number                   uint32 // counted within its range
	Free, Dirty, Quarantined uint32
	Blocks                   uint32 // slots in blocks, which several chunks share
	Striped                  bool   // each column of its 32 chunks is one run of memory
}

// Placed says where one chunk is and how often it is used. A manager fills all but Heat, which
// Map.SetHeat sets from facts.
type Placed struct {
	Group  string
	Order  int // in the group; -1 for a spare
	Region int // index into Map.Regions
	Slot   int // in the region, 0 to 31
	Rows   uint64
	Bytes  uint64 // of rows
	Pins   int
	Moves  uint64 // number of moves so far
	Copied uint64 // bytes copied by its moves
	Heat   uint64 // bytes that systems asked for per 1,000 frames
}

// The text form of a map, in the words of package text:
//
//	ashlar map 1
//	world level
//	frame 1200
//	run 8d1c02aa90b7e4f1
//	whole
//
//	region normal 0 :--.............................
//	region huge 0 xxxx~---........................
//	region normal 1 xxxxxxxxxxxxxxxxxxxxxxxxxx...... striped
//
//	chunk body 0 at huge 0 2 rows 1820 bytes 65520 moves 1 copied 65520 heat 78624000
//	chunk body 1 at huge 0 0 rows 99 bytes 3564 pins 1 heat 4276800
//	chunk body spare at huge 0 1
//
//	end
//
// `world` is absent if the world has no name. `run` identifies the profile that the map belongs to (Profile.sum). `whole` says that only whole
// regions are purged. A region has its range, its number there, and a letter for each block of
// 64 KiB: x in use, : shared by several chunks, ~ in quarantine, - free and dirty, . free and
// clean, + in use and clean. A chunk has its group, its order there, and its range, region and
// block. Figures of 0 may be left out. A map always ends with `end`.

// mapVersion is the version of the text form of maps that this package writes.
const mapVersion = 1

const blockBytes = 64 << 10

// Belongs reports whether a map may be of the run that recorded a profile, or a part of it. It is
// false only if both have a sum, and the profile has no facts about the map's world with that sum.
func (m Map) Belongs(p Profile) bool {
	return m.Of == 0 || !p.hasFacts() || m.Of == p.ofWorld(m.World).sum()
}

// letters are the states of a slot, and masks the bits of Free, Dirty, Quarantined and Blocks in
// each of them, the lowest first.
const letters = ".-~x+:"

func masks() []uint32 { return []uint32{0b0001, 0b0011, 0b0110, 0b0010, 0b0000, 0b1010} }

// states are the letters of a region's blocks.
type states Region

func (r *states) Like() string { return "a letter for each, of " + letters }

// Text returns the letters of the blocks, with ? for a state that no block can be in.
func (r *states) Text() string {
	word := []byte(strings.Repeat("?", 32))
	for i := range word {
		mask := r.Free>>i&1 | r.Dirty>>i&1<<1 | r.Quarantined>>i&1<<2 | r.Blocks>>i&1<<3
		if state := slices.Index(masks(), mask); state >= 0 {
			word[i] = letters[state]
		}
	}
	return string(word)
}

// Take is the inverse of Text for a region without any.
func (r *states) Take(word string) bool {
	for i := range word {
		state := strings.IndexByte(letters, word[i])
		if state < 0 || i > 31 {
			return false
		}
		mask := masks()[state]
		r.Free |= mask & 1 << i
		r.Dirty |= mask >> 1 & 1 << i
		r.Quarantined |= mask >> 2 & 1 << i
		r.Blocks |= mask >> 3 & 1 << i
	}
	return len(word) == 32
}

func (r *Region) fields() []text.Field {
	return append(r.name(nil), text.Field{What: "state of 32 blocks", Value: (*states)(r)}, text.Field{What: "striped", Value: &r.Striped})
}

// name appends the fields that identify a region.
func (r *Region) name(list []text.Field) []text.Field {
	return append(list, text.Field{What: "the range", Value: &r.Range}, text.Field{What: "number of a region", Value: &r.Number})
}

func (r *Region) subject() string { return text.Statement("region", r.name(nil)) }

func (r *Region) problem() string {
	switch {
	case strings.Contains((*states)(r).Text(), "?"):
		return "a block is free, in quarantine or shared: state at most one, and clean only if the block is free or in use"
	case r.Striped && r.Blocks != 0:
		return "a striped region has shared blocks: it can't have any"
	}
	return text.Fault(r.name(nil))
}

// order is a chunk's order in its group.
type order int

func (o *order) Like() string {
	return fmt.Sprintf("a whole number from 0 to %d, or spare", text.NumberMax)
}

func (o *order) Text() string {
	if *o < 0 {
		return "spare"
	}
	return strconv.Itoa(int(*o))
}

func (o *order) Take(word string) bool {
	n, err := strconv.ParseUint(word, 10, 31)
	if *o = order(n); word == "spare" {
		*o, err = -1, nil
	}
	return err == nil
}

// fields appends the words and figures of a chunk in a region.
func (c *Placed) fields(list []text.Field, r *Region) []text.Field {
	list = append(list, text.Field{What: "the group's name", Value: &c.Group}, text.Field{What: "order in the group", Value: (*order)(&c.Order)}, text.Field{What: "place", Value: text.Fixed("at")})
	return append(r.name(list),
		text.Field{What: "block", Value: &c.Slot, Max: 31}, text.Field{Key: "rows", Value: &c.Rows, Optional: true}, text.Field{Key: "bytes", Value: &c.Bytes, Optional: true},
		text.Field{Key: "pins", What: "number of pins", Value: &c.Pins, Optional: true}, text.Field{Key: "moves", Value: &c.Moves, Optional: true},
		text.Field{Key: "copied", Value: &c.Copied, Optional: true}, text.Field{Key: "heat", Value: &c.Heat, Optional: true})
}

// subject identifies a chunk by its fields. That of a spare includes its place.
func (c *Placed) subject(fields []text.Field) string {
	words := 2
	if c.Order < 0 {
		words = 6
	}
	return text.Statement("chunk", fields[:words])
}

// problem describes the fault of a chunk in a region, or returns "". Other chunks have taken so
// many bytes of the region's blocks.
func (c *Placed) problem(fields []text.Field, r *Region, taken *[32]uint64) string {
	switch bad := text.Fault(fields); {
	case bad != "":
		return bad
	case c.Order < -1 || c.Order > text.NumberMax:
		return fmt.Sprintf("its order is %d: it has to be from 0 to %d, or -1 for a spare", c.Order, text.NumberMax)
	case c.Rows > text.NumberMax || c.Bytes > blockBytes:
		return fmt.Sprintf("it has %d rows and %d bytes: at most %d and %d are possible", c.Rows, c.Bytes, text.NumberMax, blockBytes)
	}
	bit := uint32(1) << c.Slot
	switch {
	case (r.Free|r.Quarantined)&bit != 0:
		return fmt.Sprintf("it lies in block %d, which is not in use: one of the two statements is wrong", c.Slot)
	case r.Blocks&bit == 0 && taken[c.Slot] > 0:
		return fmt.Sprintf("it lies in block %d, in which another chunk lies, and the block is not shared (:)", c.Slot)
	}
	if taken[c.Slot] += max(c.Bytes, 1); taken[c.Slot] > blockBytes {
		return fmt.Sprintf("it lies in block %d, in which other chunks leave no room for it: one of the statements is wrong", c.Slot)
	}
	return ""
}

// check returns every problem that prevents writing a map. Examples are a name that is empty or
// too long, regions or chunks stated twice, a chunk in a block that is free or in quarantine, and
// chunks that do not fit into their block together. The error lists all.
func (m Map) check() error {
	var ps text.Problems
	for i := range m.Regions {
		r := &m.Regions[i]
		ps.State(r.subject(), r.problem())
	}
	if m.World != "" {
		ps.State(worldTitle(m.World), text.BadName(m.World))
	}
	taken := make([][32]uint64, len(m.Regions))
	var fields []text.Field
	for i := range m.Chunks {
		c := &m.Chunks[i]
		if c.Region < 0 || c.Region >= len(m.Regions) {
			fields = c.fields(fields[:0], &Region{})
			ps.State(c.subject(fields), fmt.Sprintf("it lies in region %d of %d: Region is an index into Regions", c.Region, len(m.Regions)))
			continue
		}
		r := &m.Regions[c.Region]
		fields = c.fields(fields[:0], r)
		ps.State(c.subject(fields), c.problem(fields, r, &taken[c.Region]))
	}
	if n := len(m.Regions) + len(m.Chunks); n > text.StatementMax {
		ps.State("map", fmt.Sprintf("it has %d regions and chunks, and a file has at most %d statements", n, text.StatementMax))
	}
	return ps.Err()
}

// text is the text form, which ParseMap reads back as the same map. It returns the error of check.
func (m Map) text() (string, error) {
	if err := m.check(); err != nil {
		return "", fmt.Errorf("the map can't be written: %w", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "ashlar map %d\n", mapVersion)
	if m.World != "" {
		fmt.Fprintln(&b, worldTitle(m.World))
	}
	fmt.Fprintln(&b, "frame", m.Frame)
	if m.Of != 0 {
		fmt.Fprintln(&b, "run", (*runSum)(&m.Of).Text())
	}
	if m.Whole {
		fmt.Fprintln(&b, "whole")
	}
	fmt.Fprintln(&b)
	for i := range m.Regions {
		fmt.Fprintln(&b, text.Statement("region", m.Regions[i].fields()))
	}
	fmt.Fprintln(&b)
	var fields []text.Field
	for i := range m.Chunks {
		c := &m.Chunks[i]
		fields = c.fields(fields[:0], &m.Regions[c.Region])
		fmt.Fprintln(&b, text.Statement("chunk", fields))
	}
	b.WriteString("\nend\n")
	if b.Len() > text.FileMax {
		return "", text.Problem{Text: fmt.Sprintf("the map would have %d bytes, and a file has at most %d: use shorter names", b.Len(), text.FileMax)}
	}
	return b.String(), nil
}

// ParseMap reads the text form of a map, with the limits of [Parse]. Errors call r by name.
// The error lists everything that is wrong, with file, line and column, or
// wraps the error of r.
func ParseMap(name string, r io.Reader) (Map, error) {
	p := mapParser{regions: make(map[string]int)}
	form := text.Form{Name: "map", Version: mapVersion, Whole: func() bool { return true }, Kinds: []text.Kind{
		text.Once(worldWord, "world NAME", text.Field{What: "the world's name", Value: &p.m.World}),
		text.Once("frame", "frame N", text.Field{What: "number of a frame", Value: &p.m.Frame}),
		text.Once("run", "run SUM", text.Field{What: "sum", Value: (*runSum)(&p.m.Of)}),
		{Word: "whole", Synopsis: "whole", Read: func(c *text.Cursor) { p.m.Whole = c.Done("whole") }},
		{Word: "region", Synopsis: "region RANGE NUMBER STATES [striped]", Read: p.region},
		{Word: "chunk", Synopsis: "chunk GROUP ORDER|spare at RANGE NUMBER BLOCK [rows N] [bytes N] [pins N] [moves N] [copied N] [heat N]", Read: p.chunk},
	}}
	if err := text.ReadFrom(name, r, form); err != nil {
		return Map{}, err
	}
	return p.m, nil
}

// runSum is the sum of the run that a map is of.
type runSum uint64

func (n *runSum) Like() string { return "16 hexadecimal digits" }

func (n *runSum) Text() string { return fmt.Sprintf("%016x", uint64(*n)) }

func (n *runSum) Take(word string) bool {
	of, err := strconv.ParseUint(word, 16, 64)
	*n = runSum(of)
	return err == nil && len(word) == 16
}

// ReadMap is ParseMap of a file.
func ReadMap(path string) (Map, error) { return readFile(path, ParseMap) }

// mapParser has a map while it is read.
type mapParser struct {
	m       Map
	regions map[string]int // subject → index
	taken   [][32]uint64   // bytes of chunks in the blocks of each region
	fields  []text.Field   // of the chunk that was read last
}

func (p *mapParser) region(c *text.Cursor) {
	var r Region
	c.Fields(r.fields())
	c.RefuseIf(r.problem())
	if subject := r.subject(); c.Done(subject) {
		p.regions[subject] = len(p.m.Regions)
		p.m.Regions = append(p.m.Regions, r)
		p.taken = append(p.taken, [32]uint64{})
	}
}

func (p *mapParser) chunk(c *text.Cursor) {
	var g Placed
	var r Region
	p.fields = g.fields(p.fields[:0], &r)
	c.Fields(p.fields)
	region := r.subject()
	i, known := p.regions[region]
	switch {
	case !c.Good():
	case !known:
		c.Refuse("no line above states %s: put its statement first", text.Cut(region))
	default:
		c.RefuseIf(g.problem(p.fields, &p.m.Regions[i], &p.taken[i]))
	}
	if c.Done(g.subject(p.fields)) {
		g.Region = i
		p.m.Chunks = append(p.m.Chunks, g)
	}
}
