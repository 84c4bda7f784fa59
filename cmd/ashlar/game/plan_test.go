package game

import "testing"

// A plan counts each thing once, and changes nothing.
func TestPlan(t *testing.T) {
	play := func(watched bool) (digest uint64) {
		g, err := New(Options{Entities: 2000, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		var spots []Spot
		for range 40 {
			if err := g.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
			if !watched {
				continue
			}
			spots = g.Plan(spots, 16, 9)
			var sum Spot
			for _, s := range spots {
				sum.Props += s.Props
				sum.Actors += s.Actors
				sum.Debris += s.Debris
				sum.Emitters += s.Emitters
				sum.Triggers += s.Triggers
			}
			m := g.Counts().Members
			if want := (Spot{int32(m[props]), int32(m[actors]), int32(m[debris]), int32(m[emitters]), int32(m[triggers])}); sum != want || len(spots) != 16*9 {
				t.Fatalf("%d spots have %+v, the world %+v", len(spots), sum, want)
			}
		}
		return g.Digest()
	}
	if play(true) != play(false) {
		t.Error("a world that is looked at differs")
	}
}

// A place is on the part of the plane where it is.
func TestPlanPlaces(t *testing.T) {
	g, err := New(Options{Entities: 1, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for _, tt := range []struct {
		at   Vec3
		x, y int
	}{{Vec3{0, 7, 0}, 0, 0}, {Vec3{side - 1, 0, 0}, 3, 0}, {Vec3{0, 0, side - 1}, 0, 1}, {Vec3{side / 4, 0, side / 2}, 1, 1}, {Vec3{side/4 - 1, 0, side/2 - 1}, 0, 0}, {Vec3{-1, 0, 0}, 3, 0}} {
		e, err := g.World.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		if err := g.transform.Add(e, Transform{Position: tt.at, Layer: uint32(debris)}); err != nil {
			t.Fatal(err)
		}
		spots := g.Plan(nil, 4, 2)
		if spots[tt.y*4+tt.x] != (Spot{Debris: 1}) {
			t.Errorf("%v is to be on %d, %d: %+v", tt.at, tt.x, tt.y, spots)
		}
		g.World.Reset()
	}
}
