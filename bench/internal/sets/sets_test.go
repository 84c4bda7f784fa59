package sets

import "testing"

// counted is how many operations of each kind a frame has.
func counted(s *script, each func(*script, int, int), entities, frame int) (n [4]int) {
	s.ops = s.ops[:0]
	each(s, entities, frame)
	for _, o := range s.ops {
		n[o.kind]++
	}
	return n
}

func TestScenes(t *testing.T) {
	const entities = 1000
	s := newScript()
	combinations(4, count)(s, entities)
	seen := map[set]bool{}
	for _, of := range s.sets {
		seen[of] = true
	}
	if len(s.live) != entities || len(seen) != 4 || seen[0] {
		t.Errorf("%d entities of %d sets", len(s.live), len(seen))
	}
	if n := counted(s, toggling(50, count), entities, 0); n[add]+n[remove] != 50 || n[add] == 0 || n[remove] == 0 || n[create]+n[destroy] > 0 {
		t.Errorf("5 %% of %d: %v", entities, n)
	}
	for frame := range 240 {
		n := counted(s, phases, entities, frame)
		want := 0
		if frame%120 < 40 {
			want = 50
		}
		if n[add]+n[remove] != want {
			t.Errorf("frame %d: %v", frame, n)
		}
		for _, o := range s.ops {
			if o.component != 3 && o.component != 7 {
				t.Errorf("component %d comes and goes", o.component)
			}
		}
	}
	s = newScript()
	mingle(s, entities)
	if n := counted(s, births(2, false), entities, 0); n != [4]int{20, 20, 0, 0} {
		t.Errorf("births: %v", n)
	}
	if n := counted(s, births(2, true), entities, 0); n[create] != 20 || n[destroy] != 20 || n[add] < 40 || n[remove] > 0 || s.ops[20].set != 0 {
		t.Errorf("bare births: %v", n)
	}
	for _, e := range s.live {
		if s.sets[e]&1 == 0 || s.sets[e] >= 64 {
			t.Errorf("entity %d has set %b", e, s.sets[e])
		}
	}
}

// The digest sees each value, and refuses a store with other components than the script.
func TestDigest(t *testing.T) {
	s := newScript()
	e := s.create(0b101)
	store := &pools{}
	store.apply(s.ops)
	first := s.digest(store)
	for _, change := range []*uint64{&store.of[0].values[0][0], &store.of[0].values[0][1], &store.of[2].values[0][0]} {
		*change++
		if s.digest(store) == first {
			t.Error("a value has changed and the digest has not")
		}
		*change--
	}
	for _, of := range []set{0b001, 0b111} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a store with set %b in place of 101 passes", of)
				}
			}()
			store.sets[e] = of
			store.of[1].add(e, value{})
			s.digest(store)
		}()
	}
}
