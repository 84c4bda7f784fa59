package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/files"
	"github.com/ashlar-go/ashlar/cmd/ashlar/report"
	"github.com/ashlar-go/ashlar/profile"
)

// pprofSource lets the driver read files of ashlar: profiles as accesses, maps as
// memory. Other files, and addresses that record while they are read, are left to the driver.
type pprofSource struct {
	ctx context.Context
	set *files.Set
}

// fetch returns nil for sources that it leaves to the driver.
func (s pprofSource) fetch(name string, duration time.Duration) (*report.PprofFile, error) {
	kind := files.KindOfFile(name)
	whole := name == files.Stdin || files.IsAddress(name) && duration <= 0 && !isEndpoint(name)
	if !whole && kind != files.Profile && kind != files.Map && (files.IsAddress(name) || isFile(name)) {
		return nil, nil
	}
	return files.Read(s.ctx, s.set, name, files.Profile, s.parse)
}

// isFile reports whether a file is there and no directory. Errors of others name the remedy.
func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}

// isEndpoint reports whether an address records while it is read, as net/http/pprof does. The
// driver can wait for such an address.
func isEndpoint(name string) bool {
	u, err := url.Parse(name)
	return err != nil || u.Path == "" || u.Path == "/" || strings.Contains(u.Path, "/pprof/") || u.Query().Has("seconds")
}

// parse reads a file by its kind.
func (s pprofSource) parse(name string, r io.Reader) (*report.PprofFile, error) {
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	switch files.KindOf(raw) {
	case files.Profile:
		p, err := profile.Parse(name, bytes.NewReader(raw))
		if err != nil {
			return nil, err
		}
		return report.PprofAccess(p), nil
	case files.Map:
		m, err := profile.ParseMap(name, bytes.NewReader(raw))
		if err != nil {
			return nil, err
		}
		return report.PprofMemory(m), nil
	}
	p, err := report.ParsePprof(raw)
	if err != nil {
		return nil, fmt.Errorf("%s is not a profile, a map or a pprof file: %w", name, err)
	}
	return p, nil
}
