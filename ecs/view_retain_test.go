package ecs

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/shared"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/views"
)

// resident measures resident bytes of chunks and arrays.
func resident(t *testing.T, w *World) uint64 {
	t.Helper()
	n, err := w.base.Manager.Arena().Resident()
	if err != nil {
		t.Skipf("resident memory can't be measured here; what is dropped and reported is tested by TestPartsAgainstGet: %v", err)
	}
	return n
}

// Views of a group with chunks in huge pages, and views on a machine with large
// pages, are in annexes, which lie in normal pages. Once dropped they leave nothing
// resident; what stays, on the Go heap, is reported.
func TestDroppedAnnexesGiveTheirMemoryBack(t *testing.T) {
	if arena.Checked {
		t.Skip("checked builds write over what was freed, so that it is resident: TestPartsAgainstGet drops views in them, too")
	}
	rows := 3000
	if race.Enabled {
		rows = 300
	}
	for _, backend := range []arena.Backend{arena.Auto, arena.Heap} {
		for _, tt := range []struct {
			name string
			late bool
			page uint32
			use  views.Strategy // tried, before the rest
			rest views.Strategy
			kept bool // whether the rest keeps something
			part bool // the rest streams Pos.X
		}{
			{name: "late", late: true, use: views.Cached, rest: views.Gathered},
			{name: "late, and others stay", late: true, use: views.Cached, rest: views.Cached, kept: true, part: true},
			{name: "large pages", page: 16 << 10, use: views.Cached, rest: views.Gathered},
		} {
			t.Run(fmt.Sprint(backend, "/", tt.name), func(t *testing.T) {
				p := newPosed(t, Options{Adapt: memmgr.AdaptOptions{Off: true}, Memory: memmgr.Options{Arena: arena.Options{Backend: backend}}})
				p.w.views.Page = max(p.w.views.Page, tt.page)
				r := rand.New(rand.NewPCG(1, 1))
				if tt.late {
					p.fill(r, rows)
				}
				p.systems(false)
				if !tt.late {
					p.fill(r, rows)
				}
				lamps := p.w.names.groups[1]
				heap := p.w.base.Manager.Arena().Backend() == arena.Heap
				if heap && backend == arena.Auto {
					t.Skip("memory is on the Go heap here, as in the other half of these tests")
				}
				run := func(use views.Strategy, frames int, part bool) {
					p.force(r, use)
					if part {
						p.forcePart(use, views.Gathered, "pose.Pos.X")
					}
					for range frames {
						if err := p.w.Run(t.Context()); err != nil {
							t.Fatal(err)
						}
					}
				}
				retained := func() (n uint64) {
					for _, v := range p.w.views.Stats() {
						n += v.Retained
					}
					return n
				}
				run(views.Gathered, 1, false)
				run(tt.rest, 3*shared.IdleFrames, tt.part)
				if _, err := p.w.base.Manager.Reclaim(^uint64(0)); err != nil { // memory that chunks have left would serve as annexes
					t.Fatal(err)
				}
				before, annexes := resident(t, p.w), p.w.base.Manager.Stats().Annexes
				run(tt.use, 3, false)
				with, more := resident(t, p.w), p.w.base.Manager.Stats().Annexes
				if retained() != 0 && !heap || more == 0 || !heap && with < before+uint64(lamps.rows().Len())*4 {
					t.Errorf("%d bytes resident, and %d with views in %d annexes; %d retained", before, with, more, retained())
				}
				run(tt.rest, 3*shared.IdleFrames, tt.part)
				after, left := resident(t, p.w), p.w.base.Manager.Stats().Annexes
				if !heap && (after > before || !tt.kept && after != before || retained() != 0 && os.Getpagesize() == chunk.Page) {
					t.Errorf("%d bytes resident before, %d with views, %d after they were dropped; %d retained", before, with, after, retained())
				}
				if heap && retained() == 0 {
					t.Error("nothing is reported as retained")
				}
				if left != annexes || !tt.kept && left != 0 {
					t.Errorf("%d annexes before, %d after views were dropped", annexes, left)
				}
				if err := p.w.Check(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// forcePart is force, with another strategy for the columns that ask for one part.
func (p *posed) forcePart(rest, use views.Strategy, name string) {
	for i := range p.w.systems.Systems() {
		p.w.views.Reader(i).Intend(func(_, component string) views.Strategy {
			if component == name {
				return use
			}
			return rest
		})
	}
}
