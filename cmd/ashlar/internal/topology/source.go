package topology

// Source is where a value comes from.
type Source uint8

const (
	// SourceDefault is what most machines have: a guess.
	SourceDefault Source = iota
	// SourceCPUID is the processor's own word.
	SourceCPUID
	// SourceSysfs is the linux kernel's word.
	SourceSysfs
	// SourceSysctl is the darwin kernel's word.
	SourceSysctl
	// SourceRuntime is the Go runtime's word.
	SourceRuntime
	// SourceFile is the word of whoever wrote the description that Parse read.
	SourceFile

	sources = iota
)

// String is the word that reports and descriptions use.
func (s Source) String() string {
	switch s {
	case SourceCPUID:
		return "cpuid"
	case SourceSysfs:
		return "sysfs"
	case SourceSysctl:
		return "sysctl"
	case SourceRuntime:
		return "runtime"
	case SourceFile:
		return "file"
	}
	return "default"
}

// sourceOf returns the source that a word names.
func sourceOf(word string) (s Source, ok bool) {
	for s := range Source(sources) {
		if s.String() == word {
			return s, true
		}
	}
	return 0, false
}
