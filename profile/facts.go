package profile

import (
	"fmt"
	"reflect"
	"time"
)

// span is the number of frames that facts are sums over. A profile with facts states it.
type span struct {
	Frames  uint64        `what:"number of frames" merge:"sum" unit:"unseen"`
	Sampled uint64        `key:"sampled" if:"set" merge:"sum" unit:"unseen"`                   // of them, the frames in which reads by handle were counted
	Early   time.Duration `key:"early" what:"time" if:"set" merge:"most" unit:"unseen"`        // by which the first 100 frames took longer than 100 usual ones; 0: not, or not known
	Layout  string        `key:"layout" what:"the hash of the layout" if:"set" merge:"agreed"` // that the run went by; "": none, or several were
}

func (n *span) problem() string {
	if n.Sampled > n.Frames {
		return fmt.Sprintf("%d of its %d frames are sampled: there can't be more than all", n.Sampled, n.Frames)
	}
	return ""
}

func spans() values {
	return values{
		of: reflect.TypeFor[span](),
		all: func(p *Profile) []any {
			if !p.hasFacts() {
				return nil
			}
			return []any{&span{p.Frames, p.Sampled, p.Early, p.Layout}}
		},
		into: func(p *Profile, pointer any) {
			n := pointer.(*span)
			p.Frames, p.Sampled, p.Early, p.Layout = n.Frames, n.Sampled, n.Early, n.Layout
		},
	}
}

// laid is a statement of the layout that the run went by, with its comment.
type laid struct {
	Line string `what:"the statement"`
}

func laids() values {
	return values{
		of: reflect.TypeFor[laid](),
		all: func(p *Profile) (all []any) {
			for _, line := range p.Laid {
				all = append(all, &laid{line})
			}
			return all
		},
		into: func(p *Profile, pointer any) { p.Laid = append(p.Laid, pointer.(*laid).Line) },
	}
}

// Component is the shape of a component.
type Component struct {
	Name  string `what:"the component's name"`
	Size  int    `key:"size" merge:"equal"`  // bytes
	Align int    `key:"align" merge:"equal"` // bytes
}

func (m *Component) problem() string {
	if m.Align < 1 || m.Align&(m.Align-1) != 0 {
		return fmt.Sprintf("its alignment is %d: it has to be a power of two", m.Align)
	}
	return ""
}

// Handle is a field of a component that refers to an entity, or a component that is a handle itself.
type Handle struct {
	Field string `what:"the field"` // a path that begins with the component's name
}

// Stored says how a component that no group owns was stored at the end of a run, and why. It
// serves people and advice only. A program chooses the storage anew from its own behaviour, unless a layout
// says how to begin. Merge
// keeps the statement of the run in which more entities had the component. Adds and Removes are lists by frame: sums over
// the first frame, the second, the third and fourth, the next 4, 8 and so on.
type Stored struct {
	Component string   `what:"the component's name"`
	Way       string   `what:"way" of:"fixed optional ordered thin" merge:"longer"`
	Reason    string   `key:"reason" merge:"longer"`                             // in words, such as "removed often"
	Entities  uint64   `key:"entities" merge:"longer" unit:"entities"`           // that have the component
	Tables    uint64   `key:"tables" merge:"longer" unit:"tables"`               // that have these entities
	Since     uint64   `key:"since" if:"set" merge:"longer" unit:"unseen"`       // frame of the last change-over
	Adds      []uint64 `key:"adds" if:"set" merge:"sum" unit:"adds/frame"`       // entities that got it, new ones among them, estimated from sampled frames
	Removes   []uint64 `key:"removes" if:"set" merge:"sum" unit:"removes/frame"` // from entities that lived on
}

// Group describes a sequence of chunks at the end of frames. A table is a group that the program
// did not declare. Its name lists its components, see [TableName].
type Group struct {
	Name   string   `what:"the group's name"`
	Owns   []string `key:"owns" what:"a component's name" if:"set" merge:"equal"` // in the order of their columns
	Rows   uint64   `key:"rows" merge:"sum" unit:"rows/frame"`                    // summed over frames: Rows/Frames is the mean
	Chunks uint64   `key:"chunks" merge:"sum" unit:"chunks/frame"`                // summed over frames
	Peak   uint64   `key:"peak" merge:"most" unit:"rows at most"`                 // most rows at the end of any frame
	Last   uint64   `key:"last" merge:"most" unit:"rows at last"`                 // rows at the end of the last frame
}

// Growth is a step in the size of a group: twice as many rows as at the step before, or half as many. Sizes
// are looked at after frames 1, 2, 4, 8 and so on. Small groups, and steady ones, have no steps.
type Growth struct {
	Group string `what:"the group's name"`
	Frame uint64 `key:"frame"`
	Rows  uint64 `key:"rows" merge:"most" unit:"unseen"` // at the end of the frame
}

// Shared is the use of one view in a run. The view has values of a component, or a field of one, that
// systems ask for in a group that does not own it. Its figures are summed over frames.
type Shared struct {
	Group     string `what:"the group's name"`
	Component string `what:"the component's name"`                                   // with a dot and a field's path, if systems ask for a field only
	Readers   int    `key:"readers" merge:"most" unit:"readers"`                     // systems that ask for it
	Built     uint64 `key:"built" merge:"sum" unit:"chunks built/frame"`             // chunks that were gathered as a whole
	Refreshed uint64 `key:"refreshed" merge:"sum" unit:"chunks refreshed/frame"`     // chunks with a gather of the rows that may have changed
	Reused    uint64 `key:"reused" merge:"sum" unit:"chunks reused/frame"`           // chunks that were still valid
	Bytes     uint64 `key:"bytes" merge:"sum" unit:"bytes/frame"`                    // gathered
	Dropped   uint64 `key:"dropped" if:"set" merge:"sum" unit:"bytes dropped/frame"` // bytes of released annexes
}

