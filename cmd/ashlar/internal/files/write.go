package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/ashlar-go/ashlar/profile/atomicfile"
)

// Replaceable returns an error with the remedy, unless a file of a kind can be written to a
// path: nothing is there, or an empty file, or one of this kind that the command does not read.
func (s *Set) Replaceable(path string, kind Kind) error {
	if name, ok := s.reads(path); ok && name == path {
		return fmt.Errorf("%s is an input of this command, and is not replaced: name another file", path)
	} else if ok {
		return fmt.Errorf("%s is the same file as %s, an input of this command, and is not replaced: name another file", path, name)
	}
	return OfKind(path, kind)
}

// reads tells whether a file is an input, and by which name.
func (s *Set) reads(path string) (name string, ok bool) {
	info, err := os.Stat(path)
	if err != nil {
		return "", false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.read, func(in input) bool { return os.SameFile(in.info, info) })
	if i < 0 {
		return "", false
	}
	return s.read[i].name, true
}

// OfKind is Replaceable for a file that is brought up to date, so that it may be read as well.
func OfKind(path string, kind Kind) error {
	if IsAddress(path) {
		return fmt.Errorf("%s is an address, and only files are written: name a file", path)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%w: name another file", err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file, and only regular files are replaced: name another file", path)
	case info.Size() == 0:
		return nil
	}
	head, err := headOf(path)
	if err != nil {
		return fmt.Errorf("%w: what is there can't be told, so it is not written over: name another file, or remove it first", err)
	}
	if is := KindOf(head); is == Unknown || is != kind {
		return fmt.Errorf("%s is %s, and %s is written over it: name another file, or remove it first", path, is.a(), kind.no())
	}
	return nil
}

// Write writes a file whole or not at all, if it is [Set.Replaceable] by its text's kind.
func (s *Set) Write(path, text string) error {
	if err := s.Replaceable(path, KindOf([]byte(text))); err != nil {
		return err
	}
	return atomicfile.Write(atomicfile.File{Path: path, Text: text})
}
