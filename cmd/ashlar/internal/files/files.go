// Package files reads and writes the sources of a command line: files, the standard input,
// addresses.
//
// A [Set] holds the inputs of one command. It opens and recognises them, so that no output
// replaces an input under another spelling, a link, or a redirected standard input. An output
// replaces only files of its own kind. The first bytes of a file give its [Kind].
package files

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

const (
	// Stdin is the name of the standard input, and of the standard output where a file is written.
	Stdin = "-"

	stdinName = "the standard input"
)

// bytesMax limits an input that is not a regular file. It is the size limit of a profile.
const bytesMax = 16 << 20

// answerTime limits the time of a whole answer from an address.
const answerTime = 30 * time.Second

// Set is the inputs of one command. Its methods may be called from several goroutines.
type Set struct {
	Stdin  io.Reader    // nil: there is none
	Client *http.Client // nil: one that gives up after 30 s

	mu    sync.Mutex
	taken bool // the standard input has been read
	read  []input
}

// input is a file that was read.
type input struct {
	name string
	info fs.FileInfo
}

// Note adds a file to the inputs that something else reads.
func (s *Set) Note(name string) {
	info, err := os.Stat(name)
	if err != nil {
		return // then it is not read either
	}
	s.note(input{name, info})
}

func (s *Set) note(in input) {
	s.mu.Lock()
	s.read = append(s.read, in)
	s.mu.Unlock()
}

// Title is the name of an input in messages: passwords in addresses are left out.
func Title(name string) string {
	switch u, ok := address(name); {
	case name == Stdin:
		return stdinName
	case ok:
		return u.Redacted()
	}
	return name
}

// Read opens an input and lets parse read it under its name in messages.
func Read[T any](ctx context.Context, s *Set, name string, want Kind, parse func(name string, r io.Reader) (T, error)) (T, error) {
	r, err := s.Open(ctx, name, want)
	if err != nil {
		var none T
		return none, err
	}
	defer r.Close()
	return parse(Title(name), r)
}

// Open opens a file, the standard input by the name -, or an address that begins with http:// or
// https://. want is the expected kind, for errors. An input that is not a regular file is read as a
// whole, at most 16 MiB. If ctx ends first, Open returns its error.
func (s *Set) Open(ctx context.Context, name string, want Kind) (io.ReadCloser, error) {
	var raw []byte
	var err error
	if name == Stdin {
		raw, err = s.standardInput(ctx)
	} else if u, ok := address(name); ok {
		raw, err = s.get(ctx, u, want)
	} else {
		return s.file(ctx, name, want)
	}
	if err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(raw)), nil
}

func (s *Set) file(ctx context.Context, name string, want Kind) (io.ReadCloser, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil && strings.Index(name, "://") > 1: // and not a drive
		return nil, fmt.Errorf("%s: it is neither a file nor an address that can be read: addresses begin with http:// or https://", name)
	case err != nil:
		return nil, unreadable(err, want)
	case info.IsDir():
		return nil, fmt.Errorf("%s: it is a directory: name the %s in it", name, want)
	case !info.Mode().IsRegular(): // a pipe, which may wait for ever already when it is opened
		raw, err := wait(ctx, func() ([]byte, error) {
			f, err := os.Open(name)
			if err != nil {
				return nil, unreadable(err, want)
			}
			defer f.Close()
			return limited(name, f)
		})
		return io.NopCloser(bytes.NewReader(raw)), err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, unreadable(err, want)
	}
	s.note(input{name, info})
	return f, nil
}

func unreadable(err error, want Kind) error {
	remedy := "name a file that is there and can be read"
	switch want {
	case Profile:
		remedy += ", or record one"
	case Map:
		remedy = "name a map that a run has recorded"
	}
	return fmt.Errorf("%w: %s", err, remedy)
}

// StdinTaken reports whether the standard input has been read.
func (s *Set) StdinTaken() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken
}

// standardInput reads all of it, once.
func (s *Set) standardInput(ctx context.Context) ([]byte, error) {
	s.mu.Lock()
	taken := s.taken
	s.taken = true
	s.mu.Unlock()
	if taken {
		return nil, fmt.Errorf("%s is named twice by -, and can be read once: put one of the two into a file", stdinName)
	}
	if s.Stdin == nil {
		return nil, fmt.Errorf("there is no standard input here: name a file")
	}
	if f, ok := s.Stdin.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			s.note(input{stdinName, info})
		}
	}
	return wait(ctx, func() ([]byte, error) { return limited(stdinName, s.Stdin) })
}

// wait lets a read go on behind the caller's back if ctx ends: the program is about to.
func wait(ctx context.Context, read func() ([]byte, error)) ([]byte, error) {
	type result struct {
		raw []byte
		err error
	}
	done := make(chan result, 1)
	go func() {
		raw, err := read()
		done <- result{raw, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-done:
		return r.raw, r.err
	}
}

func limited(name string, r io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, bytesMax+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", name, err)
	case len(raw) > bytesMax:
		return nil, tooLong(name)
	}
	return raw, nil
}

func tooLong(name string) error {
	return fmt.Errorf("%s has more than %d MiB, which is the limit: name another file", name, bytesMax>>20)
}
