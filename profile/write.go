package profile

import (
	"fmt"
	"hash/fnv"
	"io"
	"strings"

	"github.com/ashlar-go/ashlar/profile/atomicfile"
	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// MapSuffix is the suffix that the name of a run's map adds to that of its profile.
const MapSuffix = ".map"

// RecordVariable names a file to which each world of package ecs writes its record when it is closed, with
// the map beside it. So a program is recorded as it is.
const RecordVariable = "ASHLAR_RECORD"

// WriteTo writes the canonical text. Parse reads the same profile back. It returns the error of
// a name that is empty, too long or stated twice, or of a figure out of range, and writes nothing if there is one.
func (p Profile) WriteTo(w io.Writer) (int64, error) { return writeTo(w, p.text) }

func writeTo(w io.Writer, text func() (string, error)) (int64, error) {
	s, err := text()
	if err != nil {
		return 0, err
	}
	n, err := io.WriteString(w, s)
	return int64(n), err
}

func (p Profile) text() (string, error) {
	if err := p.check(); err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "ashlar profile %d\n", version)
	last, world := -1, ""
	for _, s := range p.statements() {
		if s.world != world {
			b.WriteString("\n" + worldTitle(s.world) + "\n")
			last, world = -1, s.world
		}
		if s.section != last || s.word == "system" {
			b.WriteByte('\n')
			last = s.section
		}
		b.WriteString(s.line() + "\n")
	}
	if p.hasFacts() {
		b.WriteString("\nend\n")
	}
	if b.Len() > text.FileMax {
		return "", text.Problem{Text: fmt.Sprintf("the profile would have %d bytes, and a file has at most %d: record less", b.Len(), text.FileMax)}
	}
	return b.String(), nil
}

// sum returns a hash of the facts of a run, by which its map identifies them. It is 0 only without
// facts.
func (p Profile) sum() uint64 {
	if !p.hasFacts() {
		return 0
	}
	h := fnv.New64a()
	for _, s := range p.statements() {
		io.WriteString(h, InWorld(s.world, s.line())+"\n")
	}
	return max(h.Sum64(), 1)
}

// WriteFile writes the canonical text to a file atomically. It writes a temporary file in the same
// directory, syncs it and renames it over the old one. If a step fails, the old file is unchanged.
// The mode is kept, and a link stays a link. Only regular files are replaced.
//
// If the directory can't be synced, the error says so. The new file is then in place, but may be
// lost in a power failure.
func (p Profile) WriteFile(path string) error {
	s, err := p.text()
	if err != nil {
		return err
	}
	return wrap(atomicfile.Write(atomicfile.File{Path: path, Text: s}))
}

// WriteRun writes the profile and the map of one run to path and path+[MapSuffix]: both or
// neither, each as WriteFile does. The map has the sum of the profile's facts about its world.
// Both texts are on the disk before an old file is touched, so a full disk leaves the old pair
// unchanged.
//
// The old map goes before the profile comes, and the new one follows. So a crash leaves a pair of
// one run, or a profile without a map, and so does a failure to rename one of them.
func WriteRun(path string, p Profile, m Map) error {
	s, err := p.text()
	if err != nil {
		return err
	}
	m.Of = p.ofWorld(m.World).sum()
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
