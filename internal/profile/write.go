package profile

import (
	"fmt"
	"hash/fnv"
	"io"
	"strings"

	"github.com/ashlar-go/ashlar/internal/profile/atomicfile"
	"github.com/ashlar-go/ashlar/internal/profile/text"
)

// MapSuffix is what the name of a run's map has behind that of its profile.
const MapSuffix = ".map"

// WriteTo writes the canonical text. Parse reads the same profile back. What Check refuses is not written.
func (p Profile) WriteTo(w io.Writer) (int64, error) {
	s, err := p.text()
	if err != nil {
		return 0, err
	}
	n, err := io.WriteString(w, s)
	return int64(n), err
}

func (p Profile) text() (string, error) {
	if err := p.Check(); err != nil {
		return "", err
	}
	sections := make(map[string]int)
	for _, k := range kinds() {
		sections[k.word] = k.section
	}
	var b strings.Builder
	fmt.Fprintf(&b, "ashlar profile %d\n", Version)
	last := -1
	for _, s := range p.statements() {
		subject := s.subject
		word, _, _ := strings.Cut(subject, " ")
		if sections[word] != last || word == "system" {
			b.WriteByte('\n')
			last = sections[word]
		}
		b.WriteString(subject)
		b.WriteString(s.rest())
		b.WriteByte('\n')
	}
	if p.hasFacts() {
		b.WriteString("\nend\n")
	}
	if b.Len() > text.FileMax {
		return "", Problem{Text: fmt.Sprintf("the profile would have %d bytes, and a file has at most %d: record less", b.Len(), text.FileMax)}
	}
	return b.String(), nil
}

// Sum is a number that tells the facts of a run from those of others, by which its map knows
// them. It is 0 only without facts.
func (p Profile) Sum() uint64 {
	if !p.hasFacts() {
		return 0
	}
	p.Hints = Hints{}
	h := fnv.New64a()
	for _, s := range p.statements() {
		io.WriteString(h, s.subject+s.rest()+"\n")
	}
	return max(h.Sum64(), 1)
}

// WriteFile writes the canonical text to a file, whole or not at all: to a temporary file in the
// same directory, which is synced and then takes the place of the old one. If anything fails, the old file
// stays as it was. It keeps its mode, and a link stays a link. Only regular files are replaced.
//
// If the directory can't be synced, the error says so: the new file is in place, but may not
// outlive a loss of power.
func (p Profile) WriteFile(path string) error {
	s, err := p.text()
	if err != nil {
		return err
	}
	return wrap(atomicfile.Write(atomicfile.File{Path: path, Text: s}))
}

// WriteRun writes the profile and the map of one run, to path and path+[MapSuffix]: both
// or neither, each as WriteFile does. The map notes which profile it belongs to. Both texts are on
// the disk before either takes its place, so a full disk leaves the old pair in force. The one failure that
// leaves a new profile beside an old map is that of renaming the map. The error says so, and where the new
// map is.
func WriteRun(path string, p Profile, m Map) error {
	s, err := p.text()
	if err != nil {
		return err
	}
	m.Of = p.Sum()
	mapText, err := m.text()
	if err != nil {
		return err
	}
	return wrap(atomicfile.Write(atomicfile.File{Path: path, Text: s}, atomicfile.File{Path: path + MapSuffix, Text: mapText}))
}

func wrap(err error) error {
	if err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	return nil
}
