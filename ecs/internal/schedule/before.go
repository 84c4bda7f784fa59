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

// run has workers copy so many parts.
func (t *taking) run(c *crew.Crew, b *store.Prior, parts int, help crew.Help) {
	if t.job.Do == nil {
		t.job.Do = func(_, part int) { t.of.Copy(part, t.parts) }
	}
	t.of, t.parts = b, parts
	c.Run(&t.job, parts, help)
}
