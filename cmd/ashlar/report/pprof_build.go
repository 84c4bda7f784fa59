package report

import (
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/profile"
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

// holding lists the chunks of a group that hold rows.
type holding struct {
	chunks []profile.Placed
	rows   uint64
}

// filled finds the chunks that hold rows, by group, in the order of the map.
func filled(m profile.Map) map[string]holding {
	groups := map[string]holding{}
	for _, c := range m.Chunks {
		if c.Rows > 0 {
			h := groups[c.Group]
			groups[c.Group] = holding{append(h.chunks, c), h.rows + c.Rows}
		}
	}
	return groups
}

// accessPart is the part of an access that belongs to one chunk.
type accessPart struct {
	order               int
	Rows, Chunks, Bytes uint64
}

// splitAccess distributes an access over chunks. Each part is the difference of two rounded
// sums, so rounding loses nothing. Without chunks it returns one part.
func splitAccess(a profile.Access, h holding) []accessPart {
	if len(h.chunks) == 0 {
		return []accessPart{{noChunk, a.Rows, a.Chunks, a.Bytes}}
	}
	parts := make([]accessPart, len(h.chunks))
	var rows uint64
	var before accessPart
	for i, c := range h.chunks {
		rows += c.Rows
		upTo := accessPart{c.Order, shareOf(a.Rows, rows, h.rows), shareOf(a.Chunks, uint64(i+1), uint64(len(parts))), shareOf(a.Bytes, rows, h.rows)}
		parts[i] = accessPart{c.Order, upTo.Rows - before.Rows, upTo.Chunks - before.Chunks, upTo.Bytes - before.Bytes}
		before = upTo
	}
	return parts
}
