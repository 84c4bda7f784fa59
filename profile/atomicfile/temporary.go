package atomicfile

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// A temporary file is named .ashlar-XXXXXXXX.tmp, with eight hexadecimal digits.
const (
	namePrefix = ".ashlar-"
	nameSuffix = ".tmp"
	keptSuffix = ".new"
)

// temporary is a file of this process beside a target. The zero value stands for none.
type temporary struct {
	path string
	lock *os.File // open and locked while the process needs the file; nil if the system has no locks
}

func (t temporary) unlock() {
	if t.lock != nil {
		t.lock.Close()
	}
}

// keep gives the file a name that is not a temporary file's, and returns it.
func (t temporary) keep() string {
	kept := strings.TrimSuffix(t.path, nameSuffix) + keptSuffix
	if os.Rename(t.path, kept) != nil {
		return t.path
	}
	return kept
}

// createTemporary creates a file with the mode of a new file, and locks it.
func createTemporary(dir string) (f *os.File, t temporary, err error) {
	for range 100 {
		path := filepath.Join(dir, fmt.Sprintf("%s%08x%s", namePrefix, rand.Uint32(), nameSuffix))
		f, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, temporary{}, err
		}
		lock, free := tryLock(path)
		if t = (temporary{path, lock}); free && stillNamed(f, path) {
			return f, t, nil
		}
		t.unlock() // another process took it for abandoned before it was locked
		err = errors.Join(fs.ErrExist, f.Close())
	}
	return nil, temporary{}, err
}

// stillNamed reports whether an open file has a name.
func stillNamed(f *os.File, path string) bool {
	open, err := f.Stat()
	named, err2 := os.Stat(path)
	return err == nil && err2 == nil && os.SameFile(open, named)
}

// aside gives a file the name of a temporary one.
func aside(path string) (temporary, error) {
	lock, _ := tryLock(path)
	old := temporary{lock: lock}
	f, placeholder, err := createTemporary(filepath.Dir(path))
	if err != nil {
		old.unlock()
		return temporary{}, err
	}
	defer placeholder.unlock()
	old.path = placeholder.path
	if err := errors.Join(f.Close(), os.Rename(path, old.path)); err != nil {
		old.unlock()
		return temporary{}, errors.Join(err, os.Remove(old.path))
	}
	return old, nil
}

// removeAbandoned removes the temporary files of dead processes from a directory. A file that can't be
// removed hinders no Write, so there is no error.
func removeAbandoned(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if isTemporary(e.Name()) && e.Type().IsRegular() {
			removeIfAbandoned(filepath.Join(dir, e.Name()))
		}
	}
}

func isTemporary(name string) bool {
	digits, ok := strings.CutPrefix(name, namePrefix)
	digits, ok2 := strings.CutSuffix(digits, nameSuffix)
	_, err := hex.DecodeString(digits)
	return ok && ok2 && err == nil && len(digits) == 8
}

// Writable returns an error unless a file can be created beside a path, links followed. It removes
// temporary files of dead processes there.
func Writable(path string) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	dir := filepath.Dir(path)
	removeAbandoned(dir)
	f, t, err := createTemporary(dir)
	if err != nil {
		return err
	}
	defer t.unlock()
	return errors.Join(f.Close(), os.Remove(t.path))
}
