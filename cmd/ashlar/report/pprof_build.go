package report

import (
	"slices"
	"strings"

	pprofile "github.com/google/pprof/profile"
)

// builder collects the samples of a file for pprof. Frames are functions without
// addresses, so equal stacks of two files are merged.
type builder struct {
	profile *pprofile.Profile
	places  map[string]*pprofile.Location
	mapping *pprofile.Mapping
}

// newBuilder makes an empty file of values, each written type/unit. pprof shows the value called
// shown by default.
func newBuilder(shown string, types ...string) *builder {
	// The mapping has its functions, so pprof does not search a program for names.
	mapping := &pprofile.Mapping{ID: 1, HasFunctions: true}
	p := &pprofile.Profile{
		DefaultSampleType: shown,
		PeriodType:        &pprofile.ValueType{}, // empty, but Merge requires it
		Mapping:           []*pprofile.Mapping{mapping},
	}
	for _, t := range types {
		name, unit, _ := strings.Cut(t, "/")
		p.SampleType = append(p.SampleType, &pprofile.ValueType{Type: name, Unit: unit})
	}
	return &builder{p, map[string]*pprofile.Location{}, mapping}
}

// comment describes the content of the file.
func (b *builder) comment(text string) { b.profile.Comments = append(b.profile.Comments, text) }

// add adds a sample unless all its values are 0. Labels alternate between names and values.
// Labels with empty values are left out.
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

// place returns the location of a frame. It makes the location on the first call.
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
