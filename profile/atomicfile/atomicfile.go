// Package atomicfile writes files atomically: one file, or several that belong together.
//
//	temporary files beside the targets: created, written, synced, closed   all of them
//	old files but the first             removed                            one after the other
//	temporary files                     renamed to the targets             one after the other
//	directories                         synced                             at the end
//
// Every step that needs disk space comes before the first old file is touched, so a full disk
// leaves all targets unchanged.
//
// A crash at any point leaves files of one call only. The first file is the old one or the new
// one, whole. Each further file is of the same call as the first, or missing. So a reader of
// several files starts with the first and takes a missing one as not written.
//
// Two calls that write the same files at the same time may leave some of each: files that belong together have to say
// so themselves, as a map does by the sum of its profile.
//
// All names are for engines, and may change.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// File is a path and the content to write there.
type File struct {
	Path string
	Text string
}

// step is a part of writing a file.
type step string

const (
	stepCreate  step = "creating the temporary file"
	stepMode    step = "setting its mode"
	stepWrite   step = "writing it"
	stepSync    step = "syncing it"
	stepClose   step = "closing it"
	stepRemove  step = "removing the old file"
	stepRename  step = "renaming it"
	stepSyncDir step = "syncing the directory"
)

// Write writes all of the files or none. It writes each to a temporary file in the same
// directory, then renames that to the target. An old file keeps its mode, and a link stays a
// link. A target that exists and is not a regular file is an error.
//
// If a step fails, Write leaves the old files unchanged and removes the temporary ones. There
// are two exceptions, which the error states. If one of several files can't be renamed, it and the later ones are
// missing. If a directory can't be synced, all files are written but may be lost in a power failure.
//
// A program that is killed leaves the first file whole and no other file of another call. Its
// temporary files, .ashlar-*.tmp, are removed by a Write there, an hour later or more.
func Write(files ...File) error { return write(nil, files) }

// write is Write with a fault for tests, called before each step. An error from it replaces the
// step's result. A nil fault is never called.
func write(fault func(step, File) error, files []File) error {
	if fault == nil {
		fault = func(step, File) error { return nil }
	}
	list := make([]pending, len(files))
	for i, f := range files {
		list[i] = pending{File: f, fault: fault}
		if err := list[i].find(list[:i]); err != nil {
			return err
		}
	}
	for _, p := range firsts(list) {
		removeAbandoned(filepath.Dir(p.target))
	}
	defer func() {
		for _, p := range list {
			if p.temporary != "" {
				os.Remove(p.temporary)
			}
		}
	}()
	for stage, replace := range [...]func(p *pending, i int) error{(*pending).prepare, (*pending).removeOld, (*pending).rename} {
		if stage == 1 && len(list) > 1 {
			defer lockDir(filepath.Dir(list[0].target))()
		}
		for i := range list {
			if err := replace(&list[i], i); err != nil {
				return fmt.Errorf("%w; %s", err, state(list))
			}
		}
	}
	for _, p := range firsts(list) { // so that the renames survive a power failure
		if err := p.try(stepSyncDir, func() error { return syncDir(filepath.Dir(p.target)) }); err != nil {
			return fmt.Errorf("%s is written, but may be lost in a power failure: %w", p.Path, err)
		}
	}
	return nil
}

// pending is a file that is being written.
type pending struct {
	File
	fault     func(step, File) error
	target    string      // Path, links followed
	old       fs.FileInfo // nil: there is none
	temporary string      // with the new content; "": none, or it is the target now
	removed   bool        // the old file is gone
	written   bool        // the new one is in its place
}

// find inspects the target. before are the files that are written earlier in the same call.
func (p *pending) find(before []pending) (err error) {
	p.target = behindLinks(p.Path)
	p.old, err = os.Stat(p.target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.old = nil
	case err != nil:
		return fmt.Errorf("%w: name another file", err)
	case !p.old.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file, and only regular files are replaced: name another file", p.Path)
	}
	for _, b := range before {
		if p.target == b.target || p.old != nil && b.old != nil && os.SameFile(p.old, b.old) {
			return fmt.Errorf("%s and %s are the same file: give each output a file of its own", b.Path, p.Path)
		}
	}
	return nil
}

