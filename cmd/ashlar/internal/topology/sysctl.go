package topology

// fromSysctl takes what the darwin kernel says. perflevel0 are the fast
// processors; without the word, Apple's chips answer for the slow ones, and
// Intel's have nothing else.
func (t *Topology) fromSysctl(ask func(name string) (uint64, bool)) {
	number := func(limit int, names ...string) int {
		for _, name := range names {
			if n, ok := ask(name); ok && n > 0 && n <= uint64(limit) {
				return int(n)
			}
		}
		return 0
	}
	if n := number(lineMax, "hw.cachelinesize"); isLine(n) {
		t.setLine(n, SourceSysctl)
	}
	if n, ok := ask("hw.memsize"); ok && n <= memoryMax {
		t.Memory = Memory{n, SourceSysctl}
	}
	sizes := []int{
		number(bytesMax, "hw.perflevel0.l1dcachesize", "hw.l1dcachesize"),
		number(bytesMax, "hw.perflevel0.l2cachesize", "hw.l2cachesize"),
		number(bytesMax, "hw.perflevel0.l3cachesize", "hw.l3cachesize"),
	}
	for i, bytes := range sizes {
		t.Caches[i].resize(bytes, SourceSysctl)
	}
	if n := number(valueMax, "hw.perflevel0.cpusperl2"); n > 0 {
		t.Caches[1].SharedBy, t.Caches[1].SharedSource = n, SourceSysctl
	}
	if sizes[0] > 0 && sizes[1] > 0 && sizes[2] == 0 { // it knows, and there is no L3
		t.Caches = t.Caches[:2]
	}
}
