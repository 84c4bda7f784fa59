package ecs

import (
	"io"
	"reflect"
	"runtime"
	"testing"
	"weak"

	"github.com/ashlar-go/ashlar/ecs/internal/record"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
)

// The record of a dropped table stays, goes on when the table is made again, and
// holds nothing of the old one.
func TestFactsOfDroppedTables(t *testing.T) {
	w := New(Options{Record: true, TimeEvery: 1 << 30})
	defer w.Close()
	type hp int32
	type mana int64
	a := Register[hp](w, "hp", Stable)
	b := Register[mana](w, "mana", Stable)
	type never struct{}
	passing := Register[never](w, "passing", Stable)
	type walk struct {
		HP   Write[hp]
		Mana []mana
	}
	System(w, "walk", func(c *walk) {
		for i := range c.HP {
			c.HP[i]++
		}
	})
	es := make([]Entity, 3)
	for i := range es {
		es[i], _ = w.Spawn()
		a.Add(es[i], 1)
	}
	frames := func(n int) {
		t.Helper()
		for range n {
			if err := w.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	facts := func(rows, last, frames uint64) {
		t.Helper()
		p := w.Facts()
		if _, err := p.WriteTo(io.Discard); err != nil {
			t.Fatal(err)
		}
		both := profile.Group{Name: "table/hp+mana", Owns: []string{"hp", "mana"}, Rows: rows, Chunks: rows / 3, Peak: 3, Last: last}
		alone := profile.Group{Name: "table/hp", Owns: []string{"hp"}, Rows: frames*3 - rows, Chunks: frames - rows/3, Peak: 3, Last: 3 - last}
		want := []profile.Group{alone, both} // in the order in which they were made
		if alone.Rows == 0 {
			want = want[1:] // it had none at the end of a frame
		}
		if !reflect.DeepEqual(p.Groups, want) {
			t.Errorf("groups\n%+v\nwant\n%+v", p.Groups, want)
		}
		access := []profile.Access{
			{Group: "table/hp+mana", Component: "hp", Write: true, Rows: rows, Chunks: rows / 3, Bytes: rows * 4, Lines: (rows + 15) / 16},
			{Group: "table/hp+mana", Component: "mana", Rows: rows, Chunks: rows / 3, Bytes: rows * 8, Lines: (rows + 7) / 8},
		}
		if got := p.Systems[0].Access; !reflect.DeepEqual(got, access) {
			t.Errorf("access\n%+v\nwant\n%+v", got, access)
		}
	}
	var old weak.Pointer[memmgr.Sequence]
	total := uint64(0)
	for round := range uint64(3) {
		for _, e := range es {
			passing.Add(e, never{}) // makes a table that has no rows at the end of a frame
			passing.Remove(e)
			if err := b.Add(e, 2); err != nil {
				t.Fatal(err)
			}
		}
		frames(2)
		if round == 0 {
			old = weak.Make(b.pool.component.Tables()[0].Seq)
		}
		total += 2
		facts((round+1)*6, 3, total)
		for _, e := range es {
			if err := b.Remove(e); err != nil {
				t.Fatal(err)
			}
		}
		frames(200)
		if n := len(b.pool.component.Tables()); n != 0 {
			t.Fatalf("mana is in %d tables still", n)
		}
		total += 200
		facts((round+1)*6, 0, total)
	}
	runtime.GC()
	runtime.GC()
	if old.Value() != nil {
		t.Error("the sequence of a table that was dropped is held")
	}
}

// Where the values of a component are reached by entity, the name is that of a table or the
// group that has most of them; without any, that of the table which would have them alone.
func TestHomeOfComponent(t *testing.T) {
	w := New(Options{})
	defer w.Close()
	type hp int32
	type mana int64
	type poison struct{}
	a := Register[hp](w, "hp", Stable)
	b := Register[mana](w, "mana", Thin)
	c := Register[poison](w, "poison", Volatile)
	home := func(p *pool, want string) {
		t.Helper()
		if got := record.Home(&p.component); got != want {
			t.Errorf("%s is at home in %q, want %q", p.component.Name, got, want)
		}
	}
	home(&a.pool, "table/hp")
	home(&b.pool, "table/mana")
	for i := range 10 {
		e, _ := w.Spawn()
		a.Add(e, 1)
		if i < 2 {
			c.Add(e, poison{})
		}
		if i == 5 {
			b.Add(e, 1)
		}
	}
	home(&a.pool, "table/hp~poison") // to which rows go from the first poison on
	home(&b.pool, "thin/mana")
	home(&c.pool, "table/hp~poison")
	Apart(GroupOf[struct{ HP hp }](w, "body"))
	home(&a.pool, "body")
	home(&c.pool, "table/~poison")
}
