package ecs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Under Stress and in checked builds a system that writes a column that its struct only reads is
// stopped, with its name and the field's, whichever way the values have come. What a
// handle writes meanwhile has said so, and is let pass.
func TestSilentWrites(t *testing.T) {
	for name, o := range map[string]ecs.Options{
		"not looked for": {}, "stress": {Memory: memmgr.Options{Stress: true}},
		"cached": {Views: ecs.Views{Always: true}, Memory: memmgr.Options{Stress: true}}, "gathered": {Views: ecs.Views{Off: true}, Memory: memmgr.Options{Stress: true}},
	} {
		undo := func() {}
		for _, c := range []struct {
			what string
			add  func(w *ecs.World, hps *ecs.Pool[hp], es []ecs.Entity) error
			want string // "": nothing
		}{
			{"a column", func(w *ecs.World, _ *ecs.Pool[hp], _ []ecs.Entity) error {
				return systemRefusal(w, "sly", func(c *struct{ HP []hp }) { c.HP[0].V++ })
			}, `sly has changed field HP (hp), which its struct only reads: make the field an ecs.Write, or change a copy`},
			{"the last of a column", func(w *ecs.World, _ *ecs.Pool[hp], _ []ecs.Entity) error {
				return systemRefusal(w, "sly", func(c *struct {
					HP []hp
					F  ecs.Maybe[frozen]
				}) {
					c.HP[len(c.HP)-1].V++
					c.HP = c.HP[:0]
				})
			}, `field HP (hp)`},
			{"nothing", func(w *ecs.World, _ *ecs.Pool[hp], _ []ecs.Entity) error {
				return systemRefusal(w, "sly", func(c *struct {
					HP  []hp
					Big ecs.Write[[2]uint64]
				}) {
					c.Big[0][1]++
				})
			}, ""},
			{"the last of a strided field", func(w *ecs.World, _ *ecs.Pool[hp], _ []ecs.Entity) error {
				return systemRefusal(w, "sly", func(c *struct {
					X ecs.Strided[float64] `ashlar:"at.X"`
				}) {
					*c.X.At(c.X.Len() - 1)++
				})
			}, `field X (at.X)`},
			{"what is between the values of a strided field", func(w *ecs.World, _ *ecs.Pool[hp], _ []ecs.Entity) error {
				return systemRefusal(w, "sly", func(c *struct {
					Y ecs.WriteStrided[float64] `ashlar:"at.Y"`
					X ecs.Strided[float64]      `ashlar:"at.X"`
				}) {
					*c.Y.At(0)++
				})
			}, ""},
			{"a gathered column", func(w *ecs.World, _ *ecs.Pool[hp], _ []ecs.Entity) error {
				return systemRefusal(w, "sly", func(c *struct {
					HP []hp
					_  ecs.Without[frozen]
				}) {
					c.HP[0].V++
				})
			}, `field HP (hp)`},
			{"a pointer", func(w *ecs.World, _ *ecs.Pool[hp], _ []ecs.Entity) error {
				return systemRefusal(w, "sly", func(c *struct{ HP *hp }) { c.HP.V++ })
			}, `field HP (hp)`},
			{"an optional pointer", func(w *ecs.World, _ *ecs.Pool[hp], _ []ecs.Entity) error {
				return systemRefusal(w, "sly", func(c *struct {
					HP *hp
					F  ecs.MaybeOne[frozen]
				}) {
				})
			}, ""},
			{"numbered rows", func(w *ecs.World, _ *ecs.Pool[hp], _ []ecs.Entity) error {
				return systemRefusal(w, "sly", func(c *struct {
					Rows ecs.Rows
					HP   []hp
					_    ecs.Without[frozen]
				}) {
					c.HP[c.Rows[0]].V++
					c.Rows[0] = 0 // a copy
				})
			}, `field HP (hp)`},
			{"a shared field", func(w *ecs.World, _ *ecs.Pool[hp], _ []ecs.Entity) error {
				return systemRefusal(w, "sly", func(c *struct {
					Spr []sprite
					X   []float64 `ashlar:"at.X"`
				}) {
					if w.Frame() > 2 {
						c.X[0]++
					}
				})
			}, `field X (at.X)`},
			{"entities", func(w *ecs.World, _ *ecs.Pool[hp], _ []ecs.Entity) error {
				return systemRefusal(w, "sly", func(c *struct {
					Spr  []sprite
					Ents []ecs.Entity
				}) {
					if !o.Memory.Stress && !arena.Checked {
						return // nobody would look
					}
					ents := c.Ents
					ents[0], ents[1] = ents[1], ents[0]
					undo = func() { ents[0], ents[1] = ents[1], ents[0] }
				})
			}, `sly has changed the entities`},
			{"by handle", func(w *ecs.World, hps *ecs.Pool[hp], es []ecs.Entity) error {
				return systemRefusal(w, "open", func(c *struct{ HP *hp }) { hps.Mut(es[3]).V++ })
			}, ""},
			{"over", func(w *ecs.World, _ *ecs.Pool[hp], _ []ecs.Entity) error {
				g := ecs.GroupOf[struct{ HP hp }](w, "hps")
				return systemRefusal(w, "sly", func(c *struct{ HP []hp }) { c.HP[0].V++ }, ecs.OnlyIn(g))
			}, `field HP (hp)`},
		} {
			undo = func() {}
			t.Run(name+"/"+c.what, func(t *testing.T) {
				w := world(t, o)
				hps := ecs.Register[hp](w, "hp")
				big := ecs.Register[[2]uint64](w, "big")
				ice := ecs.Register[frozen](w, "frozen")
				spr := ecs.Register[sprite](w, "sprite")
				at := ecs.Register[struct{ X, Y float64 }](w, "at")
				ecs.GroupMade[struct{ S sprite }](w, "sprites")
				ecs.GroupMade[struct{ At struct{ X, Y float64 } }](w, "places")
				var es []ecs.Entity
				for i := range 100 {
					e := ok(w.Spawn())
					ok(0, hps.Add(e, hp{1}))
					ok(0, big.Add(e, [2]uint64{}))
					ok(0, spr.Add(e, sprite{}))
					ok(0, at.Add(e, struct{ X, Y float64 }{}))
					if i%2 == 0 {
						ok(0, ice.Add(e, frozen{}))
					}
					es = append(es, e)
				}
				ok(0, c.add(w, hps, es))
				message := ""
				func() {
					defer func() {
						if r := recover(); r != nil {
							message = fmt.Sprint(r)
							undo()
						}
					}()
					for range 5 {
						ok(0, w.Run(t.Context()))
					}
				}()
				want := c.want
				if !o.Memory.Stress && !arena.Checked {
					want = ""
				}
				if (want == "") != (message == "") || !strings.Contains(message, want) {
					t.Errorf("panic %q, want %q", message, want)
				}
			})
		}
	}
}
