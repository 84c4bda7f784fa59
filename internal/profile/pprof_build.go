package profile

import (
	"slices"
	"strings"

	pprofile "github.com/google/pprof/profile"
)

// builder collects the samples of a file for pprof. Frames are functions without
// addresses, so that equal stacks of two files are the same one.
type builder struct {
	profile *pprofile.Profile
	places  map[string]*pprofile.Location
	mapping *pprofile.Mapping
}

// newBuilder makes an empty file of values, each written type/unit, of which one is
// shown if none is asked for.
func newBuilder(comment, shown string, types ...string) *builder {
	// A mapping that has its functions: pprof looks for no program to find names in.
	mapping := &pprofile.Mapping{ID: 1, HasFunctions: true}
	p := &pprofile.Profile{
		DefaultSampleType: shown,
		PeriodType:        &pprofile.ValueType{}, // none, which Merge wants said
		Comments:          []string{comment},
		Mapping:           []*pprofile.Mapping{mapping},
	}
	for _, t := range types {
		name, unit, _ := strings.Cut(t, "/")
		p.SampleType = append(p.SampleType, &pprofile.ValueType{Type: name, Unit: unit})
	}
	return &builder{p, map[string]*pprofile.Location{}, mapping}
}

// add adds a sample, unless all its values are 0. Labels are names and values in
// turn, those of empty values left out.
func (b *builder) add(stack, labels []string, values ...uint64) {
	if !slices.ContainsFunc(values, func(v uint64) bool { return v != 0 }) {
		return
	}
	s := &pprofile.Sample{Label: map[string][]string{}}
	for _, v := range values {
		s.Value = append(s.Value, sampleValue(v))
	}
	for _, frame := range stack {
		s.Location = append(s.Location, b.place(frame))
	}
	for pair := range slices.Chunk(labels, 2) {
		if pair[1] != "" {
			s.Label[pair[0]] = []string{pair[1]}
		}
	}
	b.profile.Sample = append(b.profile.Sample, s)
}

// place returns the location of a frame, making it at the first need.
func (b *builder) place(frame string) *pprofile.Location {
	if l := b.places[frame]; l != nil {
		return l
	}
	id := uint64(len(b.places) + 1)
	f := &pprofile.Function{ID: id, Name: frame, SystemName: frame}
	l := &pprofile.Location{ID: id, Mapping: b.mapping, Line: []pprofile.Line{{Function: f}}}
	b.profile.Function = append(b.profile.Function, f)
	b.profile.Location = append(b.profile.Location, l)
	b.places[frame] = l
	return l
}
