package main

import (
	"context"
	"io"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/files"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// readLayout reads the text of a layout from a file, the standard input or an address.
func readLayout(ctx context.Context, set *files.Set, name string) ([]byte, error) {
	return files.Read(ctx, set, name, files.Layout, func(_ string, r io.Reader) ([]byte, error) { return io.ReadAll(r) })
}

// parsedLayout reads a layout, and its text.
func parsedLayout(ctx context.Context, set *files.Set, name string) (l layout.Layout, text string, err error) {
	b, err := readLayout(ctx, set, name)
	if err == nil {
		l, err = layout.Parse(files.Title(name), b)
	}
	return l, string(b), err
}
