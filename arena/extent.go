package arena

const (
	// osPageMax is the granularity of Purge: the largest page size of the systems that we know
	// (16 KiB on Apple silicon, 64 KiB on some arm64 and ppc64). With one size everywhere, an
	// array commits and purges the same bytes on every machine.
	osPageMax = 64 << 10

	// PageLen is the unit that the lengths of Go-slice arrays are rounded up to.
	PageLen = 512

	arrayStep    = osPageMax   // the first commit of an array: less is a whole page on some systems
	arrayStepMax = RegionBytes // later ones double up to this

	// Arrays start at different places of a region, so that arrays that grow together
	// do not all come to a new huge page with the same element.
	arrayStagger = 128 << 10
)

// stepsLeft bounds a step of an array where limits are near: it takes ahead of its elements at
// most one in so many bytes that are left. Others could have used it (TestWorldFillsItsLimit).
const stepsLeft = 32

// Steps of an array end where regions do, so that each is a whole huge page where the system has them.

// extent is an array's piece of the array space.
type extent struct {
	offset    uint64 // from the start of the array space
	bytes     uint64
	committed uint64   // usable, from its start
	charged   uint64   // accounted for, of what is usable: all of it, unless the array is sparse
	taken     []uint64 // a bit for each pageBytes that are accounted for
}

// pageBytes is what a bit of an extent stands for. A page of the system is one or several of them.
const pageBytes = PageLen * 8

// isTaken tells whether the page at a byte is accounted for.
func (e *extent) isTaken(at uint64) bool {
	i := at / pageBytes
	return e.taken[i/64]>>(i%64)&1 != 0
}

// mark notes whether pages are accounted for, and returns how many bytes that adds or takes off.
func (e *extent) mark(at, bytes uint64, taken bool) (changed uint64) {
	for end := at + bytes; at < end; at += pageBytes {
		if e.isTaken(at) != taken {
			i := at / pageBytes
			e.taken[i/64] ^= 1 << (i % 64)
			changed += pageBytes
		}
	}
	return changed
}

// lead is the part of an array before the end of the region that it starts in.
func (e *extent) lead() uint64 { return RegionBytes - e.offset%RegionBytes }

// nextCommit returns how many bytes an array should commit that has committed bytes and needs
// want. It doubles from 64 KiB, and then goes on in steps that end where regions do. The first
// such step ends after lead bytes. It never goes past bytesMax. It is pure, so that growth can
// be tested as a table.
func nextCommit(committed, want, lead, bytesMax uint64) uint64 {
	to := max(committed, arrayStep)
	if committed != 0 {
		to = committed + min(committed, arrayStepMax)
	}
	if to < want {
		to = (want + arrayStep - 1) / arrayStep * arrayStep
	}
	if to > lead {
		to = lead + (to-lead+RegionBytes-1)/RegionBytes*RegionBytes
	}
	return min(to, bytesMax)
}

// roundPage rounds a number of elements up to a multiple of PageLen, or to most.
func roundPage(n uint64, most uint32) uint64 {
	return min((n+PageLen-1)/PageLen*PageLen, uint64(most))
}
