package ecs

// viewIdle is for how many frames a view is kept that nobody uses.
const viewIdle = 64

// dropViews gives back the cache regions of groups whose views nobody has used for a
// while. What can't be given back is noted as retained, until a view is kept there again.
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
			if err != nil {
				return err
			}
			st := &g.views[0].stats
			st.Dropped += n
			st.Retained += uint64(g.seq.CacheBytes()) - n
		}
	}
	return nil
}

// drop forgets a view's values.
func (v *view) drop() {
	v.chunks, v.since, v.found = nil, 0, 0
}
