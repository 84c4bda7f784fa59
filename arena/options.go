package arena

// call is one request to the operating system.
type call struct {
	op    Op
	n     int // the n-th request of this kind, from 1
	bytes uint64
}

// Options say how an arena is made. The zero value suits most programs.
type Options struct {
	// Reserve is the address space to reserve, in bytes: half for chunks, half for arrays. An
	// array that finds no room there is a Go slice. 0 means as much as the machine, its limits
	// (RLIMIT_AS) and the other arenas of the process allow: 1 TiB for each of the first
	// eight, 128 GiB up to about two hundred, 14 GiB for the 1,000th. If that is less than 1
	// GiB, memory comes from the Go heap, and Log reports it.
	Reserve uint64
	// Limit bounds the committed bytes, Stats.Committed; 0 means no limit. It counts:
	//   - 64 KiB for each slot that is or was in use, until it is purged. The room that chunks
	//     leave free can be used without counting again;
	//   - 64 KiB for each position of a striped region, likewise, and 64 KiB or so for
	//     its borders;
	//   - 2 MiB for each region with a slot that is or was in use, in the Huge range and
	//     on the heap back end, where memory comes and goes by whole regions;
	//   - the committed pages of dense arrays: 64 KiB, doubling up to 2 MiB at a time, but
	//     no more than a 32nd of what the limit has left;
	//   - of sparse arrays, such as the entries of a group, pages that are written;
	//   - arrays that are Go slices, on the heap back end above all: they double, or
	//     where the limit is near grow by less. The slice before is garbage,
	//     and does not count.
	// Other memory on the Go heap (tables of chunks and regions, directories)
	// and reserved address space do not count. Before anything is refused, regions
	// without a slot in use and idle positions are given back, if that is enough, and
	// slots of all ranges are tried.
	Limit uint64
	// Budget, if not nil, is a limit shared with other arenas. It counts the same bytes as
	// Limit; both are valid. SetLimit does not change it.
	Budget *Budget
	// Backend chooses where memory comes from.
	Backend Backend
	// SmallPages keeps all memory in pages of the usual size. Otherwise huge pages are advised for full chunks
	// and for large arrays.
	SmallPages bool
	// Log reports, in a line or a few, that memory comes from the Go heap because of limits.
	// It also reports that this arena was dropped without Close, with the stack that made it: see New. A World
	// reports by it a record that it can't write.
	// It may be called from any goroutine, and must not refer to the arena or to its users.
	// Nil is slog.Warn, which has the first of them in a process once.
	Log   func(text string)
	fault func(call) error
}

// WithFault has a test called before each request to the operating system: its kind, its number among those
// of the kind, from 1, and its bytes. An error that it returns is taken as the system's refusal.
func (o Options) WithFault(fault func(op Op, nth int, bytes uint64) error) Options {
	o.fault = func(c call) error { return fault(c.op, c.n, c.bytes) }
	return o
}
