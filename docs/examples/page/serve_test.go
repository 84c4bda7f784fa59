//go:build !js

package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// The program builds for the browser. Where there is one, the page draws all entities in it.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("builds for js/wasm and starts a browser: run it without -short")
	}
	dir, err := os.MkdirTemp("", "page-") // files of the browser may outlive it for a moment
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := build(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	browser, err := findBrowser()
	if err != nil && os.Getenv("ASHLAR_BROWSER") == "" {
		t.Skipf("no browser here; TestSky tests the program itself: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	const entities, frames = 100_000, 60
	r, err := measure(t.Context(), browser, dir, entities, frames)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(r.figures)
	var n, memory int
	var rate, took, longest float64
	if _, err := fmt.Sscanf(r.figures, "%d entities, %g frames/s, a frame takes %g ms (longest %g ms), %d MiB", &n, &rate, &took, &longest, &memory); err != nil {
		t.Fatalf("%q: %v", r.figures, err)
	}
	// Its speed depends on other programs of the machine, so no bar is set here.
	if n != entities || rate <= 0 || took <= 0 || longest < took || memory == 0 {
		t.Errorf("the page says %q", r.figures)
	}
	picture, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(r.picture, "data:image/png;base64,"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(t.ArtifactDir(), "page.png"), picture, 0o600); err != nil {
		t.Fatal(err)
	}
	drawn, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}

	if size := drawn.Bounds().Size(); size.X != width || size.Y != height {
		t.Fatalf("the canvas has %v pixels", size)
	}
	lit, differ := 0, 0
	want := natively(t, entities, frames)
	for y := range height {
		for x := range width {
			r, g, b, a := drawn.At(x, y).RGBA()
			if a > 0 {
				lit++
			}
			if !bytes.Equal(want[4*(y*width+x):][:4], []byte{byte(r >> 8), byte(g >> 8), byte(b >> 8), byte(a >> 8)}) {
				differ++
			}
		}
	}
	if lit < entities/4 {
		t.Errorf("%d pixels are lit", lit)
	}
	// Other processors multiply and add in one step, and round once where wasm rounds twice.
	if runtime.GOARCH == "amd64" && differ > 0 {
		t.Errorf("%d pixels of the canvas differ from those of the same world outside of a browser", differ)
	}
}

// natively is the canvas of the same world outside of a browser.
func natively(t *testing.T, entities, frames int) []byte {
	s, err := newSky(entities, 1, ecs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.world.Close() })
	for range frames {
		if err := s.frame(); err != nil {
			t.Fatal(err)
		}
	}
	return s.screen.Pixels
}
