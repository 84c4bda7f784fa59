package public

import (
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
)

// bodyOf makes a workload ready on a store.
func bodyOf[H any](w workload, n int, open func() Store[H]) candidate.Body {
	switch w.name {
	case "query2comp", "query32arch", "query256arch":
		return query(w.name, n, open(), Move)
	case "pointers":
		return query("query2comp", n, open(), Each)
	case "random":
		return random(n, open())
	case "create2comp":
		return create(n, open(), moving)
	case "create10comp":
		return create(n, open(), ten)
	case "create2comp_alloc":
		return createAlloc(n, open)
	case "worst_create":
		return worstCreate(n, open)
	case "add_remove":
		return addRemove(n, open(), 1<<Position)
	case "add_remove_large":
		return addRemove(n, open(), eleven)
	case "delete2comp":
		return remove(n, open(), moving)
	case "delete10comp":
		return remove(n, open(), ten)
	case "new_world":
		return candidate.Body{Work: func() int { open().Close(); return 1 }, Digest: func() uint64 { return 0 }}
	}
	return frames(w, n, open())
}

// query is a loop over N entities, beside others that do not match, or in many sets.
func query[H any](name string, n int, s Store[H], of System) candidate.Body {
	list := make([]H, n)
	switch name {
	case "query2comp":
		s.Create(make([]H, 10*n), 1<<Position)
		s.Create(list, moving)
	case "query32arch":
		for i := range list {
			s.Create(list[i:i+1], moving|Set(i%32)<<C1)
		}
	case "query256arch":
		s.Create(list, moving)
		other := make([]H, 4*n)
		for i := range other {
			s.Create(other[i:i+1], 1<<Position|Set(i%256)<<C1)
		}
	}
	return candidate.Body{
		Work:   func() int { return s.Run(of) },
		Digest: func() uint64 { return digest(s, list) },
		Close:  s.Close,
	}
}

// shuffle puts handles in random order, the same for all stores.
func shuffle[H any](list []H) {
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

func random[H any](n int, s Store[H]) candidate.Body {
	list := make([]H, n)
	s.Create(list, moving) // so that positions can be other than zero
	s.Run(Move)
	shuffle(list)
	sum := 0.0
	return candidate.Body{
		Work:   func() int { sum += s.Read(list); return n },
		Digest: func() uint64 { return digest(s, list) ^ uint64(sum) },
		Close:  s.Close,
	}
}

// create makes N entities where as many have lived before.
func create[H any](n int, s Store[H], of Set) candidate.Body {
	list, live := make([]H, n), false
	return candidate.Body{
		Prepare: func() {
			if live {
				s.Destroy(list)
			}
		},
		Work:   func() int { s.Create(list, of); live = true; return n },
		Digest: func() uint64 { return digest(s, nil) },
		Close:  s.Close,
	}
}

// anew is a body with a store that is made before each work, when the one before is closed.
func anew[H any](n int, open func() Store[H], work func(s Store[H], list []H)) candidate.Body {
	var s Store[H]
	list := make([]H, n)
	closed := func() {
		if s != nil {
			s.Close()
		}
	}
	return candidate.Body{
		Prepare: func() { closed(); s = open() },
		Work:    func() int { work(s, list); return n },
		Digest:  func() uint64 { return digest(s, list) },
		Close:   closed,
	}
}

// createAlloc makes N entities in a new store.
func createAlloc[H any](n int, open func() Store[H]) candidate.Body {
	return anew(n, open, func(s Store[H], list []H) { s.Create(list, moving) })
}

// worstCreate makes N entities in a new store, one in each call. Its measure is the call that takes longest.
func worstCreate[H any](n int, open func() Store[H]) candidate.Body {
	var worst time.Duration
	b := anew(n, open, func(s Store[H], list []H) {
		worst = 0
		last := time.Now()
		for i := range list {
			s.Create(list[i:i+1], moving)
			now := time.Now()
			worst, last = max(worst, now.Sub(last)), now
		}
	})
	b.Took = func() time.Duration { return worst }
	return b
}

func addRemove[H any](n int, s Store[H], of Set) candidate.Body {
	list := make([]H, n)
	s.Create(list, of)
	return candidate.Body{
		Work: func() int {
			s.Add(list, Velocity)
			s.Remove(list, Velocity)
			s.Frame(nil)
			return n
		},
		Digest: func() uint64 { return digest(s, list) },
		Close:  s.Close,
	}
}

// remove destroys N entities.
func remove[H any](n int, s Store[H], of Set) candidate.Body {
	list := make([]H, n)
	return candidate.Body{
		Prepare: func() { s.Create(list, of) },
		Work:    func() int { s.Destroy(list); return n },
		Digest:  func() uint64 { return digest(s, nil) },
		Close:   s.Close,
	}
}

// collected is a run of the collector while N entities live. forget closes the store of the entry before.
func collected[H any](n int, open func() Store[H], forget *func()) candidate.Body {
	lived := 0
	return candidate.Body{
		Prepare: func() {
			(*forget)()
			s := open()
			s.Create(make([]H, n), moving)
			lived, _ = s.Count()
			*forget = func() { s.Close(); *forget = func() {} }
			runtime.GC() // the store before is garbage
		},
		Work:   func() int { runtime.GC(); return n },
		Digest: func() uint64 { return uint64(lived) },
		Close:  func() { (*forget)() },
	}
}
