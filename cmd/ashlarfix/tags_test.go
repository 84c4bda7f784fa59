package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

const tagsBefore = `package p

import "github.com/ashlar-go/ashlar/ecs"

type motion struct {
	Pos  []Position ` + "`ashlar:\"write\"`" + ` // where it is
	Vel  []Velocity
	Mass []Mass ` + "`json:\"m\" ashlar:\"optional\"`" + `
	Kept []Mass ` + "`json:\"write\" ashlar:\"write\"`" + `
	At   []Vec3 ` + "`ashlar:\"transform.At,write\"`" + `
	Both []Mass ` + "`ashlar:\"write, optional\"`" + `
	Time ecs.Res[Clock] ` + "`ashlar:\"write\"`" + `
	_    ecs.Added[Hit] ` + "`ashlar:\"rows\"`" + `
	_    ecs.Changed[Hit] ` + "`ashlar:\"left,rows\"`" + `
	_    ecs.With[Hit] ` + "`ashlar:\"write\"`" + `
}

type row struct {
	Pos  *Position ` + "`ashlar:\"write\"`" + `
	Mass *Mass ` + "`ashlar:\"optional\"`" + `
	Both *Mass ` + "`ashlar:\"m,write,optional\"`" + `
}

type member struct {
	Position
	Poison ` + "`ashlar:\"optional\"`" + `
}
`

const tagsAfter = `package p

import "github.com/ashlar-go/ashlar/ecs"

type motion struct {
	Pos  ecs.Write[Position] // where it is
	Vel  []Velocity
	Mass ecs.Maybe[Mass] ` + "`json:\"m\"`" + `
	Kept ecs.Write[Mass] ` + "`json:\"write\"`" + `
	At   ecs.Write[Vec3] ` + "`ashlar:\"transform.At\"`" + `
	Both ecs.MaybeWrite[Mass]
	Time ecs.WriteRes[Clock]
	_    ecs.AddedRows[Hit]
	_    ecs.ChangedRows[Hit] ` + "`ashlar:\"left\"`" + `
	_    ecs.With[Hit]        ` + "`ashlar:\"write\"`" + `
}

type row struct {
	Pos  ecs.WriteOne[Position]
	Mass ecs.MaybeOne[Mass]
	Both ecs.MaybeWriteOne[Mass] ` + "`ashlar:\"m\"`" + `
}

type member struct {
	Position
	_ ecs.Maybe[Poison]
}
`

func TestTags(t *testing.T) {
	got, err := rewrite("p.go", []byte(tagsBefore))
	if err != nil || string(got) != tagsAfter {
		t.Errorf("%v\n%s\nwant\n%s", err, got, tagsAfter)
	}
	if again, err := rewrite("p.go", got); err != nil || string(again) != tagsAfter {
		t.Errorf("twice: %v\n%s", err, again)
	}
}

// A file is written if it changes, and left alone otherwise: files of others, and files that do not parse.
func TestFix(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
		return path
	}
	old, other := write("old.go", tagsBefore), write("other.go", "package   p\n")
	if err := fix(dir, io.Discard); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(old); err != nil || string(text) != tagsAfter {
		t.Errorf("%v\n%s", err, text)
	}
	if text, err := os.ReadFile(other); err != nil || string(text) != "package   p\n" {
		t.Errorf("%v %q", err, text)
	}
	write("bad.go", "package")
	if err := fix(dir, io.Discard); err == nil {
		t.Error("a file that does not parse is passed over")
	}
}