// behindLinks is the file that a path leads to, also if it is not there yet. A path that leads nowhere stays itself.
func behindLinks(path string) string {
	at := path
	for range 40 { // as many links as linux follows
		if target, err := filepath.EvalSymlinks(at); err == nil {
			return target
		}
		next, err := os.Readlink(at)
		switch {
		case err != nil:
			return at
		case filepath.IsAbs(next):
			at = next
		default:
			at = filepath.Join(filepath.Dir(at), next)
		}
	}
	return path
}

// try runs one step. Its error names the remedy.
func (p *pending) try(s step, do func() error) error {
	err := p.fault(s, p.File)
	if err == nil {
		err = do()
	}
	if err == nil {
		return nil
	}
	remedy := "correct that or write elsewhere"
	if s == stepWrite || s == stepSync || s == stepClose {
		remedy = "make room there or write elsewhere"
	}
	return fmt.Errorf("%s for %s: %w: %s", s, p.Path, err, remedy)
}

// prepare writes the temporary file, syncs it and closes it.
func (p *pending) prepare(int) error {
	var f *os.File
	err := p.try(stepCreate, func() (err error) {
		f, err = createTemporary(filepath.Dir(p.target))
		return err
	})
	if err != nil {
		return err
	}
	p.temporary = f.Name()
	defer f.Close() // a second Close is harmless
	for _, s := range []struct {
		step
		do func() error
	}{
		{stepMode, func() error {
			if p.old == nil || runtime.GOOS == "windows" { // where the only mode is read-only, which would keep it from being replaced
				return nil
			}
			return f.Chmod(p.old.Mode().Perm())
		}},
		{stepWrite, func() error { _, err := f.WriteString(p.Text); return err }},
		{stepSync, f.Sync},
		{stepClose, f.Close},
	} {
		if err := p.try(s.step, s.do); err != nil {
			return err
		}
	}
	return nil
}

// removeOld removes the old file of every target but the first. It does not lie beside a new first
// file then, whenever the process is killed. Another run may have removed or made it since find.
func (p *pending) removeOld(i int) error {
	if i == 0 {
		return nil
	}
	return p.try(stepRemove, func() error {
		err := os.Remove(p.target)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		p.removed = err == nil
		return err
	})
}

func (p *pending) rename(int) error {
	err := p.try(stepRename, func() error { return os.Rename(p.temporary, p.target) })
	if err == nil {
		p.temporary, p.written = "", true
	}
	return err
}

// state says which files are new, missing and unchanged when a step has failed.
func state(list []pending) string {
	if len(list) == 1 {
		return "the old files are unchanged"
	}
	var texts []string
	for _, p := range list {
		is := "unchanged"
		switch {
		case p.written:
			is = "written"
		case p.removed || list[0].written:
			is = "missing"
		}
		texts = append(texts, p.Path+" is "+is)
	}
	return strings.Join(texts, ", ")
}

// A temporary file is named like .ashlar-0123abcd.tmp, with eight hexadecimal digits.
const (
	namePrefix = ".ashlar-"
	nameSuffix = ".tmp"

	abandonedAfter = time.Hour // far more than a Write takes
)

// createTemporary creates a file with the mode of a new file.
func createTemporary(dir string) (f *os.File, err error) {
	for range 100 {
		f, err = os.OpenFile(filepath.Join(dir, fmt.Sprintf("%s%08x%s", namePrefix, rand.Uint32(), nameSuffix)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return f, err
}

// removeAbandoned removes the temporary files of dead processes from a directory. A file that can't be
// removed hinders no Write, so there is no error.
func removeAbandoned(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && isTemporary(e.Name()) && e.Type().IsRegular() && time.Since(info.ModTime()) > abandonedAfter {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

func isTemporary(name string) bool {
	is, _ := filepath.Match(namePrefix+strings.Repeat("[0-9a-f]", 8)+nameSuffix, name)
	return is
}

// firsts lists the first file of each directory.
func firsts(list []pending) (of []pending) {
	for _, p := range list {
		if !slices.ContainsFunc(of, func(q pending) bool { return filepath.Dir(p.target) == filepath.Dir(q.target) }) {
			of = append(of, p)
		}
	}
	return of
}

// syncDir syncs a directory if the system and the file system support that.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		return nil
	}
	d, err := os.Open(dir)
	if errors.Is(err, fs.ErrPermission) {
		return nil // writable, not readable
	}
	if err != nil {
		return err
	}
	defer d.Close()
	if err = d.Sync(); errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil // not possible in this file system
	}
	return err
}
