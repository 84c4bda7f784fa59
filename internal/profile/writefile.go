package profile

import (
	"fmt"

	"github.com/ashlar-go/ashlar/internal/profile/atomicfile"
)

// MapSuffix is what the name of a run's map has behind that of its profile.
const MapSuffix = ".map"

// WriteFile writes the canonical text to a file, whole or not at all: to a temporary
// file in the same directory first, which is synced and then takes the place of the
// old one. A file that was there stays as it was if anything fails, and keeps its mode if
// nothing does; the temporary file is removed, unless the program is killed: .ashlar-*.tmp then stays. A link stays a link. What is no regular file is refused.
//
// Where the directory can be synced and that fails, the error says so: the new
// file is in place, but may not outlive a loss of power.
func (f *File) WriteFile(path string) error {
	text, err := f.whole()
	if err != nil {
		return err
	}
	if err := atomicfile.Write(atomicfile.File{Path: path, Text: text}); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	return nil
}

// WriteFile writes the text form to a file, whole or not at all, as [File.WriteFile] does.
func (m Map) WriteFile(path string) error {
	text, err := m.text()
	if err == nil {
		err = atomicfile.Write(atomicfile.File{Path: path, Text: text})
	}
	if err != nil {
		return fmt.Errorf("profile: writing a map: %w", err)
	}
	return nil
}

// WriteRun writes the profile and the map of one run, to path and path+[MapSuffix]: both
// or neither, each as [File.WriteFile] does. Both texts are on the disk before either
// takes its place, so a full disk leaves the old pair in force. The one failure that leaves a new
// profile beside an old map is that of renaming the map; the error says so, and where the new map is.
func WriteRun(path string, f *File, m Map) error {
	text, err := f.whole()
	if err != nil {
		return err
	}
	mapText, err := m.text()
	if err != nil {
		return fmt.Errorf("profile: writing a map: %w", err)
	}
	if err := atomicfile.Write(atomicfile.File{Path: path, Text: text}, atomicfile.File{Path: path + MapSuffix, Text: mapText}); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	return nil
}
