package main

import (
	"bytes"
	"io"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/files"
)

// pprofWriter opens the files for the driver's reports. It replaces no input and no file of another
// kind.
type pprofWriter struct {
	set *files.Set
	out io.Writer // for the name -
}

func (w pprofWriter) Open(name string) (io.WriteCloser, error) {
	return &pprofReport{w: w, name: name}, nil
}

// pprofReport is written as a whole when it is closed.
type pprofReport struct {
	bytes.Buffer
	w    pprofWriter
	name string
}

func (r *pprofReport) Close() error {
	if r.name == files.Stdin {
		_, err := r.WriteTo(r.w.out)
		return err
	}
	return r.w.set.Write(r.name, r.String())
}
