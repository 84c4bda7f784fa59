package memmgr

import (
	"runtime/pprof"

	"github.com/ashlar-go/ashlar/chunk"
)

// profileChunks is the name of the runtime profile of chunks in use, for
// pprof.Lookup and net/http/pprof.
const profileChunks = "ashlar.chunks"

// tracer keeps the chunks of one manager in the runtime profile, each with the stack
// that made it. The profile outlives the manager and holds the tracer, not the
// manager: tracing keeps nothing alive that a program has lost.
type tracer struct{ profile *pprof.Profile }

// traced is a chunk as the profile tells it from all others, of all managers.
type traced struct {
	by *tracer
	id chunk.ID
}

// profileNamed returns the process's profile of that name, and makes it if there is none.
func profileNamed(name string) *pprof.Profile {
	if p := pprof.Lookup(name); p != nil {
		return p
	}
	return newProfile(name)
}

// newProfile makes a profile, or returns the one that another goroutine has made since
// it was looked for: NewProfile panics then.
func newProfile(name string) (p *pprof.Profile) {
	defer func() {
		if r := recover(); r != nil {
			if p = pprof.Lookup(name); p == nil {
				panic(r)
			}
		}
	}()
	return pprof.NewProfile(name)
}

// made enters a chunk with the stack from the caller on: Add itself, and this, are left out.
func (t *tracer) made(id chunk.ID) { t.profile.Add(traced{t, id}, 2) }

// freed takes a chunk out.
func (t *tracer) freed(id chunk.ID) { t.profile.Remove(traced{t, id}) }
