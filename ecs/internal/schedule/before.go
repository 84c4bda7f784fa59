package schedule

import (
	"github.com/ashlar-go/ashlar/ecs/internal/crew"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// taking is the copy of values of before that is under way. All workers take a part, where no system runs yet.
type taking struct {
	of    *store.Prior
	parts int
	job   crew.Job
}

// Take copies values for a system that begins.
func (s *Schedule) Take(b *store.Prior) {
	work := int(b.Begin() / 8) // as walk.Split.Work has it: 16 bytes are read, and written
	help := crew.None
	if s.shares() && s.beside == nil {
		help = s.share.help(s.ShareWork, work, s.Crew.Workers(), always)
	}
	if help == crew.None {
		b.Copy(0, 1)
		return
	}
	t := &s.taking
	if t.job.Do == nil {
		t.job.Do = func(_, part int) { t.of.Copy(part, t.parts) }
	}
	t.of, t.parts = b, 8*s.Crew.Workers() // several each: a worker may come late
	s.Crew.Run(&t.job, t.parts, help)
}
