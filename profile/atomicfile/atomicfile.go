// Package atomicfile writes files atomically: one file, or several that belong together.
//
//	temporary files beside the targets: created, written, synced, closed   all of them
//	old files but the first             set aside                          one after the other
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
// Two calls that write several files replace them one after the other, also in two processes: the directory of the first file
// is locked meanwhile, where the system has such locks. So the files are all of the later call.
//
// A process holds a lock on each of its temporary files. The next Write or Writable in a directory
// removes temporary files without one: their processes are dead.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
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
	stepAside   step = "setting the old file aside"
	stepRename  step = "renaming it"
	stepSyncDir step = "syncing the directory"
)

// Write writes all of the files or none. It writes each to a temporary file in the same
// directory, then renames that to the target. An old file keeps its mode, and a link stays a
// link. A target that exists and is not a regular file is an error.
//
// If a step fails, Write leaves the old files unchanged and removes the temporary ones. There
// are two exceptions, which the error states. If a later file can't be renamed, the earlier
// ones are already replaced and the rest are missing: the error says where their content is. If a
// directory can't be synced, all files are written but may be lost in a power failure.
//
// A program that is killed leaves the first file whole and no other file of another call. Its
// temporary files, .ashlar-*.tmp, are removed by the next Write or Writable there.
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
	for _, dir := range dirs(list) {
		removeAbandoned(dir)
	}
	defer release(list)
	each := func(prepare func(i int) error) error {
		for i := range list {
			if err := prepare(i); err != nil {
				return errors.Join(fmt.Errorf("%w; %s", err, untouched(files)), undo(list))
			}
		}
		return nil
	}
	if err := each(func(i int) error { return list[i].prepare() }); err != nil {
		return err
	}
	if len(list) > 1 {
		defer lockDir(filepath.Dir(list[0].target))()
	}
	if err := each(func(i int) error { return list[i].setAside(i) }); err != nil {
		return err
	}
	for i := range list {
		err := list[i].try(stepRename, func() error { return os.Rename(list[i].new.path, list[i].target) })
		switch {
		case err != nil && i == 0:
			return errors.Join(fmt.Errorf("%w; %s", err, untouched(files)), undo(list))
		case err != nil:
			forget(list)
			return fmt.Errorf("%w; %s", err, torn(list[:i], list[i:]))
		}
	}
	forget(list)
	return syncDirs(list, fault)
}

// pending is a file that is being written.
type pending struct {
	File
	fault  func(step, File) error
	target string      // Path, links followed
	old    fs.FileInfo // nil: there is none
	new    temporary   // the new content
	aside  temporary   // the old content, if it was set aside
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
func (p *pending) prepare() error {
	var f *os.File
	err := p.try(stepCreate, func() (err error) {
		f, p.new, err = createTemporary(filepath.Dir(p.target))
		return err
	})
	if err != nil {
		return err
	}
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

// setAside renames the old file of every target but the first. It does not lie beside a new first
// file then, whenever the process is killed.
func (p *pending) setAside(i int) error {
	if i == 0 || p.old == nil {
		return nil
	}
	return p.try(stepAside, func() (err error) {
		p.aside, err = aside(p.target)
		return err
	})
}

// undo puts back the files that were set aside, and removes the new ones.
func undo(list []pending) error {
	var errs []error
	for _, p := range list {
		if p.aside.path != "" {
			if err := os.Rename(p.aside.path, p.target); err != nil {
				errs = append(errs, fmt.Errorf("%w: rename %s to %s", err, p.aside.keep(), p.target))
			}
		}
		if p.new.path != "" {
			errs = append(errs, os.Remove(p.new.path))
		}
	}
	return errors.Join(errs...)
}

// forget removes the old files that were set aside. The next Write removes one that stays.
func forget(list []pending) {
	for _, p := range list {
		if p.aside.path != "" {
			os.Remove(p.aside.path)
		}
	}
}

// release unlocks the temporary files.
func release(list []pending) {
	for _, p := range list {
		p.new.unlock()
		p.aside.unlock()
	}
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

// torn says which files are new and which are missing, and how to repair that. It gives the new
// content of missing files a name that no Write removes.
func torn(written, rest []pending) string {
	var texts []string
	for _, p := range written {
		texts = append(texts, p.Path+" is written")
	}
	for _, p := range rest {
		texts = append(texts, fmt.Sprintf("%s is missing: its new content is in %s: rename that to %s", p.Path, p.new.keep(), p.target))
	}
	return strings.Join(texts, ", ")
}

// dirs lists the directories of the targets, each once.
func dirs(list []pending) (names []string) {
	for _, p := range list {
		if dir := filepath.Dir(p.target); !slices.Contains(names, dir) {
			names = append(names, dir)
		}
	}
	return names
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
