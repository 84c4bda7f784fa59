package memmgr

import (
	"fmt"
	"os"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// AnnexMost is the largest annex, in bytes.
const AnnexMost = 16 * chunk.Bytes

// DropAnnex gives a chunk's annex back, if it has one, pages first. It returns how many bytes
// the system took (freed), and how many stay resident until the arena gives them back or
// others use them (retained). The slots are free in any case, also after an error, which is
// the arena's.
func (m *Manager) DropAnnex(id chunk.ID) (freed, retained uint64, err error) {
	defer m.use("DropAnnex")()
	freed, retained, err = m.purgeAnnex(id, 0, AnnexMost)
	m.freeAnnex(id)
	return freed, retained, err
}

// PurgeAnnex gives pages of a chunk's annex back. Their contents are undefined then. Pages
// that the annex does not have are ignored. Its results are those of DropAnnex. Parts that are
// not whole pages are retained.
func (m *Manager) PurgeAnnex(id chunk.ID, offset, bytes uint32) (freed, retained uint64, err error) {
	defer m.use("PurgeAnnex")()
	return m.purgeAnnex(id, offset, bytes)
}

func (m *Manager) purgeAnnex(id chunk.ID, offset, bytes uint32) (freed, retained uint64, err error) {
	e := m.mustUse(id, "PurgeAnnex")
	end, page := e.annex.slots*chunk.Bytes, uint32(os.Getpagesize())
	offset = min(offset, end)
	for end = offset + min(bytes, end-offset); offset < end; {
		at := offset % chunk.Bytes
		n := min(end-offset, chunk.Bytes-at)
		var gone uint64
		if at%page == 0 && n%page == 0 {
			gone, err = m.arena.PurgePart(e.annex.first+arena.Slot(offset/chunk.Bytes), at, n)
		}
		freed, retained = freed+gone, retained+uint64(n)-gone
		if err != nil {
			return freed, retained + uint64(end-offset-n), fmt.Errorf("memmgr: dropping views in the annex of chunk %d of %q: %w", id, e.seq.name, err)
		}
		offset += n
	}
	return freed, retained, nil
}