// Lookup says how often a component was read or written by handle, by systems or by code between them. A read
// by handle (Pool.Get, Pool.Mut) finds the value of one entity. The reads were counted in
// Profile.Sampled frames.
type Lookup struct {
	Component string `what:"the component's name"`
	System    string `key:"by" what:"the system's name" if:"set"` // that read it; "": the program, between frames and systems
	Reads     uint64 `key:"reads" merge:"sum" unit:"reads/frame"` // summed over frames, estimated from the sampled ones
	// Far is how many of these values lay more than a KiB from the one that was read before.
	Far uint64 `key:"far" if:"set" merge:"sum" unit:"far reads/frame"`
	// Contracts is how many contracts gave a value, beside Reads: each counts once in a system's run.
	Contracts uint64 `key:"contracts" if:"set" merge:"sum" unit:"contracts/frame"`
}

// System is the record of one system, or of the queries of one type. A recorder fills it in.
type System struct {
	Name    string `what:"the system's name"`
	Frames  uint64 `key:"frames" merge:"sum" unit:"runs/frame"`                   // in which it ran
	Matched uint64 `key:"matched" if:"set" merge:"sum" unit:"rows matched/frame"` // rows that its struct got
	Tested  uint64 `key:"tested" if:"set" merge:"sum" unit:"rows tested/frame"`   // rows that were tested for that, each by a look-up or 64 by their bits; 0: counts of tables decided about all
	Timed   uint64 `key:"timed" if:"set" merge:"longer" unit:"unseen"`            // number of timed runs
	Times   Times
	Access  []Access // in the order of the walk: by group as visited, then by column
	Choices []Choice // by group and component
	Fields  []Field  // by path
}

// Field is a field of a component that a system's struct has alone, without the rest of the component.
type Field struct {
	Path  string `what:"the field"` // begins with the component's name
	Write bool   `what:"mode" of:"read write"`
}

// Times are percentiles of the time of a system's runs. A few disturbed runs change P99 only.
// Percentiles of two profiles have no mean, so Merge keeps the percentiles of the profile with more timed
// runs.
type Times struct {
	P10 time.Duration `key:"p10" what:"time" if:"set" merge:"longer" unit:"unseen"`
	P50 time.Duration `key:"p50" what:"time" if:"set" merge:"longer" unit:"ns/run"`
	P90 time.Duration `key:"p90" what:"time" if:"set" merge:"longer" unit:"unseen"`
	P99 time.Duration `key:"p99" what:"time" if:"set" merge:"longer" unit:"unseen"`
}

func (s *System) problem() string {
	if t := s.Times; t.P10 < 0 || t.P50 < t.P10 || t.P90 < t.P50 || t.P99 < t.P90 {
		return fmt.Sprintf("its times are p10 %v p50 %v p90 %v p99 %v: none may be less than the one before", t.P10, t.P50, t.P90, t.P99)
	}
	return ""
}

// system returns the system of a name. It adds one if no earlier statement has. Usually it is the
// last.
func (p *Profile) system(name string) *System {
	for i := len(p.Systems) - 1; i >= 0; i-- {
		if p.Systems[i].Name == name {
			return &p.Systems[i]
		}
	}
	p.Systems = append(p.Systems, System{Name: name})
	return &p.Systems[len(p.Systems)-1]
}

// Access counts one system's reads and writes of one component in one group, summed over frames. Fields of the
// component count together, once a row. A recorder fills it in.
type Access struct {
	Group     string `what:"the group's name"`
	Component string `what:"the component's name"`
	Write     bool   `what:"mode" of:"read write"` // writing includes reading; false: only read
	Scattered bool   `what:"scattered"`            // rows were reached by entity, not in sequence
	Rows      uint64 `key:"rows" merge:"sum" unit:"rows/frame"`
	Chunks    uint64 `key:"chunks" merge:"sum" unit:"chunks/frame"`
	Bytes     uint64 `key:"bytes" merge:"sum" unit:"bytes/frame"`          // of the fields that the system asks for
	Lines     uint64 `key:"lines" if:"set" merge:"sum" unit:"lines/frame"` // cache lines in which they lie; 0: not counted
	// Unchanged counts the checked runs in which a writing system changed no value. It is 0
	// if any checked run changed one.
	Unchanged uint64 `key:"unchanged" if:"set" merge:"least" unit:"unseen"`
}

// Choice is how a system gets a component that the rows of a group or table do not have. Merge
// keeps Use, Frames and Order of the longer run. It does not add Frames, because then the order of
// merging would decide which run is longer.
type Choice struct {
	Group     string `what:"the group's name"`
	Component string `what:"the component's name"` // as in Shared
	Use       string `what:"strategy" of:"direct gathered cached" merge:"longer"`
	Frames    uint64 `key:"frames" merge:"longer" unit:"unseen"`                   // in which the system had rows there
	Chunks    uint64 `key:"chunks" merge:"sum" unit:"chunks/frame"`                // that the system read through a cached view, summed over frames
	Stale     uint64 `key:"stale" merge:"sum" unit:"stale chunks/frame"`           // of Chunks, the ones that had to be gathered
	Order     int    `key:"order" if:"set" merge:"longer" unit:"unseen" max:"100"` // percentage of rows right after the row before in the owner's chunks, at the last check
}
