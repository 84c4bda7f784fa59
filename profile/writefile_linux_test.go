package profile

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A disk that is full in the middle of writing leaves the old file as it was.
func TestWriteFileFullDisk(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("a small disk can't be mounted here (internal/atomicfile lets each step of a write fail): %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	path := filepath.Join(dir, "p")
	small := Profile{Frames: 1}
	if err := small.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	old := content(t, path)
	var big Profile
	for i := range 2000 {
		big.Groups = append(big.Groups, Group{Name: strings.Repeat("x", 100) + strconv.Itoa(i)})
	}
	err := big.WriteFile(path)
	if err == nil || !strings.Contains(err.Error(), "no space left") || !strings.Contains(err.Error(), "writing it for "+path) || !strings.Contains(err.Error(), "make room there or write elsewhere; the old files are unchanged") {
		t.Fatalf("%v", err)
	}
	if got := left(t, dir); got != "p" || content(t, path) != old {
		t.Errorf("left: %s, content %q", got, content(t, path))
	}
	// Full to the last byte: not even a small file can be written.
	fill, err := os.Create(filepath.Join(dir, "fill"))
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = fill.Write(make([]byte, 512))
	}
	fill.Close()
	if err := small.WriteFile(path); err == nil || left(t, dir) != "fill p" || content(t, path) != old {
		t.Errorf("%v, left: %s", err, left(t, dir))
	}
	if err := os.Remove(fill.Name()); err != nil {
		t.Fatal(err)
	}
	if err := small.WriteFile(path); err != nil || content(t, path) != old {
		t.Errorf("with room again: %v", err)
	}
}
