package walk

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Fields of one component that lies elsewhere are looked up together. Each gets its own
// values, in batch after batch, presence tells who has the component, and writes
// arrive.
func TestFieldsShareLookups(t *testing.T) {
	for _, tt := range []struct {
		name             string
		optional, inRows bool
		excluded         []int
	}{{"whole", false, false, nil}, {"optional", true, false, nil}, {"filtered", true, false, []int{3}}, {"rows", true, true, []int{3}}} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStage(t, 53, memmgr.Options{}, 8)
			near, far := s.comps[0], s.comps[6] // which a group owns
			q := flat{Name: "fields", Entities: int(offset[probe]("Es", 0)), InRows: tt.inRows, Rows: offset[probe]("Rows", 0), Required: []*store.Component{near}, Columns: []source.Column{
				{Name: "Near", Comp: near, Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 0)},
				{Name: "Whose", Comp: far, Part: source.Part{Offset: 0, Size: 8, Path: "e"}, Offset: offset[probe]("Counts", 0), Optional: tt.optional},
				{Name: "Often", Comp: far, Part: source.Part{Offset: 8, Size: 8, Path: "n"}, Offset: offset[probe]("Counts", 1), Optional: tt.optional, Write: true},
			}}.spec()
			if tt.optional {
				q.Presences = []source.Presence{{Offset: offset[probe]("Has", 0), Column: 2}, {Offset: offset[probe]("Has", 1), Column: 1}}
			} else {
				q.Required = append(q.Required, far)
			}
			for _, i := range tt.excluded {
				q.Excluded = append(q.Excluded, s.comps[i])
			}
			c := NewCursor(NewPlan(&s.Base, q))
			want, batches := s.want(&q), 0
			often := map[store.Entity]uint64{}
			for range 3 {
				met, has := 0, 0
				c.Each(raw.Of(&probe{}), func(p raw.Ptr) bool {
					v := raw.As[probe](p)
					batches++
					for _, i := range v.rows(c) {
						e := v.Es[i]
						met++
						value := s.value(far, e)
						for k := range q.Presences {
							if v.Has[k][i/64]>>(i%64)&1 != 0 != (value != nil) {
								t.Fatalf("%v has it: %v, presence says otherwise", e, value != nil)
							}
						}
						if value == nil {
							if v.Counts[0][i] != 0 || v.Counts[1][i] != 0 {
								t.Fatalf("%v lacks it, and gets %d and %d", e, v.Counts[0][i], v.Counts[1][i])
							}
							continue
						}
						if has++; v.Counts[0][i] != value[0] || v.Counts[1][i] != value[1] || value[1] != often[e] {
							t.Fatalf("%v: %d and %d, want %v, written %d times", e, v.Counts[0][i], v.Counts[1][i], *value, often[e])
						}
						v.Counts[1][i]++
						often[e]++
					}
					return true
				})
				if met != len(want) || has == 0 || has == met && tt.optional {
					t.Errorf("%d entities met, want %d; %d have it", met, len(want), has)
				}
			}
			for e, n := range often {
				if got := s.value(far, e)[1]; got != n {
					t.Fatalf("%v was written %d times, and is %d", e, n, got)
				}
			}
			if batches < 3 {
				t.Errorf("%d batches: places of one could serve the next", batches)
			}
		})
	}
}
