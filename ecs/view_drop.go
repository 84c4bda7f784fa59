package ecs

// viewIdle is for how many frames a view is kept that nobody uses.
const viewIdle = 64

// dropViews gives back the cache regions of groups whose views nobody has used for a
// while.
func (w *World) dropViews() error {
	if w.frame%viewIdle != 0 {
		return nil
	}
	for _, g := range w.groups {
		used, idle := false, false
		for _, v := range g.views {
			fresh := v.frame+viewIdle > w.frame
			used = used || fresh && v.since > 0
			idle = idle || !fresh && v.since > 0
		}
		if !idle || used {
			continue
		}
		for _, v := range g.views {
			v.drop()
		}
		for id := range g.seq.Chunks() {
			w.m.DropAnnex(id)
			n, err := w.m.DropCache(id)
			g.views[0].stats.Dropped += n
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// drop forgets a view's values.
func (v *view) drop() {
	v.chunks, v.since, v.found = nil, 0, 0
}
