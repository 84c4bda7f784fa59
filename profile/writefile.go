package profile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// step is what is done to write a file.
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
	if err := replaceFile(path, text, nil); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	return nil
}

// replaceFile puts text in the place of a file. fault, if there is one, is asked before each
// step; its error stands for the step's.
func replaceFile(path, text string, fault func(step) error) error {
	if fault == nil {
		fault = func(step) error { return nil }
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	old, err := os.Stat(path)
	switch {
	case err == nil && !old.Mode().IsRegular():
		return fmt.Errorf("%s is no regular file, and nothing else is written over: name another one", path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	dir := filepath.Dir(path)
	failed := func(s step, err error) error {
		return fmt.Errorf("%s for %s: %w: mend that or write elsewhere; what was there is as it was", s, path, err)
	}
	if err := fault(stepCreate); err != nil {
		return failed(stepCreate, err)
	}
	f, err := createTemp(dir)
	if err != nil {
		return failed(stepCreate, err)
	}
	steps := []struct {
		step
		do func() error
	}{
		{stepMode, func() error {
			if old == nil || runtime.GOOS == "windows" { // where the only mode is read-only, which would keep it from being replaced
				return nil
			}
			return f.Chmod(old.Mode().Perm())
		}},
		{stepWrite, func() error { _, err := f.WriteString(text); return err }},
		{stepSync, f.Sync},
		{stepClose, f.Close},
		{stepRename, func() error { return os.Rename(f.Name(), path) }},
	}
	for _, s := range steps {
		err := fault(s.step)
		if err == nil {
			err = s.do()
		}
		if err != nil {
			f.Close() // closing twice does no harm
			return errors.Join(failed(s.step, err), os.Remove(f.Name()))
		}
	}
	if err = fault(stepSyncDir); err == nil {
		err = syncDir(dir)
	}
	if err != nil {
		return fmt.Errorf("%s is written, but may not outlive a loss of power: %s: %w", path, stepSyncDir, err)
	}
	return nil
}

// createTemp is os.CreateTemp with the mode that a new file has.
func createTemp(dir string) (f *os.File, err error) {
	for range 100 {
		name := filepath.Join(dir, fmt.Sprintf(".ashlar-%08x.tmp", rand.Uint32()))
		if f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666); !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, err
}

// syncDir makes a renaming last, where a directory can be opened and synced.
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
