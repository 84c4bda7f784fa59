package atomicfile

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// consistent checks that two files are of one call: both old, both new, or b missing.
func consistent(t *testing.T, p point, dir string) {
	t.Helper()
	a, b := content(t, filepath.Join(dir, "a")), "missing"
	if _, err := os.Stat(filepath.Join(dir, "b")); err == nil {
		b = content(t, filepath.Join(dir, "b"))
	}
	wantA, wantB := "old", "old"
	switch p {
	case point{stepRename, "a"}:
		wantB = "missing"
	case point{stepRename, "b"}:
		wantA, wantB = "new", "missing"
	case point{stepSyncDir, "a"}:
		wantA, wantB = "new", "new"
	}
	if a != wantA || b != wantB {
		t.Errorf("%s of %s: a is %s and b is %s, want %s and %s", p.step, p.of, a, b, wantA, wantB)
	}
}

// old makes a directory with two old files.
func old(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "a"), "old")
	put(t, filepath.Join(dir, "b"), "old")
	return dir
}

// pair is two files of a directory with a content.
func pair(dir, text string) []File {
	return []File{{filepath.Join(dir, "a"), text}, {filepath.Join(dir, "b"), text}}
}

// age makes a file older than those that a Write removes.
func age(t *testing.T, path string) {
	t.Helper()
	then := time.Now().Add(-abandonedAfter - time.Minute)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
}

// next checks that a further Write succeeds, and returns the names that it leaves.
func next(t *testing.T, p point, dir string) string {
	t.Helper()
	if err := Write(pair(dir, "next")...); err != nil || content(t, filepath.Join(dir, "a"))+content(t, filepath.Join(dir, "b")) != "nextnext" {
		t.Errorf("%s of %s: and the next time: %v", p.step, p.of, err)
	}
	return left(t, dir)
}

// A program that is killed before any step leaves files of one call. The next Write is not hindered, and removes the rest
// once it is old.
func TestKilled(t *testing.T) {
	if dir := os.Getenv("ASHLAR_TEST_KILLED"); dir != "" {
		var p point
		fmt.Sscanf(os.Getenv("ASHLAR_TEST_POINT"), "%q %q", &p.step, &p.of)
		t.Fatal(write(func(now step, f File) error {
			if now == p.step && filepath.Base(f.Path) == p.of {
				fmt.Println("here")
				time.Sleep(time.Hour) // Go ends a program in which all wait for ever
			}
			return nil
		}, pair(dir, "new")))
	}
	if runtime.GOOS == "js" {
		t.Skip("there are no processes to kill; TestFaults ends writes at the same points")
	}
	for _, p := range points {
		dir := old(t)
		c := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		c.Env = append(os.Environ(), "ASHLAR_TEST_KILLED="+dir, fmt.Sprintf("ASHLAR_TEST_POINT=%q %q", p.step, p.of))
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); line != "here\n" {
			t.Errorf("%s of %s: %q, %v", p.step, p.of, line, err)
		}
		alive := left(t, dir)
		removeAbandoned(dir)
		if got := left(t, dir); got != alive {
			t.Errorf("%s of %s: %s, and of a process that runs %s", p.step, p.of, got, alive)
		}
		c.Process.Kill()
		c.Wait()
		consistent(t, p, dir)
		rest, _ := filepath.Glob(filepath.Join(dir, ".*"))
		for _, path := range rest {
			age(t, path)
		}
		if got := next(t, p, dir); got != "a b" {
			t.Errorf("%s of %s: left: %s", p.step, p.of, got)
		}
	}
}

// A Write removes no temporary file of one that is under way, and that one succeeds.
func TestOthersUnderWay(t *testing.T) {
	for _, p := range points {
		dir := old(t)
		err := write(func(now step, f File) error {
			if now == p.step && filepath.Base(f.Path) == p.of {
				return Write(File{filepath.Join(dir, "c"), "other"})
			}
			return nil
		}, pair(dir, "new"))
		if err != nil || left(t, dir) != "a b c" || content(t, filepath.Join(dir, "a"))+content(t, filepath.Join(dir, "b")) != "newnew" {
			t.Errorf("%s of %s: %v, left: %s", p.step, p.of, err, left(t, dir))
		}
	}
}

// Only names of temporary files are removed, only regular files, and only old ones.
func TestRemovesTemporaryFilesAlone(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".ashlar-0123abcd.tmp", ".ashlar-mine.tmp", ".ashlar-whatever.tmp", ".ashlar-0123abcd.new", "ashlar-0123abcd.tmp", ".ashlar-0123abcd00.tmp"} {
		put(t, filepath.Join(dir, name), "")
		age(t, filepath.Join(dir, name))
	}
	put(t, filepath.Join(dir, ".ashlar-0123abce.tmp"), "") // of a Write that is under way
	if err := os.Mkdir(filepath.Join(dir, ".ashlar-00000000.tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	age(t, filepath.Join(dir, ".ashlar-00000000.tmp"))
	removeAbandoned(dir)
	want := ".ashlar-00000000.tmp .ashlar-0123abcd.new .ashlar-0123abcd00.tmp .ashlar-0123abce.tmp .ashlar-mine.tmp .ashlar-whatever.tmp ashlar-0123abcd.tmp"
	if got := left(t, dir); got != want {
		t.Errorf("left: %s\nwant: %s", got, want)
	}
}
