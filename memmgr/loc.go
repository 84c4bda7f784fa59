package memmgr

import (
	"errors"
	"fmt"

	"github.com/ashlar-go/ashlar/chunk"
)

const (
	rowBits   = chunk.RowBits
	rowMask   = 1<<rowBits - 1
	rowStep   = 1 << chunkBits // from one row's Loc to the next
	chunkBits = 23
	chunkMask = 1<<chunkBits - 1

	// LocBits is the width of a Loc: 13 bits of row above 23 bits of chunk.
	LocBits = rowBits + chunkBits
	// maxChunks is how many chunk numbers there are: 512 GiB of chunks. The number behind them is noChunk.
	maxChunks = chunkMask
)

// Loc is the location of a row: a chunk number and a row in that chunk. It stays good when the
// chunk moves. The zero Loc is no location, because chunk 0 is no chunk.
type Loc uint64

// MakeLoc puts a location together.
func MakeLoc(id chunk.ID, row uint32) Loc { return Loc(row)<<chunkBits | Loc(id) }

// Chunk is the chunk's number.
func (l Loc) Chunk() chunk.ID { return chunk.ID(l & chunkMask) }

// Row is the row within the chunk.
func (l Loc) Row() uint32 { return uint32(l >> chunkBits) }

// Index is Row in the type of offsets of addresses.
func (l Loc) Index() uintptr { return uintptr(l >> chunkBits) }

// Plus is the location n rows further in the same chunk.
func (l Loc) Plus(n uint32) Loc { return l + Loc(n)<<chunkBits }

func (l Loc) String() string { return fmt.Sprintf("%d:%d", l.Chunk(), l.Row()) }

// ErrChunks is returned when all chunk numbers are in use.
var ErrChunks = errors.New("memmgr: all chunk numbers are in use")
