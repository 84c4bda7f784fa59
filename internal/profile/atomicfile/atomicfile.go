// Package atomicfile writes files atomically: one file, or several that belong together.
//
//	temporary files beside the targets: created, written, synced, closed   all of them
//	                                    renamed to the targets             then one after the other
//	                                    directories synced                 at the end
//
// Every step that needs disk space comes before the first rename, so a full disk leaves all
// targets unchanged.
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
	stepRename  step = "renaming it"
	stepSyncDir step = "syncing the directory"
)

// Write writes all of the files or none. It writes each to a temporary file in the same
// directory, then renames that to the target. An old file keeps its mode, and a link stays a
// link. A target that exists and is not a regular file is an error.
//
// If a step fails, Write leaves the old files unchanged and removes the temporary ones. There
// are two exceptions, which the error states. If a later file can't be renamed, the earlier
// ones are already replaced, and its temporary file stays for the user to rename. If a
// directory can't be synced, all files are written but may be lost in a power failure.
// A program that is killed leaves temporary files, .ashlar-*.tmp.
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
	for i := range list {
		if err := list[i].prepare(); err != nil {
			return errors.Join(fmt.Errorf("%w; %s", err, untouched(files)), discard(list[:i+1]))
		}
	}
	for i := range list {
		err := list[i].try(stepRename, func() error { return os.Rename(list[i].temporary, list[i].target) })
		switch {
		case err != nil && i == 0:
			return errors.Join(fmt.Errorf("%w; %s", err, untouched(files)), discard(list))
		case err != nil:
			return fmt.Errorf("%w; %s", err, torn(list[:i], list[i:]))
		}
	}
	return syncDirs(list, fault)
}

// pending is a file that is being written.
type pending struct {
	File
	fault     func(step, File) error
	target    string      // Path, links followed
	old       fs.FileInfo // nil: there is none
	temporary string      // "": there is none
}

// find inspects the target. before are the files that are written earlier in the same call.
func (p *pending) find(before []pending) (err error) {
	p.target = p.Path
	if target, err := filepath.EvalSymlinks(p.Path); err == nil {
		p.target = target
	}
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

// try runs one step. Its error says what to do.
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
func (p *pending) prepare() error {
	var f *os.File
	err := p.try(stepCreate, func() (err error) {
		f, err = createTemp(filepath.Dir(p.target))
		return err
	})
	if err != nil {
		return err
	}
	defer f.Close() // a second Close is harmless
	p.temporary = f.Name()
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

// discard removes temporary files.
func discard(list []pending) error {
	var errs []error
	for _, p := range list {
		if p.temporary != "" {
			errs = append(errs, os.Remove(p.temporary))
		}
	}
	return errors.Join(errs...)
}

// untouched says that no file has changed.
func untouched(files []File) string {
	if len(files) == 1 {
		return "the old files are unchanged"
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Path)
	}
	return strings.Join(names, " and ") + " are unchanged"
}

// torn says which files are new, which are old, and how to repair that.
func torn(written, rest []pending) string {
	var texts []string
	for _, p := range written {
		texts = append(texts, p.Path+" is written")
	}
	for _, p := range rest {
		was := "unchanged"
		if p.old == nil {
			was = "missing"
		}
		texts = append(texts, fmt.Sprintf("%s is %s: its new content is in %s: rename that to %s", p.Path, was, p.temporary, p.target))
	}
	return strings.Join(texts, ", ")
}

// createTemp is os.CreateTemp with the mode of a new file.
func createTemp(dir string) (f *os.File, err error) {
	for range 100 {
		name := filepath.Join(dir, fmt.Sprintf(".ashlar-%08x.tmp", rand.Uint32()))
		if f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666); !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, err
}

// syncDirs syncs the directories, so that the renames survive a power failure.
func syncDirs(list []pending, fault func(step, File) error) error {
	var done []string
	for _, p := range list {
		dir := filepath.Dir(p.target)
		if slices.Contains(done, dir) {
			continue
		}
		done = append(done, dir)
		err := fault(stepSyncDir, p.File)
		if err == nil {
			err = syncDir(dir)
		}
		if err != nil {
			return fmt.Errorf("%s is written, but may be lost in a power failure: %s: %w", p.Path, stepSyncDir, err)
		}
	}
	return nil
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
