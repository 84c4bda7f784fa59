package caches

// registers are the answer of a processor to a question.
type registers struct{ eax, ebx, ecx, edx uint32 }

// Leaves of cpuid that list caches, in one format: Intel's, and AMD's since 2011.
const (
	leafIntel    = 4
	leafAMD      = 0x8000001d
	leafHighest  = 0x80000000 // of the extended ones
	leafFeatures = 0x80000001
	listsCaches  = 1 << 22 // in ecx of leafFeatures
	instructions = 2       // a kind of cache
)

// processor lists the caches that cpuid knows: none on other processors than amd64, or where a virtual machine hides
// them. How many processors share a cache is rounded up to a power of two, and counts those that are switched off.
func processor() []Cache { return decode(cpuid) }

// decode reads the list of caches by questions. nil knows nothing.
//
//	eax  0–4 kind, 0 behind the last one · 5–7 level · 14–25 processors that share it, less 1
//	ebx  0–11 bytes of a line, less 1 · 12–21 lines together, less 1 · 22–31 ways, less 1
//	ecx  sets, less 1
func decode(ask func(leaf, sub uint32) registers) []Cache {
	if ask == nil {
		return nil
	}
	if highest := ask(0, 0).eax; highest >= leafIntel {
		if list := listed(ask, leafIntel); len(list) > 0 {
			return list
		}
	}
	if ask(leafHighest, 0).eax < leafAMD || ask(leafFeatures, 0).ecx&listsCaches == 0 {
		return nil
	}
	return listed(ask, leafAMD)
}

// listed reads the list of a leaf.
func listed(ask func(leaf, sub uint32) registers, leaf uint32) (list []Cache) {
	for sub := range uint32(indexMax) {
		r := ask(leaf, sub)
		kind, level := r.eax&31, int(r.eax>>5&7)
		if kind == 0 {
			break
		}
		if kind == instructions {
			continue
		}
		bytes := uint64(r.ebx>>22+1) * uint64(r.ebx>>12&1023+1) * uint64(r.ebx&4095+1) * (uint64(r.ecx) + 1)
		list = append(list, Cache{Level: level, Bytes: bytes, Shared: int(r.eax>>14&4095 + 1)})
	}
	return list
}
